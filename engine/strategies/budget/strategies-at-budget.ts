import { InfeasibleError } from '../../errors.ts';
import { type Candidate, judge } from '../search/candidate.ts';
import { STRATEGIES } from '../registry.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import { isTold, type Problem, type Strategy, type StrategyOptions } from '../strategy/strategy.ts';

/** Vertices up to which those are asked that say nothing of it. */
const MAX_VERTICES = 400;
/** For those that search as long as they may, at each budget. */
const SECONDS = 0.2;
/** Their searches are the front's own. */
const OWN: readonly string[] = ['live', 'budget'];
const LOOKS_A_TICK = 100_000;

/**
 * What every strategy finds by itself that can be asked on a graph of this size, at each of the budgets where it takes one:
 * whatever is registered, so that a front misses no point of a strategy that came later.
 *
 * @param tick hears the share done
 */
export function* strategiesAtBudgets(
  problem: Problem,
  budgets: readonly number[],
  { seed, search, tick }: { seed: number; search: SearchLimit; tick: (done: number) => void },
): Generator<Candidate> {
  const { size } = problem.graph;
  const asked = STRATEGIES.filter(
    (strategy) =>
      !OWN.includes(strategy.name) &&
      strategy.needsMilpSolver === undefined &&
      size <= (strategy.frontSize ?? MAX_VERTICES) &&
      isTold(strategy, { seed, budgetBytes: 1 }),
  );
  for (const [i, strategy] of asked.entries()) {
    const told = strategy.reads.budgetBytes === undefined ? [undefined] : budgets;
    for (const [k, budgetBytes] of told.entries()) {
      if (search.isReached) return;
      tick((i + k / told.length) / asked.length);
      const options = budgetBytes === undefined ? { seed } : { seed, budgetBytes };
      const found = foundBy(strategy, problem, { ...options, timeLimitSeconds: SECONDS }, search);
      if (found !== null) yield found;
    }
  }
}

function foundBy(
  strategy: Strategy,
  problem: Problem,
  options: StrategyOptions,
  search: SearchLimit,
): Candidate | null {
  // Their own progress is not that of the whole.
  const control = { tick: () => void search.look(LOOKS_A_TICK) };
  try {
    const plan = strategy.plan(problem, options, control);
    return plan.applicable ? judge(problem, plan.schedule) : null;
  } catch (error) {
    if (error instanceof InfeasibleError) return null;
    throw error;
  }
}
