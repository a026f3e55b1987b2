import { describe, expect, it } from 'vitest';
import { ExhaustiveSchedules } from '../../../engine/bounds/exhaustive-schedules.ts';
import { lowerBound } from '../../../engine/bounds/lower-bound.ts';
import { leastFraction, leastPeak, recomputeBound } from '../../../engine/bounds/recompute-bound.ts';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { createProblem } from '../../../engine/problem.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { paretoFront } from '../../../engine/strategies/budget/pareto-front.ts';
import { kneeOf } from '../../../engine/strategies/budget/knee.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { NO_CONTROL, type Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { fewest } from '../../support/draws.ts';
import { measuredProblems } from '../../support/measured-graphs.ts';
import { bytesChain, bytesProblem, randomProblems } from '../../support/problems.ts';
import { randomSchedule } from '../../support/random-schedules.ts';
import { createRng } from '../../support/rng.ts';

/** Some budgets from the lowest peak of all schedules to that without recompute, both included. */
function budgetsOf(problem: Problem, lowest: number): number[] {
  const most = solveRow(problem, 'regular', { seed: 0 }).peakBytes!;
  return [...new Set([0, 0.2, 0.5, 0.8, 1].map((share) => Math.round(lowest + share * (most - lowest))))];
}

function compareWithAll(
  problems: Iterable<readonly [string, Problem, ...unknown[]]>,
): [recomputing: number, met: number] {
  let recomputing = 0;
  let met = 0;
  for (const [name, problem] of problems) {
    if (problem.graph.size > 8) continue;
    const schedules = new ExhaustiveSchedules(problem);
    const bound = recomputeBound(problem);
    for (const budget of budgetsOf(problem, schedules.lowestPeak())) {
      const once = bound.forwardWork;
      const least = once > 0 ? schedules.leastRecompute(budget) / once : 0;
      const proved = leastFraction(bound, budget);
      expect(proved, `${name}, ${budget} bytes`).toBeLessThanOrEqual(least);
      expect(leastPeak(bound, least), `${name}, ${budget} bytes`).toBeLessThanOrEqual(budget);
      if (least > 0) recomputing++;
      if (least > 0 && proved === least) met++;
    }
  }
  return [recomputing, met];
}

describe('recomputeBound', () => {
  it('is never above the least recompute of all schedules, for any graph of a file, and sometimes equals it', () => {
    const [recomputing, met] = compareWithAll(measuredProblems(1500, 171, { most: 6 }));
    expect(recomputing).toBeGreaterThan(fewest(1000));
    expect(met / recomputing).toBeGreaterThan(0.2);
  });

  it('is never above the least recompute of all schedules, for size-only graphs and networks', () => {
    const [recomputing, met] = compareWithAll(randomProblems(600, 172, 6));
    expect(recomputing).toBeGreaterThan(fewest(500));
    expect(met / recomputing).toBeGreaterThan(0.1);
  });

  it('is exact even if sizes and work use almost all bits', () => {
    const large = 2 ** 40 + 1;
    const problems = [...randomProblems(60, 173, 6)].map(([name, { graph }]): [string, Problem] => {
      const builder = new GraphBuilder('large');
      for (let v = 0; v < graph.size; v++) {
        const inputs = [
          ...new Set(
            graph.predecessors.subarray(graph.predecessorOffsets[v], graph.predecessorOffsets[v + 1]),
          ),
        ];
        builder.addOpaque(`v${v}`, graph.bytes[v]! * large, inputs);
      }
      return [name, createProblem(builder.build(), 'pytorch')];
    });
    const [recomputing] = compareWithAll(problems);
    expect(recomputing).toBeGreaterThan(fewest(30));
  });

  it('is zero at the peak of regular training, infinite below the least need, and never rises with the budget', () => {
    for (const [name, problem] of randomProblems(200, 174, 30)) {
      const bound = recomputeBound(problem);
      const regular = solveRow(problem, 'regular', { seed: 0 }).peakBytes!;
      expect(leastFraction(bound, regular), name).toBe(0);
      expect(leastPeak(bound, Number.POSITIVE_INFINITY), name).toBe(lowerBound(problem).bytes);
      expect(leastFraction(bound, lowerBound(problem).bytes - 1), name).toBe(Number.POSITIVE_INFINITY);
      let last = Number.POSITIVE_INFINITY;
      for (let budget = bound.floorBytes; budget < regular; budget += Math.ceil(regular / 20)) {
        const least = leastFraction(bound, budget);
        expect(least, name).toBeLessThanOrEqual(last);
        last = least;
      }
    }
  });

  it('is never above the recompute of a random schedule', () => {
    const rng = createRng(7);
    for (const [name, problem] of randomProblems(1500, 175)) {
      const { peakBytes, recomputeFraction } = simulate(
        problem.graph,
        problem.memory,
        randomSchedule(rng, problem),
      );
      const bound = recomputeBound(problem);
      expect(leastFraction(bound, peakBytes), name).toBeLessThanOrEqual(recomputeFraction);
      expect(leastPeak(bound, recomputeFraction), name).toBeLessThanOrEqual(peakBytes);
    }
  });

  it('finds the necessary recompute of a chain', () => {
    // At the end of the forward: the source of 1 byte, v4 with its gradient and that of v3 (30), v3, and
    // room for one of v1 and v2.
    const problem = bytesProblem([1, 10, 10, 10, 10], '0>1 1>2 2>3 3>4');
    const bound = recomputeBound(problem);
    expect(leastFraction(bound, 61)).toBe(0);
    expect(leastFraction(bound, 60)).toBe(10 / 40);
    expect(leastFraction(bound, 51)).toBe(10 / 40);
    expect(leastPeak(bound, 0)).toBe(61);
  });

  it('is computed once per memory model, and ends on graphs of any size', () => {
    const problem = createProblem(bytesChain(new Array<number>(30_000).fill(1000)), 'pytorch');
    const bound = recomputeBound(problem);
    expect(recomputeBound({ ...problem })).toBe(bound);
    const half = solveRow(problem, 'regular', { seed: 0 }).peakBytes! / 2;
    expect(leastFraction(bound, half)).toBeGreaterThan(0);
  });

  it('proves that no plan of ResNet-34 recomputes 3 points less than the front’s knee', () => {
    const problem = createProblem(buildModel('resnet34', { batch: 1, input: 224 }), 'pytorch');
    const front = paretoFront(problem, NO_CONTROL);
    const bound = recomputeBound(problem);
    for (const { peakBytes, recomputeFraction } of front) {
      expect(leastFraction(bound, peakBytes)).toBeLessThanOrEqual(recomputeFraction);
      expect(leastPeak(bound, recomputeFraction)).toBeLessThanOrEqual(peakBytes);
    }
    const knee = kneeOf(front)!;
    expect(knee.recomputeFraction - leastFraction(bound, knee.peakBytes)).toBeLessThan(0.03);
    expect(leastFraction(bound, knee.peakBytes)).toBeGreaterThan(0);
  });
});
