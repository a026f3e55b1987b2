import type { Graph } from '../graph/graph.ts';
import type { OperationKind } from '../ops/operation.ts';
import { lazySchedule } from '../schedule/lazy.ts';
import type { Strategy } from './strategy/strategy.ts';

/** Operations that are convolutions or matrix products, whatever else they do. */
const EXPENSIVE: ReadonlySet<OperationKind> = new Set<OperationKind>([
  'conv2d',
  'conv-transpose2d',
  'patches',
  'linear',
  'tied-linear',
  'attention-scores',
  'attention-values',
  'attention',
]);

/** The original's pattern, and the names that other exporters give the same operations. */
const EXPENSIVE_LABEL = /conv|matmul|gemm|linear|bmm|addmm/i;

/**
 * The collection `speed`: the outputs of convolutions and matrix products are kept, everything between
 * them is recomputed when backward needs it.
 *
 * - Source: `checkpoints='speed'` of openai/gradient-checkpointing, the package of articles 002 and 003.
 * - Guarantee: no convolution or matrix product is computed twice, and no vertex more than twice.
 * - Time O(V log V + E), space O(V + E).
 * - Assumptions: operations that have a kind or a label.
 * - Departures: the original finds them by the pattern conv2d|Conv|MatMul in their names; what it
 *   recomputes it recomputes in pieces between checkpoints, here each vertex when it is first needed. An
 *   operation that takes over such an output in place stands for it, as TensorFlow has none in place.
 */
export const speed: Strategy = {
  name: 'speed',
  title: 'Speed (OpenAI)',
  source: 'Salimans & Bulatov, openai/gradient-checkpointing, 2018',
  cites: ['openai2018gradient'],
  guarantee: 'recomputes no convolution and no matrix product',
  takeFor: 'a little less memory for almost no time, in networks of convolutions',
  reads: {},
  scalesWithBatch: true,
  hasPaperCost: false,
  plan({ graph, memory }) {
    const kept = new Uint8Array(graph.size);
    for (let v = 1; v < graph.size; v++) if (isExpensive(graph, v)) kept[v] = 1;
    if (!kept.includes(1)) {
      return { applicable: false, reason: 'the graph has no convolution and no matrix product' };
    }
    // In topological order, so that what overwrites an overwritten output is reached too.
    const keptAux = kept.slice();
    for (let v = 1; v < graph.size; v++) {
      const destroyed = memory.takesOver[v]!;
      if (kept[destroyed] !== 1) continue;
      kept[destroyed] = 0;
      kept[v] = 1;
      keptAux[v] = 1;
    }
    const order = Array.from({ length: graph.size - 1 }, (_, i) => i + 1);
    const expiry = new Int32Array(graph.size);
    return {
      applicable: true,
      checkpoints: order.filter((v) => kept[v] === 1),
      schedule: lazySchedule(graph, memory, { order, kept, keptAux, expiry }),
      paperCostBytes: null,
    };
  },
};

/** True for a vertex that `speed` does not recompute. */
export function isExpensive({ operations }: Pick<Graph, 'operations'>, v: number): boolean {
  const operation = operations[v]!;
  if (operation.kind === 'opaque') return EXPENSIVE_LABEL.test(operation.label);
  return EXPENSIVE.has(operation.kind);
}
