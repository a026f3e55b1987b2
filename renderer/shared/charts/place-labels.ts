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
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const LETTER = 6.8;
const HEIGHT = 16;
const GAP = 10;

/**
 * Puts labels above their points, else to the left or right of them, else leaves them out: no label
 * covers another or leaves the area. What is left out is still in the table behind the chart.
 */
export function placeLabels(wishes: readonly LabelWish[], area: Box): PlacedLabel[] {
  const taken: Box[] = [];
  const placed: PlacedLabel[] = [];
  for (const wish of wishes) {
    const width = wish.text.length * LETTER;
    const middle = wish.y + 4;
    const options: [PlacedLabel['anchor'], number, number][] = [
      ['middle', wish.x, wish.y - GAP],
      ['start', wish.x + GAP, middle],
      ['end', wish.x - GAP, middle],
      ['end', wish.x + 2, wish.y - GAP],
      ['start', wish.x - 2, wish.y - GAP],
    ];
    for (const [anchor, textX, textY] of options) {
      const left = textX - (anchor === 'start' ? 0 : anchor === 'end' ? width : width / 2);
      const box = { left, right: left + width, top: textY - HEIGHT + 3, bottom: textY + 3 };
      if (!isInside(box, area) || taken.some((other) => overlap(box, other))) continue;
      taken.push(box);
      placed.push({ ...wish, anchor, textX, textY, box });
      break;
    }
  }
  return placed;
}

function isInside(box: Box, area: Box): boolean {
  return box.left >= area.left && box.right <= area.right && box.top >= area.top && box.bottom <= area.bottom;
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
