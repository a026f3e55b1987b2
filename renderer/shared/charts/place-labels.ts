export interface LabelWish {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** Colour of the named thing; that of all text by default. */
  readonly color?: string;
  /** Stands out, and is lifted as high as it takes. */
  readonly isMain?: boolean;
  /** Looks for room beside its point first. */
  readonly isBeside?: boolean;
}

export interface PlacedLabel extends LabelWish {
  readonly anchor: 'start' | 'middle' | 'end';
  readonly textX: number;
  readonly textY: number;
  readonly box: Box;
  /** So far from its point that a line must lead to it. */
  readonly isRemote: boolean;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** True where a box touches no curve. */
export type Room = (box: Box) => boolean;

const LETTER = 6.8;
const BOLD_LETTER = 7.5;
const ASCENT = 11;
const DESCENT = 3;
const GAP = 8;
const DOT = 4;
const LIFT = 4;
/** How far a label that is not a main one may be from its point. */
const MAX_LIFTED = 72;
/** Under a point there are other curves. */
const MAX_LOWERED = 16;
const NEAR = GAP + 2 * LIFT;
/** Between a label at the end of its line and the points of others. */
const FAR = 24;

/**
 * Puts labels where they cover no curve, no point, no other label and no line that leads to one, and where no other
 * point seems to be their own: over their point, under or beside it, lifted in small steps until there is room. A main one may be lifted as high as it takes;
 * another one that finds no room near its point is left out, and so is every one without room inside the area.
 * The table behind the chart has labels that are left out.
 */
export function placeLabels(wishes: readonly LabelWish[], area: Box, room: Room = () => true): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  const points = wishes.map(({ x, y }) => ({ left: x - DOT, right: x + DOT, top: y - DOT, bottom: y + DOT }));
  const isFree = (label: PlacedLabel): boolean =>
    isInside(label.box, area) &&
    !placed.some((other) => collide(label, other)) &&
    !points.some((point) => overlap(point, label.box)) &&
    standsAtItsOwn(label, wishes) &&
    room(label.box);
  for (const wish of wishes) {
    const label = placeOne(wish, area, isFree);
    if (label !== null) placed.push(label);
  }
  return placed;
}

/** False where a reader would take it for the label of another point, to which no line leads. */
function standsAtItsOwn(label: PlacedLabel, wishes: readonly LabelWish[]): boolean {
  const own = label.isRemote ? FAR : distance(label, label.box);
  return !wishes.some(({ x, y }) => {
    const isOther = x !== label.x || y !== label.y;
    return isOther && distance({ x, y }, label.box) < own - ROUNDING;
  });
}

const distance = ({ x, y }: Pick<LabelWish, 'x' | 'y'>, { left, right, top, bottom }: Box): number =>
  Math.hypot(Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0));

const widthOf = ({ text, isMain = false }: Pick<LabelWish, 'text' | 'isMain'>): number =>
  text.length * (isMain ? BOLD_LETTER : LETTER);

function placeOne(wish: LabelWish, area: Box, isFree: (label: PlacedLabel) => boolean): PlacedLabel | null {
  const width = widthOf(wish);
  if (width === 0 || area.right - area.left < width) return null;
  const half = width / 2;
  const centre = Math.min(Math.max(wish.x, area.left + half), area.right - half);
  const most = wish.isMain === true ? area.bottom - area.top : MAX_LIFTED;
  for (let lift = 0; lift <= most; lift += LIFT) {
    const over = spotsAt(wish.x, centre, wish.y - GAP - DESCENT - lift);
    const beside = lift === 0 ? besides(wish) : [];
    const under = lift <= MAX_LOWERED ? spotsAt(wish.x, centre, wish.y + GAP + ASCENT + lift) : [];
    const spots = wish.isBeside === true ? [...beside, ...over, ...under] : [...over, ...beside, ...under];
    for (const [anchor, textX, textY] of spots) {
      const left = textX - (anchor === 'start' ? 0 : anchor === 'end' ? width : half);
      const label = { ...wish, anchor, textX, textY, box: boxAt(left, textY, width), isRemote: lift >= NEAR };
      if (isFree(label)) return label;
    }
  }
  return null;
}

const boxAt = (left: number, textY: number, width: number): Box => ({
  left,
  right: left + width,
  top: textY - ASCENT,
  bottom: textY + DESCENT,
});

/**
 * Room for a text along a line across, from the right to the very left; under the line where curves are above it.
 *
 * @param lifts pixels between the line and the text's foot, the best ones first
 */
export function placeOnLine(
  text: string,
  line: number,
  area: Box,
  room: Room,
  placed: readonly PlacedLabel[],
  lifts: readonly number[] = [6, -16],
): PlacedLabel | null {
  const width = widthOf({ text });
  const leftmost = area.left + LIFT;
  if (leftmost + width > area.right) return null;
  for (let at = area.right - width; at > leftmost - 16; at -= 16) {
    const left = Math.max(at, leftmost);
    for (const lift of lifts) {
      const textY = line - lift;
      const box = boxAt(left, textY, width);
      const isFree = box.top >= area.top - 8 && !placed.some((other) => overlap(other.box, box)) && room(box);
      if (isFree)
        return {
          id: 'limit',
          x: left,
          y: line,
          text,
          anchor: 'start',
          textX: left,
          textY,
          box,
          isRemote: false,
        };
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

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
