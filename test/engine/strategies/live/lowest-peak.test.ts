import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../../engine/bounds/lower-bound.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { live } from '../../../../engine/strategies/live/live.ts';
import { lowestPeak, paperOptimum } from '../../../../engine/strategies/live/lowest-peak.ts';
import { judgeKeep } from '../../../../engine/strategies/live/candidate.ts';
import { optimal } from '../../../../engine/strategies/optimal.ts';
import { isTwiceAtMost } from '../../../../engine/strategies/portfolio.ts';
import { SearchLimit } from '../../../../engine/strategies/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy.ts';
import { exhaustiveLeast } from '../../../support/exhaustive-live.ts';
import { ended, unlimited, workChain } from '../../../support/live-models.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { bytesProblem } from '../../../support/problems.ts';
import { between, createRng } from '../../../support/rng.ts';

/** Thirteen tensors of about one size: too many for the exact search. */
const chain = workChain([1, 3, 2, 4, 2, 7, 3, 5, 2, 6, 3, 4, 1], [0, 5, 1, 7, 2, 3, 8, 2, 5, 6, 2, 3, 9]);

function simulated(problem: Problem, schedule: Parameters<typeof simulate>[2]): number[] {
  const { peakBytes, recomputeWork } = simulate(problem.graph, problem.memory, schedule);
  return [peakBytes, recomputeWork];
}

describe('lowestPeak', () => {
  it('is exact on little graphs, recompute included', () => {
    const rng = createRng(161);
    for (let i = 0; i < 25; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 2, 5) }));
      const found = lowestPeak(problem, unlimited(), 1);
      const { peak, work } = exhaustiveLeast(problem);
      expect(found.peakBytes).toBe(peak);
      expect(found.recomputeWork).toBeCloseTo(work, 9);
      expect(found.claim).toEqual({ kind: 'exact-peak' });
      expect(found.others).toEqual([]);
      expect(found.choices).toHaveLength(1);
      expect(simulated(problem, found.schedule)).toEqual([found.peakBytes, found.recomputeWork]);
    }
  });

  it('is the least of everything known, with what it was found from', () => {
    const search = unlimited();
    const found = lowestPeak(chain, search, 1);
    expect(search.ending).toEqual({});
    expect(simulated(chain, found.schedule)).toEqual([found.peakBytes, found.recomputeWork]);
    expect(isTwiceAtMost(found.schedule, 13)).toBe(true);
    expect(found.peakBytes).toBeLessThanOrEqual(found.paper.peakBytes);
    expect(found.others.length).toBeGreaterThan(3);
    for (const other of found.others) {
      if (!isTwiceAtMost(other.schedule, 13)) continue;
      expect(found.peakBytes).toBeLessThanOrEqual(other.peakBytes);
      if (found.peakBytes === other.peakBytes)
        expect(found.recomputeWork).toBeLessThanOrEqual(other.recomputeWork);
    }
    const [best] = found.choices;
    expect(judgeKeep(chain, best!.model, best!.keep).peakBytes).toBeLessThanOrEqual(best!.peak);
    expect(found.choices.map(({ peak }) => peak)).toEqual(
      found.choices.map(({ peak }) => peak).toSorted((a, b) => a - b),
    );
    // From every cut of this order no peak below 26 was found in 60,000 moves.
    expect(found.peakBytes).toBe(26);
    expect(found.claim).toEqual({ kind: 'annealed-from-lower-sets', lowerSets: 13 });
  });

  it('says what is known of the peak', () => {
    // Steps so unequal that the wide one decides.
    const bytes = [1, 2, 2, 2, 2, 2, 90, 90, 2, 2, 2, 2, 2, 1];
    const wide = workChain(bytes, []);
    const found = lowestPeak(wide, unlimited(), 1);
    expect(found.peakBytes).toBe(lowerBound(wide).bytes);
    expect(found.claim).toEqual({ kind: 'peak-at-bound' });
    const early = lowestPeak(chain, ended(), 1);
    expect(early.claim).toEqual({ kind: 'best-found' });
    expect(early.peakBytes).toBeLessThanOrEqual(early.paper.peakBytes);
    //  Two branches between v1 and v13: more lower sets than vertices.
    const edges = '0>1 1>2 2>3 3>4 4>5 5>6 6>13 1>7 7>8 8>9 9>10 10>11 11>12 12>13';
    const fork = bytesProblem([1, 5, 9, 3, 8, 2, 7, 4, 9, 6, 5, 9, 8, 3], edges);
    const cut = lowestPeak(fork, unlimited(), 1);
    // v2 to v6 beside v7 to v12, the source alone and everything.
    expect(cut.claim).toEqual({ kind: 'annealed-from-lower-sets', lowerSets: 1 + 6 * 7 + 1 });
  });

  it('keeps to the order where the executor does', () => {
    const fork = bytesProblem(
      [1, 5, 9, 3, 8, 2, 7, 4, 9, 6, 5, 9, 8, 3],
      '0>1 1>2 2>3 3>4 4>5 5>6 6>13 1>7 7>8 8>9 9>10 10>11 11>12 12>13',
    );
    const problem = { ...fork, graph: { ...fork.graph, keepsOrder: true } };
    const found = lowestPeak(problem, unlimited(), 1);
    for (const { model } of found.choices)
      expect([...model.order]).toEqual([...model.order].toSorted((a, b) => a - b));
    expect(found.claim).toEqual({ kind: 'annealed-from-cuts', orders: 1 });
  });

  it('tells how far it is, and what it left', () => {
    const shares: number[] = [];
    lowestPeak(chain, new SearchLimit({}, { tick: (done) => void shares.push(done) }), 1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(shares.filter((share) => share > 0.4 && share < 0.8).length).toBeGreaterThan(10);
    expect(shares.filter((share) => share > 0.8 && share < 1).length).toBeGreaterThan(5);
    const search = ended();
    lowestPeak(chain, search, 1);
    expect(search.ending.stopped?.unfinished.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['orders', 'moves']),
    );
    expect(search.ending.stopped?.unfinished.find(({ what }) => what === 'orders')).toEqual({
      what: 'orders',
      tried: 0,
      of: 8,
    });
  });
});

describe("the papers' optimum", () => {
  it('is the strategy of that name', () => {
    const { peakBytes, recomputeWork, schedule } = paperOptimum(chain);
    const plan = optimal.plan(chain, { seed: 1 }, NO_CONTROL);
    if (!plan.applicable) throw new Error(plan.reason);
    expect(simulated(chain, schedule)).toEqual([peakBytes, recomputeWork]);
    expect(simulated(chain, plan.schedule)).toEqual([peakBytes, recomputeWork]);
  });
});

describe('live', () => {
  it('is the plan of the lowest peak, and says how its search ended', () => {
    const plan = live.plan(chain, { seed: 1 }, NO_CONTROL);
    if (!plan.applicable) throw new Error(plan.reason);
    expect(simulated(chain, plan.schedule)[0]).toBe(26);
    expect(plan.paperCostBytes).toBeNull();
    expect(plan.claim).toEqual({ kind: 'annealed-from-lower-sets', lowerSets: 13 });
    expect(plan.checkpoints.length).toBeGreaterThan(0);
    expect(plan.stopped).toBeUndefined();
    const stopped = live.plan(chain, { seed: 1, timeLimitSeconds: 1e-3 }, NO_CONTROL);
    if (!stopped.applicable) throw new Error(stopped.reason);
    expect(stopped.stopped).toMatchObject({ limitSeconds: 1e-3, by: 'work' });
  });
});
