import { describe, expect, it } from 'vitest';
import { insertFrees } from '../../../../engine/schedule/liveness.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { ReversalTable } from '../../../../engine/strategies/chain/reversal-table.ts';
import { type Policy, reverseChain } from '../../../../engine/strategies/chain/reverse.ts';
import type { StageChain } from '../../../../engine/strategies/chain/stage-chain.ts';
import { profileStages } from '../../../../engine/strategies/chain/stage-profile.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { type MeasuredVertex, measuredProblem } from '../../../support/measured-graphs.ts';
import { between, createRng } from '../../../support/rng.ts';
import { chainOf, chainOfBytes, keeping } from '../../../support/stage-chains.ts';

/** How to go backward through a range: nothing to decide for one stage. */
type Tree = null | { readonly at: number; readonly keep: boolean; readonly right: Tree; readonly left: Tree };

/** Every way through stages from..to-1. */
function trees(from: number, to: number): Tree[] {
  if (to === from + 1) return [null];
  const all: Tree[] = trees(from + 1, to).map((right) => ({ at: from, keep: false, right, left: null }));
  for (let at = from + 1; at < to; at++) {
    for (const right of trees(at, to)) {
      for (const left of trees(from, at)) {
        for (const keep of [false, true]) all.push({ at, keep, right, left });
      }
    }
  }
  return all;
}

/** Follows a tree: what is right of a boundary comes first. */
function following(tree: Tree): Policy {
  const pending = [tree];
  return () => {
    for (;;) {
      const next = pending.pop();
      if (next === undefined) throw new Error('asked for more than the tree decides');
      if (next === null) continue;
      pending.push(next.left, next.right);
      return { at: next.at, keep: next.keep, left: 0 };
    }
  };
}

interface Cost {
  /** Bytes beside the source. */
  readonly bytes: number;
  readonly work: number;
}

function costOf(chain: StageChain, policy: Policy, units = 0): Cost {
  const { graph, memory } = chain.problem;
  const { compute } = reverseChain(chain, policy, units, NO_CONTROL);
  const run = simulate(graph, memory, insertFrees(graph, memory, compute));
  return { bytes: run.peakBytes - memory.outputBytes[0]!, work: run.forwardWork + run.recomputeWork };
}

/** A chain whose vertices cost bytes and FLOPs that have nothing to do with each other. */
function chainOfWork(bytes: readonly number[], flops: readonly number[]): StageChain {
  return chainOf(
    measuredProblem(
      bytes.map((size, v) => ({ bytes: size, flops: flops[v] ?? 0, inputs: v === 0 ? [] : [v - 1] })),
    ),
  );
}

/** Stages of a vertex that feeds two, which are joined: their tapes hold more than their boundaries. */
function chainOfForks(stages: number, bytes: () => number): StageChain {
  const vertices: MeasuredVertex[] = [{ bytes: bytes(), flops: 0, inputs: [] }];
  for (let stage = 0; stage < stages; stage++) {
    const start = vertices.length - 1;
    const forks = stage % 2 === 0 ? [[start], [start], [start + 1, start + 2]] : [[start]];
    for (const inputs of forks) vertices.push({ bytes: bytes(), flops: 0, inputs });
  }
  return chainOf(measuredProblem(vertices));
}

function tableOf(chain: StageChain, bytes: number, units = bytes): ReversalTable {
  return new ReversalTable(chain, profileStages(chain), bytes, units, NO_CONTROL);
}

