import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../../engine/bounds/lower-bound.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { live } from '../../../../engine/strategies/live/live.ts';
import { lowestPeak, paperOptimum } from '../../../../engine/strategies/live/lowest-peak.ts';
import { lowestOf } from '../../../support/lowest-peak.ts';
import { exactApplies } from '../../../../engine/strategies/exact/exact.ts';
import { bestCuts } from '../../../../engine/strategies/search/best-cuts.ts';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import { type Candidate, isBetter, judgeKeep } from '../../../../engine/strategies/search/candidate.ts';
import { liveModel } from '../../../../engine/strategies/search/live-model.ts';
import {
  cutAtLowerSets,
  fewLowerSets,
  type LowerSet,
} from '../../../../engine/strategies/search/lower-sets.ts';
import { candidateOrders } from '../../../../engine/strategies/search/orders.ts';
import { optimal } from '../../../../engine/strategies/optimal/optimal.ts';
import { quickPlans } from '../../../../engine/strategies/planner/peer-plans.ts';
import { isTwiceAtMost } from '../../../../engine/strategies/search/candidate.ts';
import { SearchLimit } from '../../../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { exhaustiveLeast } from '../../../support/exhaustive-live.ts';
import { workChain } from '../../../support/live-models.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';
import { measuredGraph, measuredProblem, measuredProblems } from '../../../support/measured-graphs.ts';
import { bytesProblem } from '../../../support/problems.ts';
import { between, createRng } from '../../../support/rng.ts';
import { planOf } from '../../../support/plans.ts';

/** Thirteen tensors of about one size: too many for the exact search. */
const chain = workChain([1, 3, 2, 4, 2, 7, 3, 5, 2, 6, 3, 4, 1], [0, 5, 1, 7, 2, 3, 8, 2, 5, 6, 2, 3, 9]);

function simulated(problem: Problem, schedule: Parameters<typeof simulate>[2]): number[] {
  const { peakBytes, recomputeWork } = simulate(problem.graph, problem.memory, schedule);
  return [peakBytes, recomputeWork];
}

