import { BadInputError } from '../errors.ts';
import { idOf, successorsOf, vertexOf } from '../graph/graph.ts';
import { nearestNames } from '../zoo/nearest.ts';
import { paperCost } from '../paper/paper-cost.ts';
import { segmentSchedule } from '../schedule/checkpointing.ts';
import { lowerSetSegments } from '../schedule/lower-set-segments.ts';
import { checkpointingOf, planFromCheckpoints, READS_CHECKPOINTING } from './strategy/from-checkpoints.ts';
import type { Problem, Strategy } from './strategy/strategy.ts';

/**
 * The user's own checkpoints.
 *
 * - Source: "manual input" in table 1 of paper 000; the manual mode of articles 002 and 003.
 * - Guarantee: exactly the given checkpoints, each tensor recomputed at most once.
 * - Time O(k (V + E)) at worst (one-level.ts), linear in practice; space O(V + E).
 * - Assumptions: none. A set that cuts the graph into independent segments (D10) runs over those and has a
 *   paper cost; any other, which Eq. 2 does not price, runs over the lower sets that it closes
 *   (lower-set-segments.ts).
 * - Departures: a vertex that shares its tensor with others (an in-place ReLU after a convolution)
 *   stands for that tensor, whichever of them is named. Articles 002 and 003 recompute from the nearest
 *   checkpoints for each of their groups again; here what was recomputed once stays until its last use. Reentrant
 *   lower sets also keep what else one of them reads of another, as PyTorch does.
 */
export const manual: Strategy = {
  name: 'manual',
  title: 'Manual',
  source: 'Feng & Huang, CVPR 2021, table 1; Bulatov 2018',
  cites: ['feng2021optimal', 'bulatov2018fitting'],
  guarantee: 'the given checkpoints',
  takeFor: 'checkpoints of your own, judged like all others',
  reads: { checkpoints: 'needs', ...READS_CHECKPOINTING },
  scalesWithBatch: true,
  hasPaperCost: true,
  plan(problem, options) {
    const ids = options.checkpoints;
    if (ids === undefined) return { applicable: false, reason: 'no checkpoints were given' };
    const { graph, memory, view } = problem;
    const chosen = new Set<number>();
    for (let i = 0; i < ids.length; i++) {
      const v = keptFor(problem, ids[i] ?? '', `checkpoints[${i}]`);
      if (typeof v === 'string') return { applicable: false, reason: v };
      chosen.add(v);
    }
    const tensors = [...chosen].map((v) => view.tensorOf[v] ?? -1);
    const isCut = tensors.every((tensor) => tensor >= 0) && paperCost(view.tensors, tensors).ok;
    if (isCut) return planFromCheckpoints(problem, options, tensors);
    const kept = [...chosen].filter((v) => v > 0 && v < graph.size - 1).sort((a, b) => a - b);
    const checkpointing = checkpointingOf(options);
    const schedule = segmentSchedule(graph, memory, lowerSetSegments(graph, kept), checkpointing);
    return { applicable: true, checkpoints: kept, schedule, paperCostBytes: null, checkpointing };
  },
};

/** The operation whose output is kept for an id, or why it cannot be kept. */
function keptFor({ graph, memory, view }: Problem, id: string, path: string): number | string {
  const v = vertexOf(graph, id);
  if (v < 0) {
    const near = nearestNames(id, graph.ids);
    const hint = near.length > 0 ? `; did you mean ${near.join(', ')}?` : '';
    throw new BadInputError(`no vertex is named "${id}"${hint}`, path);
  }
  const tensor = view.tensorOf[v] ?? -1;
  const kept = tensor >= 0 ? (view.representative[tensor] ?? v) : v;
  const consumer = successorsOf(graph, kept).find((w) => memory.takesOver[w] === kept);
  if (consumer === undefined) return kept;
  return `${id} cannot be kept because ${idOf(graph, consumer)} overwrites it: name that vertex`;
}
