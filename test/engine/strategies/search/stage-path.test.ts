import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../../engine/bounds/lower-bound.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { bestCuts } from '../../../../engine/strategies/search/best-cuts.ts';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import { judgeKeep } from '../../../../engine/strategies/search/candidate.ts';
import { type LiveModel, liveModel } from '../../../../engine/strategies/search/live-model.ts';
import { candidateOrders, givenOrder } from '../../../../engine/strategies/search/orders.ts';
import { bestStages } from '../../../../engine/strategies/search/stage-path.ts';
import { isTwiceAtMost } from '../../../../engine/strategies/search/candidate.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { fewest } from '../../../support/draws.ts';
import { exhaustiveLeast } from '../../../support/exhaustive-live.ts';
import { bytesChain } from '../../../support/problems.ts';
import { CountedSearch, ended, unlimited } from '../../../support/search-limits.ts';
import { measuredProblem } from '../../../support/measured-graphs.ts';
import { between, createRng } from '../../../support/rng.ts';
import { stagedGraph, stagedProblems } from '../../../support/staged-graphs.ts';

const given = ({ graph, memory }: Problem): LiveModel => liveModel(graph, memory, givenOrder(graph));
const cutsOf = (model: LiveModel): number =>
  bestCuts(model, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, unlimited())!.peak;

/** Problems whose best cuts can be improved, with their peak. */
function* open(problems: Iterable<readonly [string, Problem]>): Generator<[string, Problem, number]> {
  for (const [name, problem] of problems) {
    const peak = cutsOf(given(problem));
    if (peak > lowerBound(problem).bytes) yield [name, problem, peak];
  }
}

describe('bestStages', () => {
  it('gives what a curve and the simulator say it peaks at, within the class', () => {
    let ways = 0;
    for (const [name, problem, cuts] of open(stagedProblems(150, 811, { least: 4, most: 30 }))) {
      const found = bestStages([given(problem)], lowerBound(problem).bytes, 2 * cuts, unlimited());
      if (found === null) continue;
      ways++;
      const curve = new ByteCurve(found.model, found.keep);
      curve.measure(0);
      expect(found.peak, name).toBe(curve.peak);
      const judged = judgeKeep(problem, found.model, found.keep);
      // A view that reads more than what it looks at is recomputed with what the curve does not follow.
      if (problem.memory.viewOf.every((u) => u < 0))
        expect(judged.peakBytes, name).toBeLessThanOrEqual(found.peak);
      expect(isTwiceAtMost(judged.schedule, problem.graph.size), name).toBe(true);
    }
    expect(ways).toBeGreaterThan(fewest(70));
  });

  it('is often the least of all schedules, where cuts are not', () => {
    let least = 0;
    let all = 0;
    for (const [, problem, cuts] of open(stagedProblems(300, 812, { least: 3, most: 6 }))) {
      all++;
      const { peak } = exhaustiveLeast(problem, 2);
      const found = bestStages([given(problem)], lowerBound(problem).bytes, 2 * cuts, unlimited());
      if (peak < cuts && found?.peak === peak) least++;
    }
    expect(all).toBeGreaterThan(fewest(50));
    expect(least).toBeGreaterThan(fewest(5));
  });

  it('leads as low on drawn chains of stages as it ever did, looking at no more', () => {
    const rng = createRng(813);
    const search = new CountedSearch();
    let above = 0;
    for (let i = 0; i < 60; i++) {
      const problem = measuredProblem(stagedGraph(rng, between(rng, 10, 60)));
      const floor = lowerBound(problem).bytes;
      above += bestStages([given(problem)], floor, 3 * floor, search)!.peak / floor - 1;
    }
    // In all, of the bounds on any schedule; a third each.
    expect(above).toBeLessThan(19.98);
    expect(search.looks).toBeLessThan(1.05e6);
  });

  it.each([
    ['resnet50', 'pytorch', 25_501_184, 0.27],
    ['resnet34', 'tfjs', 11_041_792, 0.22],
    ['mobilenet-v2', 'tfjs', 15_856_512, 0.92],
    ['densenet121', 'pytorch', 19_470_592, 1.95],
    ['vit-b-16-fused', 'pytorch', 16_965_720, 0.14],
  ] as const)('and on networks: %s, %s', (name, profile, bytes, millionLooks) => {
    const problem = createProblem(buildModel(name, { batch: 1 }), profile);
    const floor = lowerBound(problem).bytes;
    const search = new CountedSearch();
    expect(bestStages([given(problem)], floor, 3 * floor, search)!.peak).toBeLessThanOrEqual(bytes);
    expect(search.looks / 1e6).toBeLessThan(millionLooks);
  });

  it('is the best under any of the orders', () => {
    const problem = createProblem(buildModel('resnet50', { batch: 1 }), 'pytorch');
    const models = [...candidateOrders(problem.graph)].map((order) =>
      liveModel(problem.graph, problem.memory, order),
    );
    const [floor, ceiling] = [lowerBound(problem).bytes, 2 * cutsOf(models[0]!)];
    const alone = models.map((model) => bestStages([model], floor, ceiling, unlimited())!.peak);
    expect(new Set(alone).size).toBeGreaterThan(1);
    const found = bestStages(models, floor, ceiling, unlimited())!;
    expect(found.peak).toBe(Math.min(...alone));
    expect(models).toContain(found.model);
  });

  it('finds nothing where nothing fits, and where the search is over', () => {
    const problem = createProblem(bytesChain(new Array<number>(31).fill(8)), 'pytorch');
    const floor = lowerBound(problem).bytes;
    const model = given(problem);
    expect(bestStages([model], floor, 10 * floor, unlimited())).not.toBeNull();
    expect(bestStages([model], floor, floor + 1, unlimited())).toBeNull();
    expect(bestStages([model], floor, 10 * floor, ended())).toBeNull();
  });

  it('gives up where there are too many ways to look at', () => {
    const problem = createProblem(bytesChain(new Array<number>(1500).fill(8)), 'pytorch');
    const search = new CountedSearch();
    bestStages([given(problem)], lowerBound(problem).bytes, 2 * cutsOf(given(problem)), search);
    expect(search.looks).toBeLessThan(1e7);
  });
});
