import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../engine/errors.ts';
import { judgeSet, peakPlace } from '../../../engine/game/judge-set.ts';
import { leastPeakSet, MAX_TRIED } from '../../../engine/game/least-peak-set.ts';
import { type Goal, starsFor } from '../../../engine/game/stars.ts';
import { paperCost } from '../../../engine/paper/paper-cost.ts';
import { solveOptimal } from '../../../engine/paper/solve-optimal.ts';
import { createProblem } from '../../../engine/problem.ts';
import { planFromCheckpoints } from '../../../engine/strategies/strategy/from-checkpoints.ts';
import { regularFigures } from '../../../engine/strategies/regular.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { NO_CONTROL, type Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { GAME_NETWORKS } from '../../../engine/zoo/game-networks.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { bytesGraph } from '../../support/problems.ts';
import { GRAPH_KINDS, randomStGraph } from '../../support/random-graphs.ts';
import { createRng } from '../../support/rng.ts';
import { CANCELLED } from '../../support/search-limits.ts';

const problemOf = (model: string, batch = 32): Problem =>
  createProblem(buildModel(model, { batch }), 'pytorch');

function* subsets(inner: number): Generator<number[]> {
  for (let mask = 0; mask < 2 ** inner; mask++) {
    yield Array.from({ length: inner }, (_, i) => i + 1).filter((v) => (mask >> (v - 1)) & 1);
  }
}

const drawn = fc.record({
  seed: fc.integer(),
  vertices: fc.integer({ min: 3, max: 8 }),
  kind: fc.constantFrom(...GRAPH_KINDS),
});

function drawnProblem({
  seed,
  ...options
}: {
  seed: number;
  vertices: number;
  kind: (typeof GRAPH_KINDS)[number];
}) {
  return createProblem(bytesGraph(randomStGraph(createRng(seed), options)), 'pytorch');
}

describe('the targets of a game', () => {
  it('are optimal: Eq. 2 and peak against every set of drawn graphs', () => {
    fc.assert(
      fc.property(drawn, (options) => {
        const problem = drawnProblem(options);
        const { tensors } = problem.view;
        let cost = Number.POSITIVE_INFINITY;
        let peak = regularFigures(problem).peakBytes;
        for (const set of subsets(tensors.size - 2)) {
          const priced = paperCost(tensors, set);
          if (priced.ok) {
            cost = Math.min(cost, priced.cost);
            const { schedule } = planFromCheckpoints(problem, { seed: 0 }, set);
            peak = Math.min(peak, simulate(problem.graph, problem.memory, schedule).peakBytes);
          }
          const judged = judgeSet(problem, set);
          if (typeof judged !== 'string') peak = Math.min(peak, judged.timeline.peakBytes);
        }
        expect(solveOptimal(tensors).cost).toBe(cost);
        const least = leastPeakSet(problem, NO_CONTROL);
        expect(least).toMatchObject({ peakBytes: peak, isExact: true });
        expect(least.boundBytes).toBeLessThanOrEqual(peak);
      }),
      { numRuns: 40 },
    );
  });

  it.each([...GAME_NETWORKS.map(({ info }) => info.name), ...['random-0', 'random-7', 'random-4294967295']])(
    '%s is small enough for an exact answer, and both measures can improve',
    (name) => {
      const problem = problemOf(name);
      const { tensors } = problem.view;
      expect(tensors.size - 2).toBeLessThanOrEqual(MAX_TRIED);
      const none = paperCost(tensors, []);
      expect(none.ok && none.cost).toBeGreaterThan(solveOptimal(tensors).cost);
      const least = leastPeakSet(problem, NO_CONTROL);
      expect(least.isExact).toBe(true);
      expect(least.peakBytes).toBeLessThan(regularFigures(problem).peakBytes);
      const judged = judgeSet(problem, least.checkpoints);
      expect(typeof judged !== 'string' && judged.timeline.peakBytes).toBe(least.peakBytes);
    },
  );

  it('on a large network are the best known, between the bound and what the papers’ optimum needs', () => {
    const problem = problemOf('resnet18');
    const { peakBytes, isExact, boundBytes, checkpoints } = leastPeakSet(problem, NO_CONTROL);
    const judged = judgeSet(problem, solveOptimal(problem.view.tensors).checkpoints);
    if (typeof judged === 'string') throw new Error(judged);
    expect(isExact).toBe(false);
    expect(peakBytes).toBeGreaterThan(boundBytes);
    expect(peakBytes).toBeLessThanOrEqual(judged.timeline.peakBytes);
    expect(leastPeakSet(problem, NO_CONTROL).checkpoints).toEqual(checkpoints);
  });

  it('stop searching on cancel', () => {
    expect(() => leastPeakSet(problemOf('resnet18'), CANCELLED)).toThrow(CancelledError);
    expect(() => leastPeakSet(problemOf('game-skip'), CANCELLED)).toThrow(CancelledError);
  });
});

describe('the judgement of a set', () => {
  it('gives the peak at the curve’s highest step, and the largest tensor live there', () => {
    const problem = problemOf('game-unequal');
    const judged = judgeSet(problem, [3, 6]);
    if (typeof judged === 'string') throw new Error(judged);
    const place = peakPlace(problem, judged);
    expect(judged.timeline.live[place.step]).toBe(Math.max(...judged.timeline.live));
    expect(place.largestBytes).toBe(problem.memory.outputBytes[place.largest]);
    expect(place.largestBytes).toBeLessThanOrEqual(judged.timeline.peakBytes);
  });

  it('is regular training for an empty set', () => {
    for (const { info } of GAME_NETWORKS) {
      const problem = problemOf(info.name);
      const judged = judgeSet(problem, []);
      if (typeof judged === 'string') throw new Error(judged);
      expect(judged.timeline.peakBytes).toBe(regularFigures(problem).peakBytes);
      expect(judged.timeline.recomputeWork).toBe(0);
    }
  });
});

describe('stars', () => {
  const goals = fc
    .tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 }))
    .map(([a, b]): Goal => ({ regular: a + b, least: a }));

  it('grow as bytes fall: three at the optimum, none at regular training', () => {
    fc.assert(
      fc.property(
        goals,
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 0, max: 3000 }),
        (goal, x, y) => {
          const [low, high] = x < y ? [x, y] : [y, x];
          expect(starsFor(low, goal)).toBeGreaterThanOrEqual(starsFor(high, goal));
          expect(starsFor(goal.least, goal)).toBe(3);
          expect(starsFor(goal.regular, goal)).toBe(0);
          expect(starsFor(goal.regular - 1, goal)).toBeGreaterThan(0);
          expect(starsFor(high, goal) === 3).toBe(high <= goal.least);
        },
      ),
    );
  });

  it('are none for a set that the measure does not cover, and if regular training is optimal', () => {
    expect(starsFor(null, { regular: 9, least: 3 })).toBe(0);
    expect(starsFor(9, { regular: 9, least: 9 })).toBe(0);
    expect(starsFor(110, { regular: 900, least: 100 })).toBe(2);
    expect(starsFor(111, { regular: 900, least: 100 })).toBe(1);
  });
});
