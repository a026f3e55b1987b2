import { describe, expect, it } from 'vitest';
import { paperCost } from '../../../engine/paper/paper-cost.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { chainCost, splittingChain } from '../../../engine/strategies/chen/splitting-chain.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { bytesChain, bytesProblem, randomProblems, FORK, RIGID } from '../../support/problems.ts';
import { chance, createRng } from '../../support/rng.ts';

const chain = (cost: number[]): Problem => createProblem(bytesChain(cost), 'pytorch');
const choose = (problem: Problem, strategy: string, checkpoints?: string[]) =>
  solveRow(problem, strategy, checkpoints === undefined ? { seed: 1 } : { seed: 1, checkpoints });

describe('the chain of splitting vertices', () => {
  it('[D2] holds what every path passes, with what lies in the gaps', () => {
    const { vertices, inside, largest } = splittingChain(FORK.view.tensors);
    expect(vertices).toEqual([0, 1, 4, 5, 6]);
    expect([...inside]).toEqual([0, 5, 0, 0]);
    expect([...largest]).toEqual([0, 3, 0, 0]);
  });

  it('equals the vertices whose removal cuts source from target, and Eq. 2 on them', () => {
    const rng = createRng(2);
    for (const [name, { view }] of randomProblems(800, 81, 14)) {
      const { tensors } = view;
      const found = splittingChain(tensors);
      const expected: number[] = [];
      for (let v = 0; v < tensors.size; v++) {
        const reached = new Set(v === 0 ? [] : [0]);
        for (let u = 0; u < tensors.size; u++) {
          if (!reached.has(u)) continue;
          for (let e = 0; e < tensors.edgeCount; e++) {
            if (tensors.edgeFrom[e] === u && tensors.edgeTo[e] !== v) reached.add(tensors.edgeTo[e] ?? 0);
          }
        }
        if (!reached.has(tensors.size - 1)) expected.push(v);
      }
      expect(found.vertices, name).toEqual(expected);
      const positions = expected
        .map((_, i) => i)
        .filter((i) => i > 0 && i < expected.length - 1 && chance(rng, 0.5));
      const cost = paperCost(
        tensors,
        positions.map((i) => expected[i] ?? 0),
      );
      expect(cost.ok && cost.cost, name).toBe(chainCost(tensors, found, positions));
    }
  });
});

describe('chen-sqrt and articulation', () => {
  it('cut chains of any length as their rules say', () => {
    const inner = (size: number, strategy: string): string =>
      choose(chain(new Array<number>(size + 2).fill(1)), strategy).checkpoints.join(' ');
    // About √n segments of n / √n stages.
    const ofChen = ['', 'v2', 'v3', 'v2 v5', 'v3 v6', 'v4 v8'];
    expect([1, 2, 4, 6, 8, 11].map((size) => inner(size, 'chen-sqrt'))).toEqual(ofChen);
    // All of √n candidates rounded up; else every n / √n-th, the first apart.
    const ofOpenAi = ['v1', 'v1 v2', 'v3', 'v3', 'v4', 'v4 v7', 'v5 v9 v13'];
    expect([1, 2, 3, 4, 6, 8, 16].map((size) => inner(size, 'articulation'))).toEqual(ofOpenAi);
  });

  it('work on the splitting vertices of other graphs', () => {
    expect(choose(FORK, 'chen-sqrt').checkpoints).toEqual(['v4']);
    // Three candidates, ceil(sqrt(5)) = 3: all of them.
    expect(choose(FORK, 'articulation').checkpoints).toEqual(['v1', 'v4', 'v5']);
  });

  it('say why without a splitting vertex', () => {
    const reason = 'no splitting vertex: every vertex can be bypassed, v1 by the edge from v0 to v2';
    for (const strategy of [
      'chen-sqrt',
      'chen-greedy',
      'chen-memonger',
      'articulation',
      'revolve',
      'sequential',
    ]) {
      expect(choose(RIGID, strategy)).toMatchObject({ applicable: false, reason, peakBytes: null });
    }
    const bare = chain([1, 1]);
    expect(choose(bare, 'chen-sqrt').reason).toBe('there is no vertex between source and target');
  });
});

