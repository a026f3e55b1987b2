import { lowerBound } from '../../bounds/lower-bound.ts';
import { exactBytes } from '../../bytes.ts';
import { InfeasibleError } from '../../errors.ts';
import { insertFrees } from '../../schedule/liveness.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { simulateTotals } from '../../simulate/simulate.ts';
import { checkpointsOf } from '../search/candidate.ts';
import { type LiveModel, liveModel } from '../search/live-model.ts';
import { givenOrder } from '../search/orders.ts';
import { peakOfOptimal } from '../optimal/peak-of-optimal.ts';
import { budgetOf } from '../options.ts';
import { regularFigures } from '../regular.ts';
import type { Control, OpenSource, Plan, Problem, Strategy } from '../strategy/strategy.ts';
import { MAX_LOOKED_AT } from './least-scored.ts';
import { OnlineRun } from './online-run.ts';

/** Halvings between what runs out and what does not, to say what would do. */
const MAX_HALVINGS = 12;
/** Up to so many storages halvings take less than a second. */
const MAX_HALVED = 1000;
/** About a minute of evictions at one budget. */
const MAX_STORAGES = 2_000_000;

/**
 * Dynamic tensor rematerialisation: no plan at all, but a runtime that evicts by a score when memory is full and computes
 * again what it finds missing.
 *
 * - Source: Kirisame et al., Dynamic Tensor Rematerialization, ICLR 2021; its score `h_DTR^eq` and eager eviction.
 * - Guarantee: fits the budget, as the simulator judges, or is refused; nothing is said of its recompute.
 * - Time O(evictions x storages) up to 3,000 storages, near-linear above (least-scored.ts); space O(V + E).
 * - Assumptions: none; an operation's cost is its FLOPs, so its clock is work.
 * - Departures: what it evicts later is freed after its last use before that, which an online runtime cannot know;
 *   gradients are not evicted. Above 3,000 storages scores are renewed for a share of evictions. Without a budget it takes the peak of `optimal`, or the least it reaches.
 */
export const dtr: Strategy = {
  name: 'dtr',
  title: 'DTR',
  source: 'Kirisame et al., Dynamic Tensor Rematerialization, 2021',
  cites: ['kirisame2021dynamic'],
  guarantee: 'fits the budget without planning: evicts tensors that are cheap, large and long unused',
  takeFor: 'a comparison with an online runtime, or a network too large to plan',
  reads: { budgetBytes: 'takes' },
  asSource: {
    maxVertices: 500_000,
    looks: (vertices) => (vertices <= MAX_LOOKED_AT ? 25 * vertices : 2500) * vertices,
    open: (problem) => new Dtr(problem),
  },
  scalesWithBatch: false,
  hasPaperCost: false,
  plan(problem, options, control) {
    const runtime = new Dtr(problem);
    if (runtime.storages > MAX_STORAGES) {
      const reason = `${runtime.storages} storages are too many to simulate the runtime; try chen-greedy or budget`;
      return { applicable: false, reason };
    }
    const asked = budgetOf(options);
    const budget = asked ?? peakOfOptimal(problem, options, control);
    const found = runtime.within(budget, control);
    if (found !== null) return planOf(problem, found);
    const least = runtime.smallest(control);
    const { peakBytes } = simulateTotals(problem.graph, problem.memory, least);
    if (asked === undefined || peakBytes <= asked) return planOf(problem, least);
    throw new InfeasibleError(
      `dtr runs out of memory within ${exactBytes(asked)}; the smallest peak it found is ${exactBytes(peakBytes)}`,
      peakBytes,
    );
  },
};

/** Budgets of which a list has plans. */
const LISTED = 24;

/** The runtime on one problem, at any number of budgets; what they share is built once. */
export class Dtr implements OpenSource {
  readonly #problem: Problem;
  readonly #model: LiveModel;

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#model = liveModel(problem.graph, problem.memory, givenOrder(problem.graph));
  }

  get storages(): number {
    return this.#model.items;
  }

  /** The schedule that the runtime makes of a budget; null where it runs out of memory. */
  within(bytes: number, control: Control): Schedule | null {
    const schedule = new OnlineRun(this.#model, bytes, control).run();
    if (schedule === null) return null;
    const { graph, memory } = this.#problem;
    const whole = insertFrees(graph, memory, schedule);
    return simulateTotals(graph, memory, whole).peakBytes <= bytes ? whole : null;
  }

  /** At budgets between the lower bound and regular training's peak. */
  *all(control: Control): Generator<Schedule> {
    const low = lowerBound(this.#problem).bytes;
    const high = regularFigures(this.#problem).peakBytes;
    for (let i = 0; i < LISTED; i++) {
      const found = this.within(Math.ceil(low + ((high - low) * i) / LISTED), control);
      if (found !== null) yield found;
    }
    yield this.smallest(control);
  }

  /** The same as `smallest`; null for larger graphs. */
  least(control: Control): Schedule | null {
    return this.storages > MAX_HALVED ? null : this.smallest(control);
  }

  /** Schedule of the smallest budget that works, by halving between the lower bound and regular training's peak. */
  smallest(control: Control): Schedule {
    const run = (bytes: number): Schedule | null => this.within(bytes, control);
    let low = lowerBound(this.#problem).bytes - 1;
    let high = Math.max(regularFigures(this.#problem).peakBytes, low);
    // The runtime may count more bytes than the simulator does.
    let found = run(high) ?? run(2 * high) ?? run(Number.POSITIVE_INFINITY)!;
    for (let i = 0; i < MAX_HALVINGS && high - low > 1; i++) {
      const middle = Math.floor((low + high) / 2);
      const schedule = run(middle);
      if (schedule === null) low = middle;
      else [high, found] = [middle, schedule];
    }
    return found;
  }
}

const planOf = ({ graph }: Problem, schedule: Schedule): Plan => ({
  applicable: true,
  checkpoints: checkpointsOf(schedule, graph.size),
  schedule,
  paperCostBytes: null,
});
