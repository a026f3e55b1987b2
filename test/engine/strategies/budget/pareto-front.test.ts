import { describe, expect, it } from 'vitest';
import { ExhaustiveSchedules } from '../../../../engine/bounds/exhaustive-schedules.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { type ParetoPoint, paretoFront } from '../../../../engine/strategies/budget/pareto-front.ts';
import { Planner } from '../../../../engine/strategies/planner/planner.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { workChain } from '../../../support/live-models.ts';
import { unlimited } from '../../../support/search-limits.ts';
import { measuredProblems } from '../../../support/measured-graphs.ts';

const figures = (front: readonly ParetoPoint[]): number[][] =>
  front.map(({ peakBytes, recomputeFraction }) => [peakBytes, recomputeFraction]);

/** The whole trade-off by exhaustive search, as shares of one forward. */
function exhaustive(problem: Problem, most: number): number[][] {
  const every = new ExhaustiveSchedules(problem);
  const { flops, bytes } = problem.graph;
  const total = (flops.some((f) => f > 0) ? flops : bytes).reduce(
    (sum, work, v) => sum + (v > 0 ? work : 0),
    0,
  );
  const points: number[][] = [];
  for (let budget = most; budget > 0; budget--) {
    const work = every.leastRecompute(budget);
    if (!Number.isFinite(work)) break;
    const fraction = total > 0 ? work / total : 0;
    if (points.at(-1)?.[1] === fraction) points.pop();
    points.push([budget, fraction]);
  }
  return points;
}

function totalWork({ graph: { flops, bytes } }: Problem): number {
  return (flops.some((f) => f > 0) ? flops : bytes).reduce((sum, work, v) => sum + (v > 0 ? work : 0), 0);
}

describe('paretoFront', () => {
  it('is the whole trade-off of little graphs', () => {
    for (const problem of [
      workChain([1, 3, 2, 4, 1], []),
      workChain([1, 3, 2, 4, 2, 1], [0, 5, 1, 7, 2, 3]),
      workChain([2, 2, 3, 2, 3, 1], [9, 2, 2, 2, 2, 2]),
    ]) {
      const front = paretoFront(problem, NO_CONTROL);
      expect(figures(front)).toEqual(exhaustive(problem, front[0]!.peakBytes));
      expect(front[0]!.recomputeFraction).toBe(0);
      for (const { plan, peakBytes, recomputeFraction } of front) {
        expect(plan.applicable).toBe(true);
        const timeline = simulate(problem.graph, problem.memory, plan.schedule);
        expect([timeline.peakBytes, timeline.recomputeFraction]).toEqual([peakBytes, recomputeFraction]);
        expect(plan.paperCostBytes).toBeNull();
      }
    }
  });

  it('names what each plan keeps to its end', () => {
    const front = paretoFront(workChain([1, 3, 2, 4, 2, 1], [0, 5, 1, 7, 2, 3]), NO_CONTROL);
    const [first] = front;
    if (!first!.plan.applicable) throw new Error('no plan');
    expect(first!.plan.checkpoints).toEqual([]);
    expect(front.slice(1).some(({ plan }) => plan.applicable && plan.checkpoints.length > 0)).toBe(true);
  });

  it('lies on that of any little graph at every point', () => {
    for (const [name, problem] of measuredProblems(80, 108, { most: 5 })) {
      const every = new ExhaustiveSchedules(problem);
      const front = paretoFront(problem, NO_CONTROL);
      expect(front.at(-1)!.peakBytes, name).toBe(every.lowestPeak());
      const { flops, bytes } = problem.graph;
      const total = (flops.some((f) => f > 0) ? flops : bytes).reduce(
        (sum, work, v) => sum + (v > 0 ? work : 0),
        0,
      );
      front.forEach((point, i) => {
        const least = every.leastRecompute(point.peakBytes);
        expect(point.recomputeFraction * total, name).toBeGreaterThanOrEqual(least - 1e-9);
        expect(point.recomputeFraction * total, name).toBeCloseTo(least, 9);
        if (i === 0) return;
        expect(point.peakBytes, name).toBeLessThan(front[i - 1]!.peakBytes);
        expect(point.recomputeFraction, name).toBeGreaterThan(front[i - 1]!.recomputeFraction);
      });
    }
  });

  it('has for every budget between no recompute and the lowest peak the least recompute', () => {
    for (const [name, problem] of measuredProblems(40, 109, { least: 5, most: 6 })) {
      const every = new ExhaustiveSchedules(problem);
      const front = paretoFront(problem, NO_CONTROL);
      const search = new Planner(problem, unlimited(), 0);
      const [low, high] = [search.lowest.peakBytes, search.regular.peakBytes];
      expect(front[0]!.peakBytes, name).toBeLessThanOrEqual(high);
      for (let i = 0; i < 24 && high > low; i++) {
        const budget = Math.floor(low * (high / low) ** (i / 24));
        const least = Math.min(
          ...front.filter((point) => point.peakBytes <= budget).map((point) => point.recomputeFraction),
        );
        expect(least * totalWork(problem), name).toBeCloseTo(every.leastRecompute(budget), 6);
      }
    }
  });

  it('is searched for where no exact search can be, and tells the way there', () => {
    const problem = workChain(
      [1, 3, 2, 4, 2, 7, 3, 5, 2, 6, 3, 4, 1],
      [0, 5, 1, 7, 2, 3, 8, 2, 5, 6, 2, 3, 9],
    );
    const shares: number[] = [];
    const front = paretoFront(problem, { tick: (done) => void shares.push(done) });
    expect(front[0]).toMatchObject({ peakBytes: 49, recomputeFraction: 0 });
    // By hand from the paper's square root: half the memory for a third of a forward.
    expect(
      front.some(({ peakBytes, recomputeFraction }) => peakBytes <= 28 && recomputeFraction <= 0.35),
    ).toBe(true);
    expect(front.length).toBeGreaterThanOrEqual(15);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(shares.filter((share) => share > 0.3 && share < 0.9).length).toBeGreaterThan(20);
  });

  it('tells every change of the front and how far it is', () => {
    const problem = workChain([1, 3, 2, 4, 2, 1], [0, 5, 1, 7, 2, 3]);
    const heard: string[] = [];
    const shares: number[] = [];
    const front = paretoFront(
      problem,
      { tick: (done) => void shares.push(done) },
      (found) => void heard.push(figures(found).join(';')),
    );
    expect(heard.at(-1)).toBe(figures(front).join(';'));
    expect(new Set(heard).size).toBe(heard.length);
    expect(heard.length).toBeGreaterThan(1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
  });

  it('is one point where no byte can be saved', () => {
    const front = paretoFront(workChain([4, 1], []), NO_CONTROL);
    expect(figures(front)).toEqual([[6, 0]]);
    expect(figures(paretoFront(workChain([4, 0, 0], []), NO_CONTROL))).toEqual([[4, 0]]);
  });
});
