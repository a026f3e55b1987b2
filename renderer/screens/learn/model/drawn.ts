import { memoize } from './memoize.ts';

/** Columns run from left to right, lanes from top to bottom; halves may be used. */
export interface Place {
  readonly column: number;
  readonly lane: number;
}

/** A vertex of a small graph and where it is drawn. */
export interface DrawnVertex extends Place {
  readonly id: string;
  readonly size: number;
  readonly inputs: readonly string[];
}

/** Small graphs are texts: `id column lane size inputs`, a vertex after its inputs, with commas between vertices. */
export const drawnVertices = memoize((text: string): readonly DrawnVertex[] =>
  text.split(', ').map((vertex) => {
    const [id = '', column, lane, size, ...inputs] = vertex.split(' ');
    return { id, column: Number(column), lane: Number(lane), size: Number(size), inputs };
  }),
);

/** Edges between the places of vertices in the list. */
export function drawnEdges(vertices: readonly DrawnVertex[]): [from: number, to: number][] {
  const ids = vertices.map(({ id }) => id);
  return vertices.flatMap(({ inputs }, to) =>
    inputs.map((input): [number, number] => [ids.indexOf(input), to]),
  );
}
