import type { Drawing } from '../state/drawing.ts';
import type { CompoundDrawing } from '../layout/compound.ts';

export type Direction = 'up' | 'down' | 'left' | 'right';

export const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/**
 * The box that an arrow key leads to: up and down along an edge (the straightest where there are several),
 * left and right to the nearest box beside. Stays where it is if none exists.
 */
export function neighbour(
  drawing: Drawing,
  layout: CompoundDrawing,
  current: string | null,
  direction: Direction,
): string | null {
  const at = current === null ? undefined : drawing.indexOf.get(current);
  if (at === undefined) return drawing.items.find(({ kind }) => kind !== 'frame')?.key ?? null;
  const here = centerOf(layout, at);
  const candidates =
    direction === 'left' || direction === 'right'
      ? beside(drawing, layout, at, direction)
      : drawing.edges
          .filter(({ from, to }) => (direction === 'down' ? from : to) === at)
          .map(({ from, to }) => (direction === 'down' ? to : from));
  let best = at;
  let least = Number.POSITIVE_INFINITY;
  for (const other of candidates) {
    const { x, y } = centerOf(layout, other);
    const distance = Math.abs(x - here.x) + Math.abs(y - here.y);
    if (distance < least) {
      least = distance;
      best = other;
    }
  }
  return drawing.items[best]?.key ?? null;
}

function beside(drawing: Drawing, layout: CompoundDrawing, at: number, side: 'left' | 'right'): number[] {
  const here = centerOf(layout, at);
  const sign = side === 'right' ? 1 : -1;
  return drawing.items.flatMap(({ kind }, i) => {
    const { x, y } = centerOf(layout, i);
    const isBeside = (x - here.x) * sign > 8 && Math.abs(y - here.y) < Math.abs(x - here.x);
    return kind === 'frame' || i === at || !isBeside ? [] : [i];
  });
}

function centerOf(layout: CompoundDrawing, box: number): { x: number; y: number } {
  const { x, y, width, height } = layout.places[box]!;
  return { x: x + width / 2, y: y + height / 2 };
}
