import { describe, expect, it } from 'vitest';
import { movesWithin } from '../../../../engine/strategies/search/annealing-effort.ts';
import { isListed, type Listed, listPlans } from '../../../../engine/strategies/budget/plan-list.ts';
import type { Candidate } from '../../../../engine/strategies/search/candidate.ts';
import type { KeepEncoding } from '../../../../engine/strategies/search/keep-encoding.ts';
import type { SearchLimit } from '../../../../engine/strategies/search/search-limit.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { workChain } from '../../../support/live-models.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';
import { measuredProblem } from '../../../support/measured-graphs.ts';

type Figures = readonly [peak: number, work: number];

const schedule = { kinds: new Uint8Array(0), vertices: new Int32Array(0) } as Candidate['schedule'];
const planOf = ([peakBytes, recomputeWork]: Figures): Candidate => ({ schedule, peakBytes, recomputeWork });
const figuresOf = (plans: readonly Candidate[]): Figures[] =>
  plans.map(({ peakBytes, recomputeWork }) => [peakBytes, recomputeWork]);

interface Asked {
  readonly budget: number;
  readonly moves: number;
  readonly ends: readonly number[];
  readonly known: readonly KeepEncoding[];
}

/** A finder that knows some plans, tells the one of least work that fits, and writes down what it is asked. */
function finderOf(
  hidden: readonly Figures[],
  asked: Asked[] = [],
  gives: 'tells' | 'returns' = 'tells',
): Listed {
  const known = [Int32Array.of(77)];
  return {
    known,
    judged: (keep) => planOf(hidden[keep[0]!]!),
    finder: {
      within(budget, given, { moves, ends = [], onFound }) {
        asked.push({ budget, moves, ends: ends.map((keep) => keep[0]!), known: given });
        let best = -1;
        hidden.forEach(([peak, work], i) => {
          if (peak <= budget && (best < 0 || work < hidden[best]![1])) best = i;
        });
        if (best < 0) return null;
        const keep = Int32Array.of(best);
        if (gives === 'tells') onFound?.(keep, ...hidden[best]!);
        return gives === 'tells' ? null : keep;
      },
    },
  };
}

// Whatever is looked for, all sizes are multiples of four bytes.
const chain = workChain(new Array<number>(20).fill(4), new Array<number>(20).fill(5));

function listed(
  known: readonly Figures[],
  finders: readonly Listed[],
  { problem = chain, search = unlimited() }: { problem?: Problem; search?: SearchLimit } = {},
): Figures[] {
  return figuresOf(listPlans(problem, known.map(planOf), finders, search, () => undefined));
}

