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
  /** Whether it lies so far from its point that a line must lead to it. */
  readonly isRemote: boolean;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Whether a box touches no curve. */
export type Room = (box: Box) => boolean;

const LETTER = 6.8;
/** The first label stands out. */
const BOLD_LETTER = 7.5;
const ASCENT = 11;
const DESCENT = 3;
const GAP = 8;
const LIFT = 4;
/** How far a label that is not the first may be from its point. */
const MOST_LIFTED = 72;
/** Under a point there are other curves. */
const MOST_LOWERED = 16;
const NEAR = GAP + 2 * LIFT;

/**
 * Puts labels where they cover no curve, no other label and no line that leads to one: over their point, under or beside it, lifted in
 * small steps until there is room. The first may be lifted as high as it takes; another one that finds no
 * room near its point is left out, and so is every one without room inside the area. What is left out is
 * still in the table behind the chart.
 */
export function placeLabels(wishes: readonly LabelWish[], area: Box, room: Room): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  wishes.forEach((wish, rank) => {
    const label = placeOne(wish, rank === 0, area, room, placed);
    if (label !== null) placed.push(label);
  });
  return placed;
}

function placeOne(
  wish: LabelWish,
  isFirst: boolean,
  area: Box,
  room: Room,
  placed: readonly PlacedLabel[],
): PlacedLabel | null {
  const width = wish.text.length * (isFirst ? BOLD_LETTER : LETTER);
  if (width === 0) return null;
  const half = width / 2;
  const inside = (x: number): number => Math.min(Math.max(x, area.left + half), area.right - half);
  if (area.right - area.left < width) return null;
  const most = isFirst ? area.bottom - area.top : MOST_LIFTED;
  for (let lift = 0; lift <= most; lift += LIFT) {
    const above = wish.y - GAP - DESCENT - lift;
    const below = wish.y + GAP + ASCENT + lift;
    const spots: readonly Spot[] = [
      ...spotsAt(wish.x, inside(wish.x), above),
      ...(lift === 0 ? besides(wish) : []),
      ...(lift <= MOST_LOWERED ? spotsAt(wish.x, inside(wish.x), below) : []),
    ];
    for (const [anchor, textX, textY] of spots) {
      const left = textX - (anchor === 'start' ? 0 : anchor === 'end' ? width : half);
      const box = { left, right: left + width, top: textY - ASCENT, bottom: textY + DESCENT };
      const label = { ...wish, anchor, textX, textY, box, isRemote: lift >= NEAR };
      if (!isInside(box, area) || placed.some((other) => collide(label, other)) || !room(box)) continue;
      return label;
    }
  }
  return null;
}

type Spot = readonly [anchor: PlacedLabel['anchor'], textX: number, textY: number];

/** Over or under a point: in the middle, else to one side of it. */
const spotsAt = (x: number, centre: number, textY: number): Spot[] => [
  ['middle', centre, textY],
  ['start', x - 2, textY],
  ['end', x + 2, textY],
  ['start', x + GAP, textY],
  ['end', x - GAP, textY],
];

const besides = ({ x, y }: LabelWish): Spot[] => [
  ['start', x + GAP, y + 4],
  ['end', x - GAP, y + 4],
];

/** The line from a remote label to its point. */
export function leaderOf({ x, y, box, isRemote }: PlacedLabel): Box | null {
  if (!isRemote) return null;
  const isAbove = box.bottom <= y;
  return { left: x, right: x, top: isAbove ? box.bottom : y, bottom: isAbove ? y : box.top };
}

function collide(a: PlacedLabel, b: PlacedLabel): boolean {
  const ofA = leaderOf(a);
  const ofB = leaderOf(b);
  return (
    overlap(a.box, b.box) || (ofA !== null && overlap(ofA, b.box)) || (ofB !== null && overlap(ofB, a.box))
  );
}

const ROUNDING = 1e-6;

function isInside(box: Box, area: Box): boolean {
  const fitsAcross = box.left >= area.left - ROUNDING && box.right <= area.right + ROUNDING;
  return fitsAcross && box.top >= area.top && box.bottom <= area.bottom;
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
