import { simulateTotals } from '../../simulate/simulate.ts';
import { chenWalk, type ChenWalk } from './chen-walk.ts';
import { planFromCheckpoints, READS_CHECKPOINTING } from '../strategy/from-checkpoints.ts';
import { type SplittingChain, splittingChain, whyNoChain } from './splitting-chain.ts';
import type { Plan, Problem, Strategy, StrategyOptions } from '../strategy/strategy.ts';

/** Budgets that follow one from the other, then those of the grid. */
const FIRST = 3;
const GRID = 6;

/**
 * Chen's planning as his own program searches it: nine budgets, of which the plan of lowest memory is kept.
 *
 * - Source: Chen et al. 2016, Algorithm 3 and section 4.2; `search_plan(ntrial=6)` of the authors' program
 *   mxnet-memonger. The first budget is 0; twice the next is √(saved · largest / 2) of the plan before, `saved` its checkpoints
 *   and `largest` its largest segment but the last; then a grid of six from the least `largest` of the three plans to √2
 *   times what the third would give next, its lower end left out. The source counts to the first segment.
 * - Guarantee: none; never above its first budget, which keeps every vertex of the chain that costs anything.
 * - Time O(9 (V + E)) and 9 simulations; space O(V + E).
 * - Assumptions: none on costs.
 * - Departures: budgets in bytes, where the program rounds to whole MiB; every splitting vertex may be a
 *   checkpoint, where the program's user marks them; memory is the simulated peak, where the program asks
 *   MXNet's allocator. Unknown: which marks and whether this search the tables of papers 000 and 001 used;
 *   they say that all non-linear graphs were reduced to their splitting vertices by hand (001, section 5).
 */
export const chenMemonger: Strategy = {
  name: 'chen-memonger',
  title: 'Chen memonger',
  source: 'Chen et al., 2016, Algorithm 3, searched as by mxnet-memonger’s search_plan',
  cites: ['chen2016training'],
  guarantee: 'no guarantee: takes the lowest peak of nine budgets of the greedy rule',
  takeFor: 'a comparison with the results of Chen’s own program',
  reads: { ...READS_CHECKPOINTING },
  scalesWithBatch: false,
  hasPaperCost: true,
  plan(problem, options, control) {
    const chain = splittingChain(problem.view.tensors);
    const reason = whyNoChain(problem, chain);
    if (reason !== null) return { applicable: false, reason };
    const search = new Search(problem, options, chain);
    let budget = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let trial = 0; trial < FIRST; trial++) {
      control.tick(trial / (FIRST + GRID));
      const { saved, largest } = search.attempt(budget);
      least = Math.min(least, largest);
      budget = Math.floor(Math.sqrt((saved * largest) / 2));
    }
    const step = Math.floor((budget * Math.SQRT2 - least) / GRID);
    for (let trial = 1; trial <= GRID && step > 0; trial++) {
      control.tick((FIRST + trial - 1) / (FIRST + GRID));
      search.attempt(least + trial * step);
    }
    return search.best();
  },
};

class Search {
  readonly #problem: Problem;
  readonly #options: StrategyOptions;
  readonly #chain: SplittingChain;
  /** Plans by their checkpoints: several budgets make the same. */
  readonly #tried = new Set<string>();
  #plan: Plan | null = null;
  #peak = Number.POSITIVE_INFINITY;

  constructor(problem: Problem, options: StrategyOptions, chain: SplittingChain) {
    this.#problem = problem;
    this.#options = options;
    this.#chain = chain;
  }

  /** Makes the plan of a budget and keeps it where its peak is the lowest so far; the earlier one wins ties. */
  attempt(budget: number): ChenWalk {
    const { graph, memory, view } = this.#problem;
    const walk = chenWalk(view.tensors, this.#chain, budget, view.tensors.cost[0]);
    const key = walk.positions.join();
    if (this.#tried.has(key)) return walk;
    this.#tried.add(key);
    const checkpoints = walk.positions.map((i) => this.#chain.vertices[i]!);
    const plan = planFromCheckpoints(this.#problem, this.#options, checkpoints);
    const { peakBytes } = simulateTotals(graph, memory, plan.schedule);
    if (peakBytes < this.#peak) {
      this.#plan = plan;
      this.#peak = peakBytes;
    }
    return walk;
  }

  best(): Plan {
    return this.#plan ?? planFromCheckpoints(this.#problem, this.#options, []);
  }
}
