import { describe, expect, it } from 'vitest';
import { ExhaustiveSchedules } from '../../../../engine/bounds/exhaustive-schedules.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { RepeatedRecompute } from '../../../../engine/strategies/search/repeated-recompute.ts';
import { LeastRecompute } from '../../../../engine/strategies/budget/least-recompute.ts';
import { liveModel } from '../../../../engine/strategies/search/live-model.ts';
import { givenOrder } from '../../../../engine/strategies/search/orders.ts';
import { isTwiceAtMost } from '../../../../engine/strategies/search/candidate.ts';
import { regularFigures } from '../../../../engine/strategies/regular.ts';
import { solveRow } from '../../../../engine/strategies/solve.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { fewest } from '../../../support/draws.ts';
import { measuredProblems } from '../../../support/measured-graphs.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';

function schedulesOf(problem: Problem, search = unlimited()): RepeatedRecompute {
  const model = liveModel(problem.graph, problem.memory, givenOrder(problem.graph));
  return new RepeatedRecompute(problem, model, new LeastRecompute(model, unlimited()).starts, search);
}

describe('schedules that forget', () => {
  it('are what the simulator accepts, within the budget, and never below the least recompute there is', () => {
    let [judged, filled] = [0, 0];
    for (const [name, problem] of measuredProblems(300, 61, { least: 6, most: 8 })) {
      const { graph, memory } = problem;
      const schedules = schedulesOf(problem);
      for (const { schedule, peakBytes, recomputeWork } of schedules.all) {
        const again = simulate(graph, memory, schedule);
        expect([again.peakBytes, again.recomputeWork], name).toEqual([peakBytes, recomputeWork]);
      }
      const budget = Math.ceil(0.85 * regularFigures(problem).peakBytes);
      const found = budget === 0 ? null : schedules.within(budget);
      if (found === null) continue;
      expect(found.peakBytes, name).toBeLessThanOrEqual(budget);
      const fitting = schedules.all.filter(({ peakBytes }) => peakBytes <= budget);
      const best = Math.min(...fitting.map(({ recomputeWork }) => recomputeWork));
      expect(found.recomputeWork, name).toBeLessThanOrEqual(best);
      expect(found.recomputeWork, name).toBeGreaterThanOrEqual(
        new ExhaustiveSchedules(problem).leastRecompute(budget),
      );
      judged++;
      if (found.recomputeWork < best) filled++;
    }
    expect(judged).toBeGreaterThan(fewest(30));
    expect(filled).toBeGreaterThan(fewest(3));
  });

  it('let budget recompute cheap operations several times where once is not enough', () => {
    const problem = createProblem(buildModel('resnet34', { batch: 1 }), 'pytorch');
    const budgetBytes = Math.floor(0.5 * regularFigures(problem).peakBytes);
    const row = solveRow(problem, 'budget', { seed: 0, budgetBytes, timeLimitSeconds: 60 });
    expect(row.peakBytes).toBeLessThanOrEqual(budgetBytes);
    // With each tensor recomputed once it was 3.6 % of a forward.
    expect(row.recomputeFraction).toBeLessThan(0.01);
    expect(isTwiceAtMost(row.schedule!, problem.graph.size)).toBe(false);
  });

  it('are as many as there is time for', () => {
    const problem = createProblem(buildModel('resnet18', { batch: 1 }), 'pytorch');
    const all = schedulesOf(problem).all.length;
    expect(all).toBeGreaterThan(20);
    expect(schedulesOf(problem, ended()).all.length).toBeLessThan(all);
  });
});
