import type { Drawing } from './question.ts';

export function chainDrawing(
  summary: string,
  names: readonly string[],
  notes: readonly string[],
  pebbles: readonly number[] = [],
): Drawing {
  return {
    summary,
    names,
    notes,
    places: names.map((_, column) => ({ column, lane: 0 })),
    edges: names.slice(1).map((_, i) => [i, i + 1]),
    pebbles,
  };
}

/** `f3`; the first is the input. */
export const layerName = (vertex: number): string => (vertex === 0 ? 'input' : `f${vertex}`);
