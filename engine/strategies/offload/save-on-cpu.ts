import { BACKWARD } from '../../schedule/schedule.ts';
import { checkpointsOf } from '../search/candidate.ts';
import { linkOf } from '../options.ts';
import { regularSchedule } from '../regular.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { computingOf } from './idle-gaps.ts';
import { LINK_NEEDED } from './offload.ts';
import { withTransfers } from './transfers.ts';

/**
 * Sends every activation that backward needs to host memory after its last use in forward, and fetches it where
 * backward reads it: what others are compared to.
 *
 * - Source: `torch.autograd.graph.save_on_cpu` of PyTorch, around a whole training step.
 * - Guarantee: no recompute.
 * - Time and space O(V + E).
 * - Assumptions: none.
 * - Departures: what several operations save is copied once, and what the next step reads stays. Each copy is waited for,
 *   as PyTorch does without pinned memory: a link that overlaps changes nothing.
 */
export const saveOnCpu: Strategy = {
  name: 'save-on-cpu',
  title: 'Save on CPU',
  source: 'PyTorch, torch.autograd.graph.save_on_cpu',
  cites: ['paszke2019pytorch'],
  guarantee: 'recomputes nothing; tensors for backward wait in host memory',
  takeFor: 'a comparison with PyTorch’s hook of this name, over a fast link',
  reads: { link: 'needs' },
  scalesWithBatch: true,
  hasPaperCost: false,
  plan(problem, options) {
    if (linkOf(options) === undefined) return { applicable: false, reason: LINK_NEEDED };
    const computing = computingOf(problem, regularSchedule(problem));
    const turn = computing.compute.kinds.indexOf(BACKWARD);
    const saved = computing.gaps.filter(({ from, to }) => from < turn && to >= turn);
    // A budget of nothing leaves no copy longer than it must stay.
    const schedule = withTransfers(problem, computing, saved, 0);
    return {
      applicable: true,
      checkpoints: checkpointsOf(schedule, problem.graph.size),
      schedule,
      paperCostBytes: null,
    };
  },
};
