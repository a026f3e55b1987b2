import { describe, expect, it } from 'vitest';
import { createHighsLpSolver } from '../../../app/bridges/highs.ts';
import { lowerBound } from '../../../engine/bounds/lower-bound.ts';
import type { LpAnswer, LpSolver } from '../../../engine/bounds/lp-solver.ts';
import { oncePeakBound } from '../../../engine/bounds/once-bound.ts';
import { stagePeakBound } from '../../../engine/bounds/stage-bound.ts';
import { stagesOf } from '../../../engine/bounds/stages.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import type { MilpModel } from '../../../engine/strategies/milp/milp-solver.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { fewest } from '../../support/draws.ts';
import { exhaustiveLeast } from '../../support/exhaustive-live.ts';
import { measuredProblems } from '../../support/measured-graphs.ts';
import { bytesChain, randomProblems } from '../../support/problems.ts';

const solver = await createHighsLpSolver();

/** How often the bound for two forwards is above that for any number, and how often it is the least. */
function compareWithAll(
  problems: Iterable<readonly [string, Problem, ...unknown[]]>,
): [above: number, met: number] {
  let above = 0;
  let met = 0;
  for (const [name, problem] of problems) {
    if (problem.graph.size > 6) continue;
    const { peak } = exhaustiveLeast(problem, 2);
    // As if nothing better were known: so that it could be too high.
    const known = 2 * peak;
    const bound = oncePeakBound(problem, known, solver);
    expect(bound, name).toBeLessThanOrEqual(peak);
    if (bound > lowerBound(problem).bytes) above++;
    if (bound === peak) met++;
  }
  return [above, met];
}

/** A chain whose sizes fall, so that what is kept, what is recomputed and where it is needed compete. */
const CHAIN = bytesChain([1, 9, 8, 9, 8, 9, 7, 6, 5, 4, 3]);

describe('oncePeakBound', () => {
  it('is never above the lowest peak of all schedules with at most two forwards, for any graph of a file', () => {
    const [, met] = compareWithAll(measuredProblems(900, 181, { most: 5 }));
    expect(met).toBeGreaterThan(fewest(500));
  });

  it('is never above the lowest peak of all schedules with at most two forwards, for size-only graphs and networks', () => {
    const [, met] = compareWithAll(randomProblems(400, 182, 6));
    expect(met).toBeGreaterThan(fewest(200));
  });

  it('is never above the exact optimum of live on larger graphs, and often above the bound for all schedules', () => {
    let above = 0;
    for (const [name, problem] of randomProblems(150, 183, 11)) {
      const live = solveRow(problem, 'live', { seed: 0 });
      const bound = oncePeakBound(problem, 2 * live.peakBytes!, solver);
      expect(bound, name).toBeLessThanOrEqual(live.peakBytes!);
      expect(bound, name).toBeGreaterThanOrEqual(live.lowerBoundBytes);
      if (bound > live.lowerBoundBytes) above++;
    }
    expect(above).toBeGreaterThan(fewest(10));
  });

  it('counts memory locked by a single recompute per tensor', () => {
    const problem = createProblem(CHAIN, 'pytorch');
    const live = solveRow(problem, 'live', { seed: 0 });
    const bound = oncePeakBound(problem, live.peakBytes!, solver);
    expect(bound).toBeGreaterThan(live.lowerBoundBytes);
    expect(bound).toBeLessThanOrEqual(live.peakBytes!);
  });

  it('trusts no duals, and requests none if nothing is left to prove', () => {
    const problem = createProblem(CHAIN, 'pytorch');
    const floor = lowerBound(problem).bytes;
    const answering = (answer: (model: MilpModel) => LpAnswer | null): LpSolver => ({
      withProgram: (model, _, use) => use(() => answer(model)),
    });
    const saying = (value: number): LpSolver =>
      answering(({ columns, rows }) => ({
        values: new Float64Array(columns).fill(0.5),
        duals: new Float64Array(rows).fill(value),
      }));
    for (const value of [-1, 0, 1, Number.NaN, Number.NEGATIVE_INFINITY])
      expect(oncePeakBound(problem, 2 * floor, saying(value))).toBeLessThanOrEqual(
        solveRow(problem, 'live', { seed: 0 }).peakBytes!,
      );
    expect(
      oncePeakBound(
        problem,
        2 * floor,
        answering(() => null),
      ),
    ).toBe(stagePeakBound(stagesOf(problem.graph, problem.memory), floor, 2 * floor));
    const never = answering(() => {
      throw new Error('asked');
    });
    expect(oncePeakBound(problem, floor, never)).toBe(floor);
  });
});