describe('lowestPeak', () => {
  it('is exact on little graphs, recompute included', () => {
    for (const [, problem] of measuredProblems(250, 62, { least: 2, most: 5 })) {
      const found = lowestOf(problem, unlimited());
      const { peak, work } = exhaustiveLeast(problem);
      expect(found.peakBytes).toBe(peak);
      expect(found.recomputeWork).toBeCloseTo(work, 9);
      expect(found.claim).toEqual({ kind: 'exact-peak' });
      expect(found.choices).toHaveLength(1);
      expect(simulated(problem, found.schedule)).toEqual([found.peakBytes, found.recomputeWork]);
    }
  });

  it('is exact on twelve vertices too', () => {
    for (const [name, problem] of measuredProblems(20, 63, { least: 12, most: 12 }))
      expect(lowestOf(problem, unlimited()).claim.kind, name).toBe('exact-peak');
  });

  it('has a plan where a fixed auxiliary gives cuts at lower sets another peak than orders', () => {
    const keeps = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 4 };
    const problem = measuredProblem([
      { bytes: 0, flops: 0, inputs: [] },
      { bytes: 0, flops: 0, inputs: [0], keeps },
      { bytes: 2, flops: 0, inputs: [0] },
      { bytes: 0, flops: 0, inputs: [1, 2] },
      { bytes: 3, flops: 0, inputs: [3] },
    ]);
    const { peak, work } = exhaustiveLeast(problem);
    expect(simulated(problem, lowestOf(problem, unlimited()).schedule)).toEqual([peak, work]);
  });

  it('is the least of everything known, with what it was found from', () => {
    const search = unlimited();
    const found = lowestOf(chain, search);
    expect(search.ending).toEqual({});
    expect(simulated(chain, found.schedule)).toEqual([found.peakBytes, found.recomputeWork]);
    expect(isTwiceAtMost(found.schedule, 13)).toBe(true);
    expect(found.peakBytes).toBeLessThanOrEqual(found.paper.peakBytes);
    const others = quickPlans(chain, 1, unlimited());
    expect(others.length).toBeGreaterThan(3);
    for (const other of others) {
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
    // Least work of all encodings that stay within that and keep values to their end.
    const works: number[] = [];
    for (let code = 0; code < 2 ** 12; code++) {
      const keep = Int32Array.from({ length: 13 }, (_, item) => (((2 * code + 1) >> item) & 1 ? 3 : 0));
      const curve = new ByteCurve(best!.model, keep);
      if (curve.fits(26)) works.push(curve.work);
    }
    expect(found.recomputeWork).toBe(Math.min(...works));
    expect(found.claim).toEqual({ kind: 'annealed-from-lower-sets', lowerSets: 13 });
  });

  it('reports what is proved about the peak', () => {
    // Steps so unequal that the wide one decides.
    const bytes = [1, 2, 2, 2, 2, 2, 90, 90, 2, 2, 2, 2, 2, 1];
    const wide = workChain(bytes, []);
    const found = lowestOf(wide, unlimited());
    expect(found.peakBytes).toBe(lowerBound(wide).bytes);
    expect(found.claim).toEqual({ kind: 'peak-at-bound' });
    const early = lowestOf(chain, ended());
    expect(early.claim).toEqual({ kind: 'best-found' });
    expect(early.peakBytes).toBeLessThanOrEqual(early.paper.peakBytes);
    // Two branches between v1 and v13: more lower sets than vertices.
    const cut = lowestOf(fork, unlimited());
    // v2 to v6 beside v7 to v12, the source alone and everything.
    expect(cut.claim).toEqual({ kind: 'annealed-from-lower-sets', lowerSets: 1 + 6 * 7 + 1 });
  });

  it('keeps to the order if the executor does', () => {
    const problem = { ...fork, graph: { ...fork.graph, keepsOrder: true } };
    const found = lowestOf(problem, unlimited());
    for (const { model } of found.choices)
      expect([...model.order]).toEqual([...model.order].toSorted((a, b) => a - b));
    expect(found.claim).toEqual({ kind: 'annealed-from-cuts', orders: 1 });
  });

  it('shares one search of a problem, with the same result in any order', () => {
    const other = quickPlans(chain, 0, unlimited());
    const asked = { ...chain };
    const first = lowestPeak(asked, unlimited(), () => []);
    const search = new SearchLimit({}, NO_CONTROL);
    const second = lowestPeak(asked, search, () => other);
    expect(second.fromCuts).toBe(first.fromCuts);
    expect(search.looksSpent).toBeGreaterThan(0);
    expect(second).toEqual(lowestPeak({ ...chain }, unlimited(), () => other));
    // One that ends early searches for itself.
    expect(lowestPeak(asked, ended(), () => []).claim).toEqual({ kind: 'best-found' });
  });

  it('reports its progress and its skipped work', () => {
    const shares: number[] = [];
    lowestOf(chain, new SearchLimit({}, { tick: (done) => void shares.push(done) }));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(shares.filter((share) => share > 0.4 && share < 0.8).length).toBeGreaterThan(10);
    expect(shares.filter((share) => share > 0.8 && share < 1).length).toBeGreaterThan(5);
    const search = ended();
    lowestOf(chain, search);
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

/** v2 to v6 beside v7 to v12, between v1 and v13. */
const fork = bytesProblem(
  [1, 5, 9, 3, 8, 2, 7, 4, 9, 6, 5, 9, 8, 3],
  '0>1 1>2 2>3 3>4 4>5 5>6 6>13 1>7 7>8 8>9 9>10 10>11 11>12 12>13',
);

interface Ordered {
  readonly order: string;
  readonly peak: number;
  readonly kept: Candidate;
}

/** The orders whose cuts come within 5 % of the best before them, lowest peak first. */
function orderedCuts(problem: Problem): Ordered[] {
  const pursued: Ordered[] = [];
  for (const order of candidateOrders(problem.graph)) {
    const ceiling = 1.05 * Math.min(...pursued.map(({ peak }) => peak));
    const cuts = cutsOf(problem, order, ceiling);
    if (cuts !== null) pursued.push(cuts);
  }
  return pursued.toSorted((a, b) => a.peak - b.peak);
}

function cutsOf(problem: Problem, order: Int32Array, ceiling: number): Ordered | null {
  const model = liveModel(problem.graph, problem.memory, order);
  const found = bestCuts(model, ceiling, 0, unlimited());
  if (found === null) return null;
  return { order: order.join(), peak: found.peak, kept: judgeKeep(problem, model, found.keep) };
}

/** A search whose clock runs out at the n-th look at it. */
function until(looks: number): SearchLimit {
  let looked = 0;
  const now = (): number => (looked++ > looks ? 1e6 : 0);
  return new SearchLimit({ timeLimitSeconds: 1, now }, NO_CONTROL);
}

const lowestAndLeast = (all: readonly Candidate[]): number[] => {
  const best = all.reduce((a, b) => (isBetter(b, a) ? b : a));
  return [best.peakBytes, best.recomputeWork];
};

describe('lowestPeak, step by step', () => {
  it('tells its share: orders, seven runs of annealing, one from stages, and the saving of work', () => {
    const shares: number[] = [];
    const found = lowestOf(chain, new SearchLimit({}, { tick: (done) => void shares.push(done) }));
    // 30 n² moves in all, told every 64.
    const moves = (30 * 13 * 13) / 7;
    const told = Array.from({ length: Math.ceil(moves / 64) }, (_, k) => (64 * k) / moves);
    // The last of nine runs is left: stages do not lead lower here.
    const runs = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((run) =>
      told.map((done) => 0.4 + (0.4 * (run + done)) / 9),
    );
    // A chain has one order of eight at most.
    const expected = [1 / 20, ...runs, ...told.map((done) => 0.8 + 0.2 * done), 1];
    const heard = shares.filter((share) => share !== 0.4);
    expect(heard).toEqual(expected.filter((share) => share !== 0.4).map((share) => expect.closeTo(share, 9)));
    // Its start, and the result of each run.
    expect(found.choices).toHaveLength(9);
    expect(found.choices).toContain(found.fromCuts);
    const orders: number[] = [];
    lowestOf(fork, new SearchLimit({}, { tick: (done) => void orders.push(done) }));
    const count = [...candidateOrders(fork.graph)].length;
    expect(orders.slice(0, count)).toEqual(
      Array.from({ length: count }, (_, i) => expect.closeTo((i + 1) / 20, 9)),
    );
    expect(orders[count]).toBe(0.4);
  });

  it('does not anneal a peak that no schedule can beat', () => {
    const wide = workChain([1, 2, 2, 2, 2, 2, 90, 90, 2, 2, 2, 2, 2, 1], []);
    const { choices } = lowestOf(wide, unlimited());
    expect(choices).toHaveLength(1);
  });

  it('stops at its time limit, reports skipped work, and returns the best so far', () => {
    for (const problem of [chain, fork]) {
      const ordered = orderedCuts(problem);
      const orders = [...candidateOrders(problem.graph)].length;
      const paper = paperOptimum(problem);
      const first = [...candidateOrders(problem.graph)][0]!.join();
      for (let looks = 0; looks <= orders + 1; looks++) {
        const search = until(looks);
        const found = lowestOf(problem, search);
        const left = search.ending.stopped!.unfinished;
        const tried = left.find(({ what }) => what === 'orders');
        if (looks < orders - 1) expect(tried).toEqual({ what: 'orders', tried: looks + 1, of: 8 });
        else expect(tried).toBeUndefined();
        const moves = left.find(({ what }) => what === 'moves')!;
        expect(moves.tried).toBe(0);
        expect(Math.abs(moves.of! - 30 * problem.graph.size ** 2)).toBeLessThanOrEqual(1);
        expect(found.choices).toHaveLength(1);
        // One order was cut to the end at least: the first.
        if (looks === 0) {
          const { kept } = ordered.find(({ order }) => order === first)!;
          expect(found.choices[0]!.model.order.join()).toBe(first);
          expect([found.peakBytes, found.recomputeWork]).toEqual(lowestAndLeast([paper, kept]));
          if (problem === fork) expect(found.claim).toEqual({ kind: 'annealed-from-cuts', orders: 1 });
        }
        if (looks >= orders) {
          const two = ordered.slice(0, 2).map(({ kept }) => kept);
          const [best] = lowestAndLeast([paper, ...two]);
          expect(found.peakBytes).toBeLessThanOrEqual(best!);
          expect(found.choices[0]!.peak).toBe(ordered[0]!.peak);
        }
      }
    }
    const held = { ...fork, graph: { ...fork.graph, keepsOrder: true } };
    const search = ended();
    lowestOf(held, search);
    expect(search.ending.stopped!.unfinished[0]).toEqual({ what: 'orders', tried: 0, of: 1 });
  });

  it('anneals for as long on every size of graph', () => {
    for (const [size, moves] of [
      [500, 80_000],
      [60, 100_000],
      [2100, 20_000],
      [6000, 1e8 / 6000],
    ] as const) {
      const search = ended();
      const bytes = Array.from({ length: size }, (_, v) => 1 + (v % 3));
      lowestOf(workChain(bytes, []), search);
      const { of } = search.ending.stopped!.unfinished.find(({ what }) => what === 'moves')!;
      expect(Math.abs(of! - moves)).toBeLessThanOrEqual(1);
    }
  });

  it('goes on from the orders whose cuts are within 5 % of the best, and from better lower sets', () => {
    const rng = createRng(166);
    let [several, own, claims] = [0, 0, 0];
    for (let i = 0; i < 24; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 13, 16) }));
      if (exactApplies(problem)) continue;
      const found = lowestOf(problem, unlimited());
      const ordered = orderedCuts(problem);
      expect(found.peakBytes).toBeLessThanOrEqual(
        lowestAndLeast([found.paper, ...ordered.slice(0, 1).map(({ kept }) => kept)])[0]!,
      );
      const twice = quickPlans(problem, 1, unlimited()).filter(({ schedule }) =>
        isTwiceAtMost(schedule, problem.graph.size),
      );
      const [peak, work] = lowestAndLeast([found.paper, ...twice]);
      expect(found.peakBytes).toBeLessThanOrEqual(peak!);
      if (found.peakBytes === peak) expect(found.recomputeWork).toBeLessThanOrEqual(work!);
      expect(isTwiceAtMost(found.schedule, problem.graph.size)).toBe(true);
      const used = found.choices.map(({ model }) => model.order.join());
      const known = new Set(ordered.map(({ order }) => order));
      const sets = fewLowerSets(problem);
      const better = orderOfLowerSets(problem, sets, ordered[0]!);
      if (better !== null) {
        // Four runs and the start.
        if (found.choices.length > 1)
          expect(used.filter((one) => one === better.order).length).toBeGreaterThanOrEqual(5);
        expect(found.peakBytes).toBeLessThanOrEqual(better.peak);
        own++;
      } else {
        expect(used.filter((one) => !known.has(one))).toEqual([]);
        if (found.choices.length === 8) {
          // The second and the third begin one run each.
          for (const { order } of ordered.slice(0, 3)) expect(used).toContain(order);
          expect(used.filter((one) => one === ordered[0]!.order).length).toBeGreaterThanOrEqual(5);
        }
      }
      if (new Set(used).size > 2) several++;
      const { claim } = found;
      if (claim.kind === 'peak-at-bound') expect(found.peakBytes).toBe(lowerBound(problem).bytes);
      else if (sets !== null)
        expect(claim).toEqual({ kind: 'annealed-from-lower-sets', lowerSets: sets.length });
      else if (claim.kind === 'annealed-from-cuts') {
        expect(claim.orders).toBe(ordered.length);
        if (ordered.length < [...candidateOrders(problem.graph)].length) claims++;
      } else expect.unreachable();
    }
    expect(several).toBeGreaterThan(5);
    expect(own).toBeGreaterThan(1);
    expect(claims).toBeGreaterThan(0);
  });
});

