import type { Point, Size } from './geometry.ts';
import { type LayeredDrawing, layered } from './layered.ts';
import type { Edge } from './levels.ts';

/** A box of the drawing; an open block is a frame around its children. Parents stand before children. */
export interface Box extends Size {
  /** Index of the frame that holds it, -1 for the drawing itself. */
  readonly parent: number;
  readonly isFrame: boolean;
}

export interface CompoundDrawing extends Size {
  /** By box: left upper corner in the drawing and the size, which for a frame follows from its content. */
  readonly places: readonly (Point & Size)[];
  readonly routes: readonly (readonly Point[])[];
}

export const FRAME = { side: 12, head: 32, foot: 12 } as const;

const NARROW = 0.6;
const MAX_OF_IT = 0.6;

interface Inside {
  readonly drawing: LayeredDrawing;
  readonly slotOf: ReadonlyMap<number, number>;
  readonly pieceOf: ReadonlyMap<number, number>;
}

/**
 * Draws frames from the inside out: each is a layered drawing of its children in which an edge that enters
 * or leaves goes to a port on the frame's upper or lower side, so that it is led around the others.
 *
 * @param edges between boxes that are no frames; one from a later to an earlier box is drawn upwards
 * @param aspect width by height of the page that a tall drawing is broken into columns for
 */
export function compoundLayout(
  boxes: readonly Box[],
  edges: readonly Edge[],
  aspect: number,
): CompoundDrawing {
  const children: number[][] = Array.from({ length: boxes.length + 1 }, () => []);
  boxes.forEach(({ parent }, i) => {
    children[parent + 1]!.push(i);
  });
  const paths = edges.map((edge) => pathOf(boxes, edge));
  const byFrame: number[][] = Array.from({ length: boxes.length + 1 }, () => []);
  paths.forEach((path, e) => {
    for (const { frame } of path) byFrame[frame + 1]!.push(e);
  });

  // A frame that holds most of the drawing is broken into columns for the page, others stay narrow.
  const leaves = new Array<number>(boxes.length + 1).fill(0);
  for (let i = boxes.length - 1; i >= 0; i--) {
    if (!boxes[i]!.isFrame) leaves[i + 1]!++;
    leaves[boxes[i]!.parent + 1]! += leaves[i + 1]!;
  }
  const most = leaves[0]! * MAX_OF_IT;
  const sizes: Size[] = boxes.map(({ width, height }) => ({ width, height }));
  const insides = new Map<number, Inside>();
  for (let frame = boxes.length - 1; frame >= -1; frame--) {
    if (frame >= 0 && !boxes[frame]!.isFrame) continue;
    const pieces = byFrame[frame + 1]!.map((e) => ({
      e,
      piece: paths[e]!.find((step) => step.frame === frame)!,
    }));
    const inside = drawInside(
      children[frame + 1]!,
      sizes,
      pieces,
      leaves[frame + 1]! > most ? aspect : NARROW,
    );
    insides.set(frame, inside);
    if (frame >= 0) {
      sizes[frame] = {
        width: Math.max(boxes[frame]!.width, inside.drawing.width + 2 * FRAME.side),
        height: inside.drawing.height + FRAME.head + FRAME.foot,
      };
    }
  }
  const { places, origins } = placeAll(boxes, sizes, insides);
  const routes = paths.map((path, e) => joinRoute(path, e, boxes, insides, origins));
  const { width, height } = insides.get(-1)!.drawing;
  return { width, height, places, routes };
}

/** A piece of an edge inside one frame: between two children, or between a child and the outside (-1). */
interface Piece {
  readonly frame: number;
  readonly from: number;
  readonly to: number;
}

function pathOf(boxes: readonly Box[], [from, to]: Edge): Piece[] {
  const above = (box: number): number[] => {
    const chain: number[] = [];
    for (let at = boxes[box]!.parent; at >= 0; at = boxes[at]!.parent) chain.push(at);
    return [...chain, -1];
  };
  const up = above(from);
  const down = above(to);
  const common = up.find((frame) => down.includes(frame)) ?? -1;
  const pieces: Piece[] = [];
  let inner = from;
  for (const frame of up.slice(0, up.indexOf(common))) {
    pieces.push({ frame, from: inner, to: -1 });
    inner = frame;
  }
  const into = down.slice(0, down.indexOf(common));
  pieces.push({ frame: common, from: inner, to: into.at(-1) ?? to });
  for (let i = into.length - 1; i >= 0; i--) {
    pieces.push({ frame: into[i]!, from: -1, to: i === 0 ? to : into[i - 1]! });
  }
  return pieces;
}

