import { createTensorGraph, type TensorGraph } from '../../../engine/paper/tensor-graph.ts';

const unit = (size: number): number[] => new Array<number>(size).fill(1);

/**
 * 000, figure 3: k depends on i alone, t depends on i and k.
 *
 *     i ──► k ──► t ──► j
 *     └───────────┘
 */
export const FIGURE_3: TensorGraph = createTensorGraph(unit(4), [
  [0, 1],
  [1, 2],
  [2, 3],
  [0, 2],
]);

/**
 * 000, figure 4, first column: a Linear IS with one linear splitting vertex, 3.
 *
 *     0 ─► 1 ─► 3 ─► 4 ─► 6
 *     └──► 2 ─►─┴──► 5 ─►─┘
 */
export const TWO_DIAMONDS: TensorGraph = createTensorGraph(
  [1, 2, 3, 4, 5, 6, 7],
  [
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
    [3, 4],
    [3, 5],
    [4, 6],
    [5, 6],
  ],
);

/**
 * 000, figure 4, second column: a Branch IS of three branches, one of them a mere edge.
 *
 *     0 ─► 1 ─► 2 ─► 4
 *     ├──► 3 ──────►─┤
 *     └──────────────┘
 */
export const THREE_BRANCHES: TensorGraph = createTensorGraph(
  [1, 2, 3, 4, 5],
  [
    [0, 1],
    [1, 2],
    [2, 4],
    [0, 3],
    [3, 4],
    [0, 4],
  ],
);

/**
 * 000, figure 4, third column: the division of s_ij is {s_ik, s_it, s_kt, s_kj, s_tj}, here with
 * i = 0, k = 1, t = 4, j = 5; s_kt holds the branches 1 ─► 2 ─► 4 and 1 ─► 3 ─► 4.
 *
 *     0 ─► 1 ───────────►──┐
 *     │    ├─► 2 ─┬─► 4 ─► 5
 *     │    └─► 3 ─┤
 *     └───────────┘
 */
export const COMPLICATE: TensorGraph = createTensorGraph(
  [1, 2, 3, 4, 5, 6],
  [
    [0, 1],
    [0, 4],
    [1, 2],
    [2, 4],
    [1, 3],
    [3, 4],
    [1, 5],
    [4, 5],
  ],
);

/** A path of vertices with these costs. */
export function chain(cost: readonly number[]): TensorGraph {
  return createTensorGraph(
    cost,
    cost.slice(1).map((_, i) => [i, i + 1] as const),
  );
}
