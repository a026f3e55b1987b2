import { treeDecomposition } from '../../../../engine/decomposition/tree-decomposition.ts';
import { treewidthBound } from '../../../../engine/decomposition/width-bound.ts';
import { createTensorGraph, type TensorGraph } from '../../../../engine/paper/tensor-graph.ts';
import type { Place } from './games.ts';
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

/** Name, names that it reads, column and lane. */
type Drawn = readonly [name: string, inputs: string, column: number, lane: number];

/** The networks of article 002, small: what it calls feed-forward, Resnet, multi-tower and skip connections. */
const GRAPHS: Readonly<Record<DecomposedName, readonly Drawn[]>> = {
  chain: [...'abcdefg'].map((name, i): Drawn => [name, 'abcdefg'[i - 1] ?? '', i, 1]),
  residual: [
    ['a', '', 0, 1],
    ['b', 'a', 1, 0],
    ['c', 'ab', 2, 1],
    ['d', 'c', 3, 0],
    ['e', 'cd', 4, 1],
    ['f', 'e', 5, 0],
    ['g', 'ef', 6, 1],
  ],
  // The checkpoints that the article keeps by hand are b and c, then d and e.
  towers: [
    ['a', '', 0, 1],
    ['b', 'a', 1, 0],
    ['c', 'a', 1, 2],
    ['d', 'bc', 2.5, 0],
    ['e', 'bc', 2.5, 2],
    ['f', 'de', 4, 0],
    ['g', 'de', 4, 2],
    ['h', 'fg', 5, 1],
  ],
  skips: [
    ['a', '', 0, 1],
    ['b', 'a', 1, 0],
    ['c', 'ab', 2, 1],
    ['d', 'bc', 3, 0],
    ['e', 'cd', 4, 1],
    ['f', 'de', 5, 0],
    ['g', 'ef', 6, 1],
  ],
};

export const decomposed = memoize((name: DecomposedName): Decomposed => {
  const drawn = GRAPHS[name];
  const names = drawn.map(([one]) => one);
  const edges = drawn.flatMap(([, inputs], to) =>
    [...inputs].map((input): [number, number] => [names.indexOf(input), to]),
  );
  const tensors = createTensorGraph(
    names.map(() => 1),
    edges,
  );
  const { bags, parent, largestBag, width } = treeDecomposition(names.length, edges);
  const places = bagPlaces(parent);
  return {
    tensors,
    names,
    places: drawn.map(([, , column, lane]) => ({ column, lane })),
    bags: bags.map((vertices, i) => ({ vertices, parent: parent[i]!, place: places[i]! })),
    largestBag,
    isExact: treewidthBound(names.length, edges) === width,
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
