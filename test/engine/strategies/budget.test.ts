import { describe, expect, it } from 'vitest';
import { BadInputError, CancelledError, InfeasibleError } from '../../../engine/errors.ts';
import { type Timeline, simulate } from '../../../engine/simulate/simulate.ts';
import { budget } from '../../../engine/strategies/budget/budget.ts';
import { type ParetoPoint, paretoFront } from '../../../engine/strategies/budget/pareto-front.ts';
import { live } from '../../../engine/strategies/live/live.ts';
import { memoryPoor } from '../../../engine/strategies/memory-poor.ts';
import { optimal } from '../../../engine/strategies/optimal/optimal.ts';
import { regular } from '../../../engine/strategies/regular.ts';
import { NO_CONTROL, type Problem, type Strategy } from '../../../engine/strategies/strategy/strategy.ts';
import { randomProblems } from '../../support/problems.ts';

function run(strategy: Strategy, problem: Problem, budgetBytes?: number): Timeline {
  const options = budgetBytes === undefined ? { seed: 1 } : { seed: 1, budgetBytes };
  const plan = strategy.plan(problem, options, NO_CONTROL);
  if (!plan.applicable) throw new Error(plan.reason);
  return simulate(problem.graph, problem.memory, plan.schedule);
}

describe('budget', () => {
  it('fits, and recomputes no more than any other strategy that fits', () => {
    for (const [name, problem] of randomProblems(120, 51, 13)) {
      const others = [regular, live, optimal, memoryPoor].map((strategy) => run(strategy, problem));
      const peaks = others.map((timeline) => timeline.peakBytes);
      const least = Math.min(...peaks);
      for (const share of [0, 0.5, 1]) {
        const bytes = Math.floor(least + share * (Math.max(...peaks) - least));
        const found = run(budget, problem, bytes);
        expect(found.peakBytes, name).toBeLessThanOrEqual(bytes);
        for (const other of others.filter((timeline) => timeline.peakBytes <= bytes)) {
          expect(found.recomputeWork, name).toBeLessThanOrEqual(other.recomputeWork);
        }
      }
    }
  });

  it('says what is least where a budget cannot be met', () => {
    for (const [name, problem] of randomProblems(60, 52)) {
      const bytes = problem.memory.outputBytes[0]!;
      expect(() => run(budget, problem, Math.max(1, bytes * 0.9)), name).toThrow(InfeasibleError);
      try {
        run(budget, problem, Math.max(1, bytes * 0.9));
      } catch (error) {
        const least = Number(
          /least reachable is (?:[\d.]+ \w+ \()?(\d+) bytes\)?, with \S/.exec(String(error))?.[1],
        );
        expect(run(budget, problem, least).peakBytes, name).toBeLessThanOrEqual(least);
      }
    }
  });

  it('refuses what is not a budget, and says that it needs one', () => {
    const [[, problem]] = [...randomProblems(1, 53)] as [[string, Problem]];
    expect(() => run(budget, problem, Number.NaN)).toThrow(BadInputError);
    expect(budget.plan(problem, { seed: 1 }, NO_CONTROL)).toMatchObject({ applicable: false });
  });
});

describe('the Pareto front', () => {
  it('tells the front while it is found: no plan ever beats another, the last front is the answer', () => {
    for (const [name, problem] of randomProblems(20, 54)) {
      const heard: (readonly ParetoPoint[])[] = [];
      const answer = paretoFront(problem, NO_CONTROL, (front) => heard.push(front));
      expect(heard.at(-1), name).toEqual(answer);
      for (const front of heard) {
        front.slice(1).forEach((point, i) => {
          expect(point.peakBytes, name).toBeLessThan(front[i]!.peakBytes);
          expect(point.recomputeFraction, name).toBeGreaterThan(front[i]!.recomputeFraction);
        });
      }
      for (const early of heard.flat()) {
        const beats = answer.some(
          (point) => point.peakBytes <= early.peakBytes && point.recomputeFraction <= early.recomputeFraction,
        );
        expect(beats, name).toBe(true);
      }
    }
  });

  it('falls from no recompute to the lowest peak, strictly in both figures', () => {
    for (const [name, problem] of randomProblems(120, 54, 14)) {
      const front = paretoFront(problem, NO_CONTROL);
      expect(front[0]?.recomputeFraction, name).toBe(0);
      expect(front[0]!.peakBytes, name).toBeLessThanOrEqual(run(regular, problem).peakBytes);
      const lowest = Math.min(run(live, problem).peakBytes, run(memoryPoor, problem).peakBytes);
      expect(front[front.length - 1]!.peakBytes, name).toBeLessThanOrEqual(lowest);
      front.forEach((point, i) => {
        const timeline = simulate(problem.graph, problem.memory, point.plan.schedule);
        expect(timeline.peakBytes, name).toBe(point.peakBytes);
        expect(timeline.recomputeFraction, name).toBeCloseTo(point.recomputeFraction, 9);
        if (i === 0) return;
        expect(point.peakBytes, name).toBeLessThan(front[i - 1]!.peakBytes);
        expect(point.recomputeFraction, name).toBeGreaterThan(front[i - 1]!.recomputeFraction);
      });
    }
  });

  it('reports growing progress and stops when it is asked to', () => {
    const [[, problem]] = [...randomProblems(1, 55, 14)] as [[string, Problem]];
    const shares: number[] = [];
    paretoFront(problem, { tick: (done) => void shares.push(done) });
    expect(shares.every((share, i) => share <= 1 && share >= (shares[i - 1] ?? 0))).toBe(true);
    for (const after of [1, 5, Math.floor(shares.length / 2)]) {
      let ticks = 0;
      const control = {
        tick: () => {
          if (++ticks >= after) throw new CancelledError();
        },
      };
      expect(() => paretoFront(problem, control)).toThrow(CancelledError);
    }
  });
});