it('chen-greedy is the best by Eq. 2 of all budgets of Algorithm 3', () => {
  const rng = createRng(3);
  for (let run = 0; run < 200; run++) {
    const cost = Array.from({ length: 3 + rng.below(12) }, () => rng.below(10));
    const problem = chain(cost);
    let best = Number.POSITIVE_INFINITY;
    for (let budget = 0; budget <= cost.reduce((a, b) => a + b); budget++) {
      const checkpoints: number[] = [];
      let sum = 0;
      for (let v = 1; v < cost.length - 1; v++) {
        sum += cost[v] ?? 0;
        if (sum <= budget) continue;
        checkpoints.push(v);
        sum = 0;
      }
      const eq2 = paperCost(problem.view.tensors, checkpoints);
      if (eq2.ok) best = Math.min(best, eq2.cost);
    }
    expect(choose(problem, 'chen-greedy').paperCostBytes).toBe(best);
  }
});

describe('chen-greedy in a limited time', () => {
  it('keeps the best of the budgets that it tried', () => {
    let now = 0;
    const options = { seed: 1, timeLimitSeconds: 1, now: () => (now += 400) };
    const problem = chain(Array.from({ length: 30 }, (_, i) => 1 + ((7 * i) % 11)));
    const row = solveRow(problem, 'chen-greedy', options);
    expect(row.stopped).toEqual({
      limitSeconds: 1,
      by: 'clock',
      unfinished: [{ what: 'budgets', tried: 2, of: null }],
    });
    const whole = choose(problem, 'chen-greedy');
    expect(whole.stopped).toBeUndefined();
    expect(whole.paperCostBytes).toBeLessThan(row.paperCostBytes ?? 0);
  });

  it('lets budgets grow by a hundredth on long chains', () => {
    const shares: number[] = [];
    const problem = chain(new Array<number>(400).fill(1));
    const row = solveRow(problem, 'chen-greedy', { seed: 1 }, { tick: (done) => void shares.push(done) });
    // Eq. 2 of segments of s vertices: 399 / s + s.
    expect(row.paperCostBytes).toBeLessThan(42);
    for (const [i, share] of shares.entries())
      if (i > 1) expect(share).toBeGreaterThan(1.009 * (shares[i - 1] ?? 0));
    expect(shares.every((share) => share < 1)).toBe(true);
  });
});