describe('the table of least work', () => {
  it('is the least of all ways through a chain, for every memory', () => {
    const rng = createRng(3);
    for (let run = 0; run < 24; run++) {
      const stages = run < 20 ? between(rng, 2, 4) : 5;
      const bytes = Array.from({ length: stages + 1 }, () => between(rng, 1, 9));
      const flops = bytes.map((_, v) => (v === 0 ? 0 : between(rng, 1, 20)));
      const chain = run % 2 === 0 ? chainOfBytes(bytes) : chainOfWork(bytes, flops);
      const costs = trees(0, stages).map((tree) => costOf(chain, following(tree)));
      const most = Math.max(...costs.map((cost) => cost.bytes));
      const table = tableOf(chain, most);
      for (let m = 0; m <= most; m++) {
        const works = costs.filter((cost) => cost.bytes <= m).map(({ work }) => work);
        expect(table.work(m), `${bytes} | ${flops} in ${m}`).toBe(Math.min(...works));
      }
    }
  });

  it('is the least where the tapes of stages are held or recomputed', () => {
    const rng = createRng(7);
    for (let run = 0; run < 10; run++) {
      const stages = between(rng, 2, 4);
      const chain = chainOfForks(stages, () => between(rng, 1, 9));
      const costs = trees(0, stages).map((tree) => costOf(chain, following(tree)));
      const most = Math.max(...costs.map((cost) => cost.bytes));
      const table = tableOf(chain, most);
      for (let m = 0; m <= most; m++) {
        const works = costs.filter((cost) => cost.bytes <= m).map(({ work }) => work);
        const label = `run ${run} in ${m}`;
        expect(table.work(m), label).toBe(Math.min(...works));
        if (works.length === 0) continue;
        const cost = costOf(chain, table.policy, m);
        expect(cost.work, label).toBe(table.work(m));
        expect(cost.bytes, label).toBeLessThanOrEqual(m);
      }
      // In what regular training takes there is nothing to repeat.
      const regular = costOf(chain, (from) => ({ at: from, left: 0 }));
      expect(tableOf(chain, regular.bytes).work(regular.bytes)).toBe(regular.work);
    }
  });

  it('holds for a stage what its own backward does not read only where that pays', () => {
    const rng = createRng(9);
    for (let run = 0; run < 10; run++) {
      // As convolutions do: the backward reads the input and not the output.
      const vertices = Array.from({ length: between(rng, 3, 5) }, (_, v): MeasuredVertex => {
        const flops = v === 0 ? 0 : between(rng, 1, 20);
        const inputs = v === 0 ? [] : [v - 1];
        return { bytes: between(rng, 1, 9), flops, inputs, ...keeping({ inputs: v === 0 ? [] : [0] }) };
      });
      const chain = chainOf(measuredProblem(vertices));
      const costs = trees(0, vertices.length - 1).map((tree) => costOf(chain, following(tree)));
      const most = Math.max(...costs.map((cost) => cost.bytes));
      const table = tableOf(chain, most);
      for (let m = 0; m <= most; m++) {
        const works = costs.filter((cost) => cost.bytes <= m).map(({ work }) => work);
        expect(table.work(m), `${JSON.stringify(vertices)} in ${m}`).toBe(Math.min(...works));
      }
    }
  });

  it('decides as it counts: its plans take the work and the memory that it says', () => {
    const rng = createRng(5);
    for (let run = 0; run < 12; run++) {
      const stages = between(rng, 2, 9);
      const bytes = Array.from({ length: stages + 1 }, () => between(rng, 1, 9));
      const chain = chainOfBytes(bytes);
      const table = tableOf(chain, 60);
      let finite = 0;
      for (let m = 0; m <= 60; m++) {
        if (!Number.isFinite(table.work(m))) continue;
        finite++;
        const cost = costOf(chain, table.policy, m);
        expect(cost.work, `${bytes} in ${m}`).toBe(table.work(m));
        expect(cost.bytes, `${bytes} in ${m}`).toBeLessThanOrEqual(m);
      }
      expect(finite).toBeGreaterThan(10);
    }
  });

  it('rounds sizes up to its unit, so that what it plans fits', () => {
    const chain = chainOfBytes([2, 3, 6, 9, 3, 6, 9]);
    const fine = tableOf(chain, 60);
    // All sizes are multiples of 3.
    const exact = tableOf(chain, 60, 20);
    expect(exact.bytes(1)).toBe(3);
    expect(exact.bytes(20)).toBe(60);
    for (let m = 0; m <= 20; m++) expect(exact.work(m), `${m}`).toBe(fine.work(3 * m));
    const coarse = tableOf(chain, 60, 13);
    expect(coarse.units).toBe(13);
    let finite = 0;
    for (let m = 0; m <= 13; m++) {
      expect(coarse.work(m), `${m}`).toBeGreaterThanOrEqual(fine.work(Math.floor(coarse.bytes(m))));
      if (!Number.isFinite(coarse.work(m))) continue;
      finite++;
      const cost = costOf(chain, coarse.policy, m);
      expect(cost.bytes, `${m}`).toBeLessThanOrEqual(coarse.bytes(m));
      expect(cost.work, `${m}`).toBe(coarse.work(m));
    }
    expect(finite).toBeGreaterThan(2);
  });

  it('tells the share done, which grows with the square of the length', () => {
    const shares: number[] = [];
    const chain = chainOfBytes([1, 1, 1, 1, 1]);
    new ReversalTable(chain, profileStages(chain), 9, 9, { tick: (done) => shares.push(done) });
    expect(shares).toEqual([1 / 16, 4 / 16, 9 / 16, 1]);
  });
});