describe('listPlans', () => {
  const ends: Figures[] = [
    [400, 0],
    [100, 900],
  ];
  const between: Figures[] = [
    [320, 20],
    [240, 110],
    [200, 260],
    [120, 700],
  ];

  it('finds what lies between two plans, by growing peak', () => {
    const all = [...ends, ...between].sort((a, b) => a[0] - b[0]);
    expect(listed(ends, [finderOf(between)])).toEqual(all);
    expect(listed(ends, [finderOf(between, [], 'returns')])).toEqual(all);
    expect(listed(ends, [finderOf(between.slice(0, 2)), finderOf(between.slice(2))])).toEqual(all);
    expect(listed(ends, [finderOf([])])).toEqual([ends[1], ends[0]]);
  });

  it('has only undominated, distinct plans', () => {
    const beaten: Figures[] = [
      [400, 30],
      [420, 0],
      [300, 900],
      [100, 901],
      [100, 900],
      [400, 0],
    ];
    expect(listed([...beaten, ...ends], [finderOf([])])).toEqual([ends[1], ends[0]]);
    expect(listed(ends, [finderOf([[240, 950], ...between])])).toEqual(
      [...ends, ...between].sort((a, b) => a[0] - b[0]),
    );
  });

  it('asks for budgets inside gaps, in whole units, and for none again', () => {
    const asked: Asked[] = [];
    listed(ends, [finderOf(between, asked)]);
    const budgets = asked.map(({ budget }) => budget);
    // First the middle of the only gap, in logarithms: of 96 and 400.
    expect(budgets[0]).toBe(Math.floor(Math.sqrt(96 * 400) / 4) * 4);
    for (const budget of budgets) {
      expect(budget % 4).toBe(0);
      expect(budget).toBeGreaterThanOrEqual(100);
      expect(budget).toBeLessThan(400);
    }
    expect(new Set(budgets).size).toBe(budgets.length);
    // Every gap is closed: right below each plan nothing better was found.
    for (const [peak] of [...between, ends[0]!]) expect(budgets).toContain(peak - 4);
    expect(budgets.length).toBeLessThan(80);
  });

  it('searches first in the gap that is widest in both figures', () => {
    const asked: Asked[] = [];
    const plans: Figures[] = [
      [1000, 0],
      [800, 1],
      [400, 300],
      [392, 301],
      [100, 302],
    ];
    listed(plans, [finderOf([], asked)]);
    // Between 400 and 800 bytes work falls three hundredfold.
    expect(asked[0]!.budget).toBe(Math.floor(Math.sqrt(396 * 800) / 4) * 4);
    expect(asked[1]!.budget).toBeGreaterThan(asked[0]!.budget);
  });

  it('skips gaps with almost nothing to gain', () => {
    const asked: Asked[] = [];
    listed(
      [
        [1_000_000, 1_000_000],
        [900_000, 1_000_001],
      ],
      [finderOf([], asked)],
    );
    expect(asked).toHaveLength(0);
  });

  it('carries on from what both neighbours keep, each under its own order', () => {
    const first: Asked[] = [];
    const second: Asked[] = [];
    listed(ends, [finderOf(between.slice(0, 2), first), finderOf(between.slice(2), second)]);
    expect(first[0]!.ends).toEqual([]);
    expect(first.some(({ ends: [a, b] }) => a !== undefined && b !== undefined)).toBe(true);
    expect(second.some(({ ends: given }) => given.length > 0)).toBe(true);
    for (const { ends: given } of [...first, ...second])
      for (const keep of given) expect([0, 1]).toContain(keep);
    expect(first[0]!.known[0]![0]).toBe(77);
  });

  it('shares the moves of a sixth of one search among the finders', () => {
    const one: Asked[] = [];
    listed(ends, [finderOf(between, one)]);
    expect(one[0]!.moves).toBeCloseTo(movesWithin(20) / 6, 6);
    const two: Asked[] = [];
    listed(ends, [finderOf(between, two), finderOf([])]);
    expect(two[0]!.moves).toBeCloseTo(movesWithin(20) / 12, 6);
  });

  it('searches at most 128 times, fewer where there are many edges', () => {
    /** Every vertex reads all before it. */
    const dense = (size: number): Problem =>
      measuredProblem(
        Array.from({ length: size }, (_, v) => ({
          bytes: 4,
          flops: 5,
          inputs: Array.from({ length: v }, (_, u) => u),
        })),
      );
    const many = Array.from({ length: 400 }, (_, i): Figures => [100_000 + 4000 * i, 1e9 / 1.05 ** i]);
    const times = (problem: Problem): number => {
      const asked: Asked[] = [];
      listed([many[0]!, many.at(-1)!], [finderOf(many, asked)], { problem });
      return asked.length;
    };
    expect(times(chain)).toBe(128);
    expect(times(dense(10))).toBe(35);
    expect(times(dense(20))).toBe(16);
    expect(times(dense(40))).toBe(16);
  });

  it('reports progress, and ends if the search must stop', () => {
    const shares: number[] = [];
    listPlans(chain, ends.map(planOf), [finderOf(between)], unlimited(), (done) => void shares.push(done));
    expect(shares.slice(0, 3)).toEqual([0, 1 / 128, 2 / 128]);
    const search = ended();
    expect(listed(ends, [finderOf(between)], { search })).toEqual([ends[1], ends[0]]);
    expect(search.ending.stopped?.unfinished).toEqual([{ what: 'budgets', tried: 0, of: 128 }]);
  });

  it('is for graphs of up to 64 vertices', () => {
    const of = (size: number): boolean => isListed(workChain(new Array<number>(size).fill(1), []));
    expect([of(64), of(65)]).toEqual([true, false]);
  });
});
