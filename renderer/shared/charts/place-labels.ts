import type { Skyline } from './skyline.ts';

/** A label wished for at a point; `text` in the chart's label size. Most important first. */
export interface LabelWish {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface PlacedLabel extends LabelWish {
  readonly anchor: 'start' | 'middle' | 'end';
  readonly textX: number;
  readonly textY: number;
  /** The room that the text takes. */
  readonly box: Box;
  /** Whether it lies so far above its point that a line must lead to it. */
  readonly raised: boolean;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const LETTER = 6.8;
/** The first label stands out. */
const BOLD_LETTER = 7.5;
const HEIGHT = 16;
const GAP = 10;
/** How far a label that is not the first may be raised to get clear of the curves. */
const MOST_RAISED = 56;
const ROUNDING = 1e-6;

type Place = readonly [anchor: PlacedLabel['anchor'], textX: number, textY: number];

/**
 * Puts labels where they cover no curve: over their point, raised above all curves around it; else above
 * their point, to the left or to the right of it; else they are left out. The first one may be raised as
 * high as it takes, over the other labels too, and is left out last. No label covers another or leaves
 * the area. What is left out is still in the table behind the chart.
 */
export function placeLabels(wishes: readonly LabelWish[], area: Box, skyline: Skyline): PlacedLabel[] {
  const [first, ...others] = wishes;
  if (first === undefined) return [];
  const around = others.reduce<PlacedLabel[]>(
    (placed, wish) => placed.concat(placeOne(wish, LETTER, MOST_RAISED, area, skyline, placed) ?? []),
    [],
  );
  const last = placeOne(first, BOLD_LETTER, Number.POSITIVE_INFINITY, area, skyline, around);
  if (last !== null || first.text === '') return last === null ? around : [last, ...around];
  const alone = placeOne(first, BOLD_LETTER, Number.POSITIVE_INFINITY, area, skyline, []);
  return others.reduce<PlacedLabel[]>(
    (placed, wish) => placed.concat(placeOne(wish, LETTER, MOST_RAISED, area, skyline, placed) ?? []),
    alone === null ? [] : [alone],
  );
}

function placeOne(
  wish: LabelWish,
  letter: number,
  mostRaised: number,
  area: Box,
  skyline: Skyline,
  placed: readonly PlacedLabel[],
): PlacedLabel | null {
  const width = wish.text.length * letter;
  if (width === 0) return null;
  const half = width / 2;
  const centre = Math.min(Math.max(wish.x, area.left + half), area.right - half);
  const labels = placed.filter(({ box }) => box.left < centre + half && box.right > centre - half);
  const curves = skyline(centre - half, centre + half) - GAP;
  const clear = Math.min(curves, wish.y - GAP, ...labels.map(({ box }) => box.top - 6));
  const middle = wish.y + 4;
  const places: Place[] = [
    ...(wish.y - clear <= mostRaised ? [['middle', centre, clear] as const] : []),
    ['middle', wish.x, wish.y - GAP],
    ['start', wish.x + GAP, middle],
    ['end', wish.x - GAP, middle],
    ['end', wish.x + 2, wish.y - GAP],
    ['start', wish.x - 2, wish.y - GAP],
  ];
  for (const [anchor, textX, textY] of places) {
    const left = textX - (anchor === 'start' ? 0 : anchor === 'end' ? width : half);
    const box = { left, right: left + width, top: textY - HEIGHT + 3, bottom: textY + 3 };
    if (!isInside(box, area) || placed.some((other) => overlap(box, other.box))) continue;
    return { ...wish, anchor, textX, textY, box, raised: wish.y - textY > GAP + 4 };
  }
  return null;
}

function isInside(box: Box, area: Box): boolean {
  const fitsAcross = box.left >= area.left - ROUNDING && box.right <= area.right + ROUNDING;
  return fitsAcross && box.top >= area.top && box.bottom <= area.bottom;
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
