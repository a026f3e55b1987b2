import { describe, expect, it } from 'vitest';
import { ExhaustiveSchedules } from '../../../../engine/bounds/exhaustive-schedules.ts';
import { lowerBound } from '../../../../engine/bounds/lower-bound.ts';
import type { Schedule } from '../../../../engine/schedule/schedule.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { ExactSearch, exactApplies } from '../../../../engine/strategies/exact/exact.ts';
import type { SearchLimit } from '../../../../engine/strategies/search/search-limit.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { exhaustiveLeast } from '../../../support/exhaustive-live.ts';
import { measuredProblems } from '../../../support/measured-graphs.ts';
import { bytesChain, bytesProblem } from '../../../support/problems.ts';
import { createProblem } from '../../../../engine/problem.ts';

const INFINITE = Number.POSITIVE_INFINITY;

function figuresOf(problem: Problem, schedule: Schedule | null | undefined): [number, number] {
  if (schedule == null) throw new Error('no schedule');
  const { peakBytes, recomputeWork } = simulate(problem.graph, problem.memory, schedule);
  return [peakBytes, recomputeWork];
}

describe('the exact search over all schedules', () => {
  it('equals an exhaustive one in the least peak, and in the least recompute at any budget', () => {
    for (const [name, problem] of measuredProblems(300, 64, { most: 7 })) {
      const exact = new ExactSearch(problem, unlimited());
      const every = new ExhaustiveSchedules(problem);
      const found = exact.leastPeak(INFINITE, lowerBound(problem).bytes);
      const [peak] = figuresOf(problem, found?.schedule);
      expect(peak, name).toBe(every.lowestPeak());
      for (const budget of [peak, peak + 1, Math.ceil(1.3 * peak)]) {
        const least = exact.leastWork(budget, INFINITE);
        const [held, work] = figuresOf(problem, least?.schedule);
        expect(held, name).toBeLessThanOrEqual(budget);
        expect(work, name).toBe(every.leastRecompute(budget));
      }
    }
  });

  it('reports a bound that cannot be beaten', () => {
    const problem = bytesProblem([1, 2, 2], '0>1 1>2');
    const exact = new ExactSearch(problem, unlimited());
    const [peak] = figuresOf(problem, exact.leastPeak(INFINITE, 0)?.schedule);
    expect(exact.leastPeak(peak, 0)).toEqual({ schedule: null });
    expect(exact.leastWork(peak - 1, INFINITE)).toEqual({ schedule: null });
    expect(exact.twice({ peakBytes: peak, recomputeWork: 0 }, 0)).toEqual({ schedule: null });
  });

  it('beats a bound of work that is a little too high, and no other', () => {
    // Regular training holds 24.
    const problem = bytesProblem([1, 2, 3, 4, 5], '0>1 1>2 2>3 3>4');
    const exact = new ExactSearch(problem, unlimited());
    const [, least] = figuresOf(problem, exact.leastWork(19, INFINITE)?.schedule);
    expect(least).toBe(new ExhaustiveSchedules(problem).leastRecompute(19));
    expect(least).toBeGreaterThan(0);
    expect(exact.leastWork(19, least)).toEqual({ schedule: null });
    expect(figuresOf(problem, exact.leastWork(19, least + 1)?.schedule)[1]).toBe(least);
  });

  it('is for graphs of up to twelve vertices whose order nobody keeps to', () => {
    const chain = (size: number) => createProblem(bytesChain(new Array<number>(size).fill(1)), 'pytorch');
    expect(exactApplies(chain(12))).toBe(true);
    expect(exactApplies(chain(13))).toBe(false);
    const ordered = chain(5);
    expect(exactApplies({ ...ordered, graph: { ...ordered.graph, keepsOrder: true } })).toBe(false);
    expect(exactApplies({ ...ordered, graph: { ...ordered.graph, keepsOrder: false } })).toBe(true);
  });

  it('stops at its time limit', () => {
    const exact = new ExactSearch(bytesProblem([1, 2, 2, 3], '0>1 1>2 2>3'), ended());
    expect(exact.leastPeak(INFINITE, 0)).toBeNull();
    expect(exact.leastWork(INFINITE, INFINITE)).toBeNull();
    expect(exact.twice({ peakBytes: INFINITE, recomputeWork: INFINITE }, 0)).toBeNull();
    expect(exact.twice({ peakBytes: 8, recomputeWork: 5 }, 8)).toBeNull();
  });
});

describe('an exact search that may be ended', () => {
  /** A search that may look at so many states. */
  function looking(states: number): SearchLimit {
    const limit = unlimited();
    let asked = 0;
    limit.look = () => ++asked > states;
    return limit;
  }

  it('stops at any tick', () => {
    const problem = bytesProblem([1, 3, 2, 2, 3, 1], '0>1 1>2 1>3 2>4 3>4 4>5');
    const anything = { peakBytes: INFINITE, recomputeWork: INFINITE };
    const run = (states: number) => new ExactSearch(problem, looking(states)).twice(anything, 0);
    let needed = 0;
    while (run(needed) === null) needed++;
    expect(needed).toBeGreaterThan(50);
    const { peak, work } = exhaustiveLeast(problem);
    expect(figuresOf(problem, run(needed)?.schedule)).toEqual([peak, work]);
  });

  it('does nothing if the bound is already optimal', () => {
    const problem = bytesProblem([1, 2, 2, 3], '0>1 1>2 2>3');
    const exact = new ExactSearch(problem, ended());
    expect(exact.twice({ peakBytes: 8, recomputeWork: 0 }, 8)).toEqual({ schedule: null });
    expect(exact.twice({ peakBytes: 8, recomputeWork: 0 }, 9)).toEqual({ schedule: null });
  });
});

describe('the exact search that forwards no vertex more than twice', () => {
  it('equals an exhaustive one in the least peak and the least recompute at it', () => {
    for (const [name, problem] of measuredProblems(200, 62, { most: 5 })) {
      const { peak, work } = exhaustiveLeast(problem);
      const exact = new ExactSearch(problem, unlimited());
      const anything = { peakBytes: INFINITE, recomputeWork: INFINITE };
      const found = exact.twice(anything, lowerBound(problem).bytes);
      expect(figuresOf(problem, found?.schedule), name).toEqual([peak, work]);
      // A floor far below changes nothing.
      expect(figuresOf(problem, exact.twice(anything, 0)?.schedule), name).toEqual([peak, work]);
      expect(exact.twice({ peakBytes: peak, recomputeWork: work }, 0), name).toEqual({ schedule: null });
      const sameSize = exact.twice({ peakBytes: peak, recomputeWork: work + 1 }, 0);
      expect(figuresOf(problem, sameSize?.schedule), name).toEqual([peak, work]);
      const worse = exact.twice({ peakBytes: peak + 1, recomputeWork: 0 }, 0);
      expect(figuresOf(problem, worse?.schedule), name).toEqual([peak, work]);
    }
  });

  it('does not search below a floor that a known plan reaches', () => {
    const problem = bytesProblem([1, 2, 3, 4, 5], '0>1 1>2 2>3 3>4');
    const { peak, work } = exhaustiveLeast(problem);
    const exact = new ExactSearch(problem, unlimited());
    expect(
      figuresOf(problem, exact.twice({ peakBytes: peak, recomputeWork: work + 1 }, peak)?.schedule),
    ).toEqual([peak, work]);
    expect(exact.twice({ peakBytes: peak + 3, recomputeWork: 0 }, peak + 3)).toEqual({ schedule: null });
  });
});
