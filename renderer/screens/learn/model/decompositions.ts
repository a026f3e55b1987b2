import { treeDecomposition } from '../../../../engine/decomposition/tree-decomposition.ts';
import { treewidthBound } from '../../../../engine/decomposition/width-bound.ts';
import { createTensorGraph, type TensorGraph } from '../../../../engine/paper/tensor-graph.ts';
import { drawnEdges, drawnVertices, type Place } from './drawn.ts';
import { memoize } from './memoize.ts';

export const edgesOf = ({ edgeFrom, edgeTo }: TensorGraph): (readonly [from: number, to: number])[] =>
  Array.from(edgeFrom, (from, e) => [from, edgeTo[e]!]);

export interface Bag {
  readonly vertices: readonly number[];
  /** Index of the bag that it hangs on; -1 for the root. */
  readonly parent: number;
  readonly place: Place;
}

export interface Decomposed {
  readonly tensors: TensorGraph;
  readonly places: readonly Place[];
  readonly names: readonly string[];
  readonly bags: readonly Bag[];
  readonly largestBag: number;
  readonly isExact: boolean;
}

export const DECOMPOSED = ['chain', 'residual', 'towers', 'skips'] as const;
export type DecomposedName = (typeof DECOMPOSED)[number];

export const DECOMPOSED_TITLES: Readonly<Record<DecomposedName, string>> = {
  chain: 'Chain',
  residual: 'Residual blocks',
  towers: 'Two towers',
  skips: 'Skips over two',
};

/** The networks of article 002, small: what it calls feed-forward, Resnet, multi-tower and skip connections. */
const GRAPHS: Readonly<Record<DecomposedName, string>> = {
  chain: 'a 0 1 1, b 1 1 1 a, c 2 1 1 b, d 3 1 1 c, e 4 1 1 d, f 5 1 1 e, g 6 1 1 f',
  residual: 'a 0 1 1, b 1 0 1 a, c 2 1 1 a b, d 3 0 1 c, e 4 1 1 c d, f 5 0 1 e, g 6 1 1 e f',
  // The checkpoints that the article keeps by hand are b and c, then d and e.
  towers:
    'a 0 1 1, b 1 0 1 a, c 1 2 1 a, d 2.5 0 1 b c, e 2.5 2 1 b c, f 4 0 1 d e, g 4 2 1 d e, h 5 1 1 f g',
  skips: 'a 0 1 1, b 1 0 1 a, c 2 1 1 a b, d 3 0 1 b c, e 4 1 1 c d, f 5 0 1 d e, g 6 1 1 e f',
};

export const decomposed = memoize((name: DecomposedName): Decomposed => {
  const vertices = drawnVertices(GRAPHS[name]);
  const edges = drawnEdges(vertices);
  const tensors = createTensorGraph(
    vertices.map(({ size }) => size),
    edges,
  );
  const { bags, parent, largestBag, width } = treeDecomposition(tensors.size, edges);
  const places = bagPlaces(parent);
  return {
    tensors,
    names: vertices.map(({ id }) => id),
    places: vertices,
    bags: bags.map((held, i) => ({ vertices: held, parent: parent[i]!, place: places[i]! })),
    largestBag,
    isExact: treewidthBound(tensors.size, edges) === width,
  };
});

/** Columns by distance from the root; a lane for each leaf, and a parent in the middle of its children. Time O(bags). */
function bagPlaces(parent: ArrayLike<number>): Place[] {
  const children: number[][] = Array.from({ length: parent.length }, () => []);
  const roots: number[] = [];
  for (let i = 0; i < parent.length; i++) (parent[i]! < 0 ? roots : children[parent[i]!]!).push(i);
  const places: Place[] = Array.from({ length: parent.length });
  let leaves = 0;
  const walk = (bag: number, column: number): number => {
    const lanes = children[bag]!.map((child) => walk(child, column + 1));
    const lane = lanes.length === 0 ? leaves++ : (Math.min(...lanes) + Math.max(...lanes)) / 2;
    places[bag] = { column, lane };
    return lane;
  };
  for (const root of roots) walk(root, 0);
  return places;
}

/** The parts that a graph falls into without some vertices, directions forgotten; each ascending, by smallest vertex. */
export function partsWithout(tensors: TensorGraph, removed: readonly number[]): number[][] {
  const near: number[][] = Array.from({ length: tensors.size }, () => []);
  for (const [from, to] of edgesOf(tensors)) {
    near[from]!.push(to);
    near[to]!.push(from);
  }
  const seen = new Set(removed);
  const parts: number[][] = [];
  for (let v = 0; v < tensors.size; v++) {
    if (seen.has(v)) continue;
    const part: number[] = [];
    const open = [v];
    seen.add(v);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      part.push(at);
      for (const next of near[at]!) {
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    }
    parts.push(part.sort((a, b) => a - b));
  }
  return parts;
}
