import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { createProblem } from '../../../engine/problem.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { isTold, type Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { bytesChain } from '../../support/problems.ts';
import { createRng } from '../../support/rng.ts';
import { clock } from '../../support/search-limits.ts';

const rng = createRng(11);
const CHAIN: Problem = createProblem(
  bytesChain(Array.from({ length: 2500 }, () => 500 + rng.below(500))),
  'pytorch',
);
const SMALL = createProblem(buildModel('tiny-residual', { batch: 2 }), 'pytorch');
const SEARCHING = STRATEGIES.filter(
  (strategy) => strategy.reads.timeLimitSeconds !== undefined && isTold(strategy, { budgetBytes: 1 }),
);
/** Without those that ask HiGHS, which is not installed. */
const LIMITED = SEARCHING.filter(({ needsMilpSolver }) => needsMilpSolver !== true).map(({ name }) => name);

describe('a limit of time', () => {
  it('is read by every strategy that searches', () => {
    expect(SEARCHING.map(({ name }) => name)).toEqual([
      ...['chen-greedy', 'random', 'sequential', 'checkmate-rounding', 'live', 'budget', 'milp'],
    ]);
  });

  it.each(LIMITED)('%s: refuses an invalid number of seconds', (name) => {
    for (const timeLimitSeconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const bad = (): unknown => solveRow(SMALL, name, { seed: 0, budgetBytes: 1e9, timeLimitSeconds });
      expect(bad).toThrow(BadInputError);
      expect(bad).toThrow(/^timeLimitSeconds: expected a positive number of seconds, got [^.]+$/);
    }
  });

  it.each(LIMITED)('%s: ends at once with a valid plan, and reports skipped work', (name) => {
    const regular = solveRow(CHAIN, 'regular', { seed: 0 }).peakBytes ?? 0;
    const budgetBytes = Math.floor(regular / 2);
    const row = solveRow(CHAIN, name, { seed: 0, budgetBytes, timeLimitSeconds: 1, now: clock(900) });
    expect(row.applicable).toBe(true);
    // Its first budget keeps everything.
    expect(row.peakBytes).toBeLessThan(name === 'chen-greedy' ? regular + 1 : regular);
    if (name === 'budget') expect(row.peakBytes).toBeLessThanOrEqual(budgetBytes);
    expect(row.stopped).toMatchObject({ limitSeconds: 1, by: 'clock' });
    for (const { tried, of } of row.stopped?.unfinished ?? []) {
      if (of !== null) expect(tried).toBeLessThan(of);
    }
    const whole = solveRow(CHAIN, name, { seed: 0, budgetBytes });
    expect(whole.stopped).toBeUndefined();
    // Half of the bytes hold half of the values, and a little is needed for the others' segments.
    if (name === 'budget') expect(whole.recomputeFraction).toBeLessThan(0.55);
    if (name === 'live') expect(whole.peakBytes).toBeLessThan(row.peakBytes ?? 0);
  });

  it('counts work without a clock: the same plan for the same limit, better plans for more', () => {
    const peaks = [0.001, 0.02, 10].map((timeLimitSeconds) => {
      const rows = [0, 1].map(() => solveRow(CHAIN, 'live', { seed: 0, timeLimitSeconds }));
      expect(rows[0]?.schedule).toEqual(rows[1]?.schedule);
      expect(rows[0]?.stopped?.by).toBe(timeLimitSeconds < 1 ? 'work' : undefined);
      return rows[0]?.peakBytes ?? 0;
    });
    expect(peaks).toEqual([...peaks].sort((a, b) => b - a));
    expect(peaks[2]).toBeLessThan(peaks[0] ?? 0);
    // Whatever the limit, the papers' optimum is known.
    expect(peaks[0]).toBeLessThanOrEqual(solveRow(CHAIN, 'optimal', { seed: 0 }).peakBytes ?? 0);
  });

  it('gives the plan of no clock where the clock is not reached', () => {
    const plans = [undefined, clock(1e-6)].map((now) =>
      solveRow(SMALL, 'live', { seed: 0, ...(now === undefined ? {} : { now }) }),
    );
    expect(plans[0]?.schedule).toEqual(plans[1]?.schedule);
    expect(plans.map((plan) => plan.stopped)).toEqual([undefined, undefined]);
  });

  it('ends no search of the largest networks by default', () => {
    const problem = createProblem(buildModel('nasnet', { batch: 1 }), 'pytorch');
    const live = solveRow(problem, 'live', { seed: 0 });
    expect(live.stopped).toBeUndefined();
    const budgetBytes = (live.peakBytes ?? 0) * 2;
    expect(solveRow(problem, 'budget', { seed: 0, budgetBytes }).stopped).toBeUndefined();
  });
});