const PORT: Size = { width: 0, height: 0 };

/** Slots of the layered drawing: entry ports, the children in order, exit ports. */
function drawInside(
  children: readonly number[],
  sizes: readonly Size[],
  pieces: readonly { readonly e: number; readonly piece: Piece }[],
  aspect: number,
): Inside {
  const entries = [...new Set(pieces.filter(({ piece }) => piece.from < 0).map(({ piece }) => piece.to))];
  const exits = [...new Set(pieces.filter(({ piece }) => piece.to < 0).map(({ piece }) => piece.from))];
  const slotOf = new Map(children.map((child, i) => [child, entries.length + i]));
  const entryOf = new Map(entries.map((child, i) => [child, i]));
  const firstExit = entries.length + children.length;
  const exitOf = new Map(exits.map((child, i) => [child, firstExit + i]));
  const slots = [...entries.map(() => PORT), ...children.map((c) => sizes[c]!), ...exits.map(() => PORT)];
  const edges: Edge[] = [];
  const known = new Map<string, number>();
  const pieceOf = new Map<number, number>();
  for (const { e, piece } of pieces) {
    const from = piece.from < 0 ? entryOf.get(piece.to)! : slotOf.get(piece.from)!;
    const to = piece.to < 0 ? exitOf.get(piece.from)! : slotOf.get(piece.to)!;
    const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
    let local = known.get(key);
    if (local === undefined) {
      local = edges.length;
      known.set(key, local);
      edges.push([Math.min(from, to), Math.max(from, to)]);
    }
    pieceOf.set(e, local);
  }
  const last = new Set(exits.map((_, i) => firstExit + i));
  return { drawing: layered(slots, edges, { last, aspect }), slotOf, pieceOf };
}

function placeAll(
  boxes: readonly Box[],
  sizes: readonly Size[],
  insides: ReadonlyMap<number, Inside>,
): { places: (Point & Size)[]; origins: Map<number, Point> } {
  const origins = new Map<number, Point>([[-1, { x: 0, y: 0 }]]);
  const places = boxes.map(({ parent, isFrame }, i) => {
    const { drawing, slotOf } = insides.get(parent)!;
    const origin = origins.get(parent)!;
    const corner = drawing.corners[slotOf.get(i)!]!;
    const size = sizes[i]!;
    const place = { x: origin.x + corner.x, y: origin.y + corner.y, ...size };
    if (isFrame) {
      // Narrow content stands in the middle of a frame that is as wide as its name.
      const spare = size.width - insides.get(i)!.drawing.width;
      origins.set(i, { x: place.x + spare / 2, y: place.y + FRAME.head });
    }
    return place;
  });
  return { places, origins };
}

/** The pieces end to end; where a piece meets a frame, the frame's port takes the place of its middle. */
function joinRoute(
  path: readonly Piece[],
  e: number,
  boxes: readonly Box[],
  insides: ReadonlyMap<number, Inside>,
  origins: ReadonlyMap<number, Point>,
): Point[] {
  const points: Point[] = [];
  let waitsForPort = false;
  for (const piece of path) {
    const { drawing, pieceOf, slotOf } = insides.get(piece.frame)!;
    const origin = origins.get(piece.frame)!;
    const isUpward = piece.from >= 0 && piece.to >= 0 && slotOf.get(piece.from)! > slotOf.get(piece.to)!;
    const local = drawing.routes[pieceOf.get(e)!]!.map(({ x, y }) => ({ x: origin.x + x, y: origin.y + y }));
    if (isUpward) local.reverse();
    const start = piece.from >= 0 && boxes[piece.from]!.isFrame ? 1 : 0;
    const end = local.length - (piece.to >= 0 && boxes[piece.to]!.isFrame ? 1 : 0);
    // A line that turns into a gutter leaves a frame, and enters one, straight at its port.
    if (start === 1 && turns(local[0]!, local[1]!, local[2])) {
      local[1] = { x: points.at(-1)?.x ?? local[1]!.x, y: local[1]!.y };
    }
    const entered = points.length - 1;
    if (waitsForPort && points.length > 0) points[entered] = { x: local[start]!.x, y: points[entered]!.y };
    waitsForPort = end < local.length && turns(local.at(-1)!, local.at(-2)!, local.at(-3));
    points.push(...local.slice(start, end));
  }
  return points;
}

function turns(a: Point, b: Point, next: Point | undefined): boolean {
  return a.x === b.x && next !== undefined && next.y === b.y;
}
