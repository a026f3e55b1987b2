import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../engine/bounds/lower-bound.ts';
import { stagePeakBound } from '../../../engine/bounds/stage-bound.ts';
import { isWhole } from '../../../engine/bounds/stage-choices.ts';
import { stagesOf } from '../../../engine/bounds/stages.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { fewest } from '../../support/draws.ts';
import { exhaustiveLeast } from '../../support/exhaustive-live.ts';
import { measuredProblems } from '../../support/measured-graphs.ts';
import { bytesChain, randomProblems } from '../../support/problems.ts';
import { stagedProblems } from '../../support/staged-graphs.ts';

/** As if nothing better than twice the peak were known: so that the bound could be too high. */
function boundOf(problem: Problem, peak: number): number {
  const stages = stagesOf(problem.graph, problem.memory);
  return stagePeakBound(stages, lowerBound(problem).bytes, 2 * peak + 10);
}

const livePeak = (problem: Problem): number => solveRow(problem, 'live', { seed: 0 }).peakBytes!;

/** How often the bound is above that for any number of forwards, and how often it is the least. */
function compare(
  problems: Iterable<readonly [string, Problem, ...unknown[]]>,
  leastOf: (problem: Problem) => number,
): [above: number, met: number] {
  let above = 0;
  let met = 0;
  for (const [name, problem] of problems) {
    if (problem.graph.size < 3) continue;
    const peak = leastOf(problem);
    const bound = boundOf(problem, peak);
    expect(bound, name).toBeLessThanOrEqual(peak);
    expect(bound, name).toBeGreaterThanOrEqual(lowerBound(problem).bytes);
    if (bound > lowerBound(problem).bytes) above++;
    if (bound === peak) met++;
  }
  return [above, met];
}

const everySchedule = (problem: Problem): number => exhaustiveLeast(problem, 2).peak;

describe('stagePeakBound', () => {
  it('is never above the lowest peak of all schedules with at most two forwards, for chains of stages', () => {
    const [above, met] = compare(stagedProblems(450, 401, { most: 6 }), everySchedule);
    expect(above).toBeGreaterThan(fewest(6));
    expect(met).toBeGreaterThan(fewest(350));
  });

  it('is never above it, for any graph of a file', () => {
    const [, met] = compare(measuredProblems(400, 402, { most: 5 }), everySchedule);
    expect(met).toBeGreaterThan(fewest(280));
  });

  it('is never above the exact optimum of live on larger chains of stages', () => {
    const [above] = compare(stagedProblems(250, 403, { least: 6, most: 9 }), livePeak);
    expect(above).toBeGreaterThan(fewest(15));
  });

  it('is never above live on other graphs, even with stages too large to search fully', () => {
    const parts = [...randomProblems(40, 404, 30)].filter(
      ([, { graph, memory }]) => !stagesOf(graph, memory).every(isWhole),
    );
    expect(parts.length).toBeGreaterThan(fewest(3));
    compare([...parts, ...randomProblems(60, 405, 16)], livePeak);
  });

  it('is close to live on a residual network, where no single step is enough', () => {
    const problem = createProblem(buildModel('resnet50', { batch: 1, input: 64 }), 'pytorch');
    const peak = livePeak(problem);
    const bound = boundOf(problem, peak);
    expect(bound).toBeLessThanOrEqual(peak);
    expect(bound).toBeGreaterThan(1.2 * lowerBound(problem).bytes);
  });

  it('counts the ends locked by a run of recomputed stages', () => {
    // 30 equal tensors: with k kept, some run of the others is there at once.
    const problem = createProblem(bytesChain(new Array<number>(31).fill(8)), 'pytorch');
    const bound = boundOf(problem, livePeak(problem));
    expect(bound).toBeLessThanOrEqual(livePeak(problem));
    expect(bound).toBeGreaterThan(1.5 * lowerBound(problem).bytes);
  });
});