/** The order of better cuts at lower sets, where there are more of these than of a single order. */
function orderOfLowerSets(problem: Problem, sets: LowerSet[] | null, best: Ordered): Ordered | null {
  if (sets === null || sets.length <= problem.graph.size) return null;
  const within = Int32Array.from(best.order.split(','), Number);
  const cuts = cutAtLowerSets(problem, sets, within, best.peak, unlimited());
  return cuts === null || cuts.peak >= best.peak ? null : cutsOf(problem, cuts.order, best.peak);
}

it("the papers' optimum is the strategy of that name", () => {
  const { peakBytes, recomputeWork, schedule } = paperOptimum(chain);
  expect(simulated(chain, schedule)).toEqual([peakBytes, recomputeWork]);
  expect(simulated(chain, planOf(optimal, chain).schedule)).toEqual([peakBytes, recomputeWork]);
});

it('live is the plan of the lowest peak, and says how its search ended', () => {
  const plan = planOf(live, chain);
  expect(simulated(chain, plan.schedule)[0]).toBe(26);
  expect(plan.paperCostBytes).toBeNull();
  expect(plan.claim).toEqual({ kind: 'annealed-from-lower-sets', lowerSets: 13 });
  expect(plan.checkpoints.length).toBeGreaterThan(0);
  expect(plan.stopped).toBeUndefined();
  const { stopped } = planOf(live, chain, { timeLimitSeconds: 1e-3 });
  expect(stopped).toMatchObject({ limitSeconds: 1e-3, by: 'work' });
});