describe('chen-memonger', () => {
  it('reports the share of its nine budgets', () => {
    const shares: number[] = [];
    const problem = chain(Array.from({ length: 30 }, (_, i) => 1 + ((700 * i) % 1100)));
    solveRow(
      problem,
      'chen-memonger',
      { seed: 1 },
      { tick: (done) => void shares.push(Math.round(9 * done)) },
    );
    expect(shares).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("has the lowest peak of the nine budgets of the program's search, the source in the first segment", () => {
    const rng = createRng(4);
    let grids = 0;
    let above = 0;
    for (let run = 0; run < 200; run++) {
      const cost = Array.from({ length: 3 + rng.below(25) }, () => 1 + rng.below(1000));
      const problem = chain(cost);
      let best = Number.POSITIVE_INFINITY;
      const attempt = (budget: number): { saved: number; largest: number } => {
        const checkpoints: string[] = [];
        let saved = 0;
        let largest = 0;
        let sum = 0;
        cost.slice(0, -1).forEach((bytes, v) => {
          sum += bytes;
          if (v === 0 || sum <= budget) return;
          checkpoints.push(`v${v}`);
          saved += bytes;
          largest = Math.max(largest, sum);
          sum = 0;
        });
        best = Math.min(best, choose(problem, 'manual', checkpoints).peakBytes ?? best);
        return { saved, largest };
      };
      const first = attempt(0);
      const guess = ({ saved, largest }: typeof first): number =>
        Math.floor(Math.sqrt((saved * largest) / 2));
      const second = attempt(guess(first));
      const third = attempt(guess(second));
      const low = Math.min(first.largest, second.largest, third.largest);
      const step = Math.floor((Math.SQRT2 * guess(third) - low) / 6);
      if (step > 0) {
        grids++;
        for (let k = 1; k <= 6; k++) attempt(low + k * step);
      }
      const row = choose(problem, 'chen-memonger');
      expect(row.peakBytes).toBe(best);
      const whole = choose(problem, 'chen-greedy').paperCostBytes ?? 0;
      if ((row.paperCostBytes ?? 0) > whole) above++;
    }
    expect(grids).toBeGreaterThan(50);
    // Few budgets miss what all of them find.
    expect(above).toBeGreaterThan(20);
  });
});

describe('random', () => {
  it('chooses one to five vertices, another set for another seed', () => {
    const problem = chain(new Array<number>(40).fill(1));
    const sets = [1, 2, 3].map((seed) => solveRow(problem, 'random', { seed }).checkpoints.join(' '));
    expect(new Set(sets).size).toBe(3);
    for (const set of sets) expect(set.split(' ').length).toBeLessThanOrEqual(5);
  });

  it('draws a new set for each trial, and reports how many of how many draws were valid', () => {
    const problem = chain(new Array<number>(40).fill(1));
    const row = solveRow(problem, 'random', { seed: 1 });
    expect(row.claim).toEqual({ kind: 'random-sets', valid: 10, trials: 10, draws: 20_000 });
    expect(row.stopped).toBeUndefined();
    // The single vertex between source and target is every set.
    expect(solveRow(chain([1, 5, 1]), 'random', { seed: 4 }).checkpoints).toEqual(['v1']);
    expect(solveRow(chain([1, 1]), 'random', { seed: 1 }).reason).toBe(
      'there is no vertex between source and target',
    );
  });

  it('keeps the lowest peak of the sets that it drew', () => {
    // With one checkpoint at each place of a chain: ten draws find one that is low.
    const costs = [1, 9, 1, 1, 9, 1, 1, 9, 1];
    const problem = chain(costs);
    for (let seed = 0; seed < 12; seed++) {
      const row = solveRow(problem, 'random', { seed });
      const manual = choose(problem, 'manual', [...row.checkpoints]);
      expect(row.peakBytes).toBe(manual.peakBytes);
      if (row.checkpoints.length > 1) continue;
      const all = costs.slice(1, -1).map((_, i) => choose(problem, 'manual', [`v${i + 1}`]).peakBytes ?? 0);
      const lower = all.filter((peak) => peak < (row.peakBytes ?? 0)).length;
      // Three of seven at least are no lower than the best of ten.
      expect(lower).toBeLessThan(5);
    }
  });

  it('stops at its time limit with the best so far', () => {
    let now = 0;
    const clock = (): number => (now += 400);
    const problem = chain(new Array<number>(40).fill(1));
    const row = solveRow(problem, 'random', { seed: 1, timeLimitSeconds: 1, now: clock });
    expect(row.applicable).toBe(true);
    expect(row.stopped).toEqual({
      limitSeconds: 1,
      by: 'clock',
      unfinished: [{ what: 'trials', tried: 2, of: 10 }],
    });
    expect(row.claim).toMatchObject({ kind: 'random-sets', valid: 2, trials: 2 });
  });

  it('is not applicable if no set cuts the graph', () => {
    // Two layers of six, each vertex of one feeding all of the other: five checkpoints leave a part with two sources.
    const layer = [1, 2, 3, 4, 5, 6];
    const edges = layer.flatMap((v) => [`0>${v}`, ...layer.map((w) => `${v}>${w + 6}`), `${v + 6}>13`]);
    const problem = bytesProblem(new Array<number>(14).fill(1), edges.join(' '));
    expect(solveRow(problem, 'random', { seed: 0 })).toMatchObject({
      applicable: false,
      reason: 'no valid set of 2 checkpoints in 20000 draws',
    });
  });
});

describe('linear-optimal and optimal', () => {
  it('claim the least of the equation that they minimise', () => {
    const linear = chain([1, 3, 1, 3, 1, 3, 1]);
    expect(choose(linear, 'linear-optimal').claim).toMatchObject({ kind: 'least-paper-cost', equation: 1 });
    expect(choose(linear, 'optimal').claim).toMatchObject({ kind: 'least-paper-cost', equation: 2 });
  });

  it('[A1] refuses a graph that is not linear, and says where', () => {
    expect(choose(FORK, 'linear-optimal').reason).toBe('the graph is not linear: v1 feeds 2 operations');
  });

  it('[A1] [A6] agree on linear graphs', () => {
    const rng = createRng(6);
    for (let run = 0; run < 50; run++) {
      const problem = chain(Array.from({ length: 2 + rng.below(20) }, () => rng.below(10)));
      const linear = choose(problem, 'linear-optimal');
      const general = choose(problem, 'optimal');
      expect(linear.paperCostBytes).toBe(general.paperCostBytes);
      expect(linear.checkpoints).toEqual(general.checkpoints);
    }
  });

  it('[A6] finds the Eq. 2 of the recorded facts', () => {
    const elements = {
      alexnet: 272704,
      vgg16: 7426048,
      resnet50: 6021120,
      densenet121: 6039936,
      inceptionv3: 5388384,
    };
    for (const [name, optimum] of Object.entries(elements)) {
      const problem = createProblem(buildModel(name, { batch: 2 }), 'pytorch');
      expect(choose(problem, 'optimal').paperCostBytes, name).toBe(2 * 4 * optimum);
    }
  });
});
