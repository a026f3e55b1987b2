import { lowerBound } from '../../bounds/lower-bound.ts';
import { exactBytes, formatBytes } from '../../bytes.ts';
import { InfeasibleError } from '../../errors.ts';
import { Planner } from '../planner/planner.ts';
import { checkpointsOf } from '../search/candidate.ts';
import { BUDGET_NEEDED, budgetOf, linkOf } from '../options.ts';
import { regularSchedule } from '../regular.ts';
import { READS_TIME_LIMIT, SearchLimit } from '../search/search-limit.ts';
import type { Problem, Strategy } from '../strategy/strategy.ts';
import { JointSearch } from './joint-search.ts';

/** Budgets between the one asked for and no recompute, whose plans are brought within it by transfers. */
const BUDGETS = 10;
/** And next to the best of them. */
const NEARER = 6;

export const LINK_NEEDED =
  'It needs the speed of the link to host memory in GB/s (--link), such as 12 for 16 lanes of PCIe 3.0.';

/**
 * Keeps, recomputes or sends each activation to host memory, for the least predicted time of a step within a budget.
 *
 * - Source: Zigzag. The joint choice after POFO (Beaumont et al. 2021), sending what is needed last after vDNN
 *   (Rhu et al. 2016) and SuperNeurons (Wang et al. 2018), measured copies against measured recomputing after Capuchin
 *   (Peng et al. 2020); what transfers mean after PyTorch's `save_on_cpu`.
 * - Guarantee: fits the budget, as the simulator judges; predicted to take no longer than the plan of `budget` at the
 *   same limit, nor than regular training with what it sends by any of the rules of choose.ts.
 * - Time: that of `budget` at about 18 budgets, O(V log V) for each of their plans, and up to 1,200 further choices.
 *   Space O(V + E).
 * - Assumptions: operations take what engine/limits/throughput.ts says, copies their bytes at the link's rate.
 * - Departures: POFO is an optimum on chains; here plans of least recompute at larger budgets are brought within the
 *   budget by transfers of what they keep, on any graph. Auxiliaries stay on the device.
 */
export const offload: Strategy = {
  name: 'offload',
  title: 'Offload',
  source:
    'Zigzag; the joint choice after Beaumont et al., 2021, what is sent after Rhu et al., 2016, Wang et al., 2018, and Peng et al., 2020; transfers as in PyTorch',
  cites: [
    'beaumont2021efficient',
    'rhu2016vdnn',
    'peng2020capuchin',
    'wang2018superneurons',
    'paszke2019pytorch',
  ],
  guarantee:
    'fits the budget in no more predicted time than the strategy budget; moves some tensors to host memory',
  takeFor: 'a device with a link to host memory, where copies may be faster than recomputing',
  reads: { seed: 'takes', budgetBytes: 'needs', ...READS_TIME_LIMIT, link: 'needs', linkCopies: 'takes' },
  scalesWithBatch: false,
  hasPaperCost: false,
  plan(problem, options, control) {
    const { graph } = problem;
    const device = linkOf(options);
    if (device === undefined) return { applicable: false, reason: LINK_NEEDED };
    const budget = budgetOf(options);
    if (budget === undefined) return { applicable: false, reason: BUDGET_NEEDED };
    if (!graph.flops.some((flops) => flops > 0)) {
      return {
        applicable: false,
        reason: `${graph.name} has no FLOPs, so the time of its operations is unknown.`,
      };
    }
    const limit = new SearchLimit(options, control);
    const joint = new JointSearch(problem, budget, device, limit);
    const refusal = offerPlans(problem, budget, options.seed, joint, limit);
    limit.part(0.8, 1, () => joint.improve((done) => limit.tick(done)));
    const { best } = joint;
    if (best === null) throw infeasible(problem, budget, joint, refusal);
    limit.tick(1);
    return {
      applicable: true,
      checkpoints: checkpointsOf(best.schedule, graph.size),
      schedule: best.schedule,
      paperCostBytes: null,
      ...limit.ending,
    };
  },
};

/**
 * Plans that recompute, `budget`'s own first and as it finds it, then those at larger budgets.
 * @returns why `budget` has none at this budget, or null
 */
function offerPlans(
  problem: Problem,
  budget: number,
  seed: number,
  joint: JointSearch,
  limit: SearchLimit,
): InfeasibleError | null {
  const planner = new Planner(problem, limit, seed);
  let refusal: InfeasibleError | null = null;
  limit.part(0, 0.6, () => {
    try {
      joint.offer(planner.within(budget).schedule);
    } catch (error) {
      if (!(error instanceof InfeasibleError)) throw error;
      refusal = error;
    }
  });
  joint.offer(regularSchedule(problem));
  joint.offer(planner.regular.schedule);
  joint.offer(planner.lowest.schedule);
  const budgets = { low: Math.max(budget, planner.lowest.peakBytes), high: planner.regular.peakBytes };
  offerAbove(budgets, limit, (above) => {
    planner.nearby(above);
    const found = planner.front.within(above);
    return found === null ? Number.POSITIVE_INFINITY : joint.offer(found.schedule);
  });
  const known = planner.front.plans;
  for (const [i, { schedule }] of known.entries()) {
    if (limit.isReached) {
      limit.leave('starts', i, known.length);
      break;
    }
    joint.offer(schedule);
  }
  return refusal;
}

/** Budgets spread between two, then more of them next to the one whose plan came out fastest. */
function offerAbove(
  { low, high }: { readonly low: number; readonly high: number },
  limit: SearchLimit,
  secondsAt: (budget: number) => number,
): void {
  if (low >= high) return;
  const tried: { readonly at: number; readonly seconds: number }[] = [];
  for (let i = 0; i < BUDGETS + NEARER; i++) {
    if (limit.isReached) {
      limit.leave('budgets', i, BUDGETS + NEARER);
      return;
    }
    const at = i < BUDGETS ? 1 - (i + 0.5) / BUDGETS : nearBest(tried);
    const above = Math.floor(low * (high / low) ** at);
    const part = 0.2 / (BUDGETS + NEARER);
    limit.part(0.6 + i * part, 0.6 + (i + 1) * part, () => tried.push({ at, seconds: secondsAt(above) }));
  }
}

/** The middle of the wider of the gaps beside the fastest. */
function nearBest(tried: readonly { readonly at: number; readonly seconds: number }[]): number {
  const sorted = [...tried].sort((a, b) => a.at - b.at);
  const best = sorted.reduce((least, one, i) => (one.seconds < sorted[least]!.seconds ? i : least), 0);
  const { at } = sorted[best]!;
  const below = sorted[best - 1]?.at ?? 0;
  const above = sorted[best + 1]?.at ?? 1;
  return above - at > at - below ? (at + above) / 2 : (at + below) / 2;
}

function infeasible(
  problem: Problem,
  budget: number,
  { reach }: JointSearch,
  refusal: InfeasibleError | null,
): InfeasibleError {
  const recomputing = refusal?.leastBytes ?? Number.POSITIVE_INFINITY;
  const least = Math.min(reach, recomputing);
  return new InfeasibleError(
    `no known schedule fits ${formatBytes(budget)}, even with transfers: the least reachable is ` +
      `${exactBytes(least)}, with ${reach < recomputing ? 'offload' : 'budget'}; every schedule needs ` +
      `${exactBytes(lowerBound(problem).bytes)} or more`,
    least,
  );
}
