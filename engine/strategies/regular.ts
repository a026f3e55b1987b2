import { getOrCompute } from '../get-or-compute.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import { paperCost } from '../paper/paper-cost.ts';
import { oneLevelSchedule } from '../schedule/one-level.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { simulateTotals, type Timeline } from '../simulate/simulate.ts';
import type { Problem, Strategy } from './strategy/strategy.ts';

/**
 * Regular training: every activation that some backward needs stays from its forward until that
 * backward; nothing is computed twice.
 *
 * - Source: paper 000, figure 1 (a).
 * - Guarantee: no recompute; the peak is the least among schedules without recompute that run in the
 *   graph's topological order and its reverse, because frees follow from liveness.
 * - Time and space O(V + E).
 * - Assumptions: none.
 * - Departures: frameworks free by reference counts, which keeps some tensors a step longer.
 */
export const regular: Strategy = {
  name: 'regular',
  title: 'Regular',
  source: 'Feng & Huang, CVPR 2021, figure 1 (a)',
  cites: ['feng2021optimal'],
  guarantee: 'computes nothing twice',
  takeFor: 'the fastest step, wherever its memory suffices',
  reads: {},
  asSource: { maxVertices: Number.POSITIVE_INFINITY, looks: (vertices) => 10 * vertices },
  scalesWithBatch: true,
  hasPaperCost: true,
  plan(problem) {
    const cost = paperCost(problem.view.tensors, []);
    return {
      applicable: true,
      // No gradient checkpoint is placed: the whole graph is one segment, and it is not recomputed.
      checkpoints: [],
      schedule: regularSchedule(problem),
      paperCostBytes: cost.ok ? cost.cost : null,
    };
  },
};

/** Everything kept, in the given order. */
export function regularSchedule({ graph, memory }: Pick<Problem, 'graph' | 'memory'>): Schedule {
  const all = Array.from({ length: graph.size - 1 }, (_, i) => i + 1);
  const kept = new Uint8Array(graph.size).fill(1);
  return oneLevelSchedule(graph, memory, { segments: [all], kept, recomputeLast: false });
}

/** Figures of regular training that every other row is compared to. Bytes. */
export type RegularFigures = Pick<Timeline, 'peakBytes' | 'savedBytes'>;

const known = new WeakMap<MemoryModel, RegularFigures>();

/** By the simulator; once for each memory model. */
export function regularFigures({ graph, memory }: Pick<Problem, 'graph' | 'memory'>): RegularFigures {
  return getOrCompute(known, memory, () => {
    const { peakBytes, savedBytes } = simulateTotals(graph, memory, regularSchedule({ graph, memory }));
    return { peakBytes, savedBytes };
  });
}
