import { BadInputError } from '../errors.ts';
import { idOf, successorsOf, vertexOf } from '../graph/graph.ts';
import { nearestNames } from '../zoo/nearest.ts';
import { paperCost } from '../paper/paper-cost.ts';
import { planFromCheckpoints, tensorId, whyNotIndependent } from './from-checkpoints.ts';
import type { Problem, Strategy } from './strategy.ts';

/**
 * The user's own checkpoints.
 *
 * - Source: "manual input" in table 1 of paper 000; the manual mode of articles 002 and 003.
 * - Guarantee: exactly the checkpoints asked for, or a refusal that says which segment depends on what.
 * - Time and space O(V + E).
 * - Assumptions: none.
 * - Departures: a vertex that shares its tensor with others (an in-place ReLU after a convolution)
 *   stands for that tensor, whichever of them is named. Articles 002 and 003 also accept sets whose
 *   segments are not independent and pay with repeated recompute; here these are refused.
 */
export const manual: Strategy = {
  name: 'manual',
  title: 'Manual',
  source: 'Feng & Huang, CVPR 2021, table 1',
  guarantee: 'the checkpoints asked for',
  reads: { checkpoints: 'needs' },
  scalesWithBatch: true,
  hasPaperCost: true,
  plan(problem, options) {
    const ids = options.checkpoints;
    if (ids === undefined) return { applicable: false, reason: 'no checkpoints were named' };
    const chosen: number[] = [];
    for (let i = 0; i < ids.length; i++) {
      const tensor = tensorOfId(problem, ids[i] ?? '', `checkpoints[${i}]`);
      if (typeof tensor === 'string') return { applicable: false, reason: tensor };
      chosen.push(tensor);
    }
    const cost = paperCost(problem.view.tensors, chosen);
    if (cost.ok) return planFromCheckpoints(problem, chosen);
    const from = tensorId(problem, cost.sources[0] ?? 0);
    const to = tensorId(problem, cost.targets[0] ?? 0);
    return { applicable: false, reason: `${from} to ${to} is ${whyNotIndependent(problem, cost)}` };
  },
};

/** The vertex of the papers' graph that stores the output of an operation, or why there is none. */
function tensorOfId({ graph, view }: Problem, id: string, path: string): number | string {
  const v = vertexOf(graph, id);
  if (v < 0) {
    const near = nearestNames(id, graph.ids);
    const hint = near.length > 0 ? `; did you mean ${near.join(', ')}?` : '';
    throw new BadInputError(`no vertex is called "${id}"${hint}`, path);
  }
  const tensor = view.tensorOf[v] ?? -1;
  if (tensor >= 0) return tensor;
  const [consumer] = successorsOf(graph, v);
  return `${id} lies on the edge into ${idOf(graph, consumer ?? v)} and is not stored by itself: name that vertex`;
}
