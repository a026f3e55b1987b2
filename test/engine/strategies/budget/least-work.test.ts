import { describe, expect, it } from 'vitest';
import { ExhaustiveSchedules } from '../../../../engine/bounds/exhaustive-schedules.ts';
import { BadInputError, InfeasibleError } from '../../../../engine/errors.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { budget } from '../../../../engine/strategies/budget/budget.ts';
import { LeastWork } from '../../../../engine/strategies/budget/least-work.ts';
import { chainDp } from '../../../../engine/strategies/chain-dp.ts';
import type { Candidate } from '../../../../engine/strategies/live/candidate.ts';
import { memoryPoor } from '../../../../engine/strategies/memory-poor.ts';
import { isTwiceAtMost } from '../../../../engine/strategies/portfolio.ts';
import { SearchLimit } from '../../../../engine/strategies/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy.ts';
import { ended, unlimited, workChain } from '../../../support/live-models.ts';

const silent = (): void => undefined;
const little = workChain([1, 3, 2, 4, 2, 1], [0, 5, 1, 7, 2, 3]);
/** One vertex more than is searched exactly. */
const chain = workChain([1, 3, 2, 4, 2, 7, 3, 5, 2, 6, 3, 4, 1], [0, 5, 1, 7, 2, 3, 8, 2, 5, 6, 2, 3, 9]);
const large = workChain(
  Array.from({ length: 70 }, (_, v) => 2 + ((v * 7) % 5)),
  Array.from({ length: 70 }, (_, v) => 1 + ((v * 11) % 7)),
);

function figures({ graph, memory }: Problem, { schedule }: Candidate): number[] {
  const { peakBytes, recomputeWork } = simulate(graph, memory, schedule);
  return [peakBytes, recomputeWork];
}

function refusal(run: () => unknown): InfeasibleError {
  try {
    run();
  } catch (error) {
    if (error instanceof InfeasibleError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('LeastWork', () => {
  it('is exact on little graphs at every budget', () => {
    const every = new ExhaustiveSchedules(little);
    const search = new LeastWork(little, unlimited(), 1);
    const lowest = every.lowestPeak();
    const most = search.regular.peakBytes;
    expect(search.regular.recomputeWork).toBe(0);
    for (let bytes = lowest; bytes <= most + 1; bytes++) {
      const found = search.within(bytes, { moves: 0, tick: silent });
      expect(figures(little, found)).toEqual([found.peakBytes, found.recomputeWork]);
      expect(found.peakBytes).toBeLessThanOrEqual(bytes);
      expect(found.recomputeWork).toBe(every.leastRecompute(bytes));
      expect(found.claim).toEqual({ kind: 'exact-recompute' });
    }
    const { least, isExact } = search.least(silent);
    expect([least.peakBytes, isExact]).toEqual([lowest, true]);
    const error = refusal(() => search.within(lowest - 1, { moves: 0, tick: silent }));
    expect(error.leastBytes).toBe(lowest);
    expect(error.message).toMatch(
      new RegExp(
        `^no schedule at all fits ${lowest - 1} B: the least reachable is ${lowest} B \\(${lowest} bytes\\), with (live|budget|memory-poor)$`,
      ),
    );
  });

  const search = new LeastWork(chain, unlimited(), 1);

  it('recomputes no more than anything else that fits, and says what it is', () => {
    let before = Number.POSITIVE_INFINITY;
    const all = search.found(silent);
    const least = Math.min(...all.map(({ peakBytes }) => peakBytes));
    for (let bytes = least; bytes <= 50; bytes++) {
      const found = search.within(bytes, { moves: 100, tick: silent });
      expect(figures(chain, found)).toEqual([found.peakBytes, found.recomputeWork]);
      expect(found.peakBytes).toBeLessThanOrEqual(bytes);
      for (const other of [...all, ...search.nested(silent)])
        if (other.peakBytes <= bytes) expect(found.recomputeWork).toBeLessThanOrEqual(other.recomputeWork);
      expect(found.recomputeWork).toBeLessThanOrEqual(before);
      before = found.recomputeWork;
      expect(found.claim).toEqual(
        found.recomputeWork === 0
          ? { kind: 'no-recompute' }
          : { kind: 'recompute-found', nested: !isTwiceAtMost(found.schedule, 13) },
      );
      const plan = budgetOf(() => chainDp.plan(chain, { seed: 1, budgetBytes: bytes }, NO_CONTROL));
      const asked = search.within(bytes, { moves: 100, chain: true, tick: silent });
      expect(asked.recomputeWork).toBeLessThanOrEqual(found.recomputeWork);
      if (plan?.applicable)
        expect(asked.recomputeWork).toBeLessThanOrEqual(
          simulate(chain.graph, chain.memory, plan.schedule).recomputeWork,
        );
    }
    expect(before).toBe(0);
    // Seen among all that was found: of equal recompute the lower peak.
    const at = search.within(50, { moves: 100, tick: silent });
    expect(at.peakBytes).toBe(49);
  });

  it('has nested segments by falling peak, down to storing nothing', () => {
    const peaks = search.nested(silent).map(({ peakBytes }) => peakBytes);
    expect(peaks).toEqual(peaks.toSorted((a, b) => b - a));
    const poor = memoryPoor.plan(chain, { seed: 1 }, NO_CONTROL);
    if (!poor.applicable) throw new Error(poor.reason);
    expect(peaks).toContain(simulate(chain.graph, chain.memory, poor.schedule).peakBytes);
    expect(search.nested(silent)).toBe(search.nested(silent));
  });

  it('names the least that is known where nothing fits', () => {
    const { least, isExact } = search.least(silent);
    expect(isExact).toBe(false);
    for (const other of [...search.found(silent), ...search.nested(silent)])
      expect(least.peakBytes).toBeLessThanOrEqual(other.peakBytes);
    const error = refusal(() => search.within(least.peakBytes - 1, { moves: 0, tick: silent }));
    expect(error.leastBytes).toBe(least.peakBytes);
    expect(error.message).toMatch(
      /^no schedule known fits \d+ B: the least reachable is \d+ B \(\d+ bytes\), with (live|memory-poor|budget)$/,
    );
    expect(search.within(least.peakBytes, { moves: 0, tick: silent }).peakBytes).toBe(least.peakBytes);
  });

  it('searches large graphs for the very budget', () => {
    const limit = new SearchLimit({ timeLimitSeconds: 0.3 }, NO_CONTROL);
    const at = new LeastWork(large, limit, 1);
    const full = at.regular;
    expect(full.recomputeWork).toBe(0);
    const open = at.within(full.peakBytes, { moves: 100, tick: silent });
    expect(open.claim).toEqual({ kind: 'no-recompute' });
    const ticks: number[] = [];
    const half = at.within(Math.floor((at.lowest.peakBytes + full.peakBytes) / 2), {
      moves: 640,
      tick: (done) => void ticks.push(done),
    });
    expect(figures(large, half)).toEqual([half.peakBytes, half.recomputeWork]);
    expect(half.recomputeWork).toBeLessThan(at.lowest.recomputeWork);
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks.every((tick) => tick >= 0 && tick <= 1)).toBe(true);
    const tight = at.within(at.lowest.peakBytes, { moves: 0, tick: silent });
    expect(tight.recomputeWork).toBeLessThanOrEqual(at.lowest.recomputeWork);
    // Below what recomputes once, segments are nested.
    const below = at.within(at.lowest.peakBytes - 1, { moves: 0, tick: silent });
    expect(below.claim).toEqual({ kind: 'recompute-found', nested: true });
  });

  it('answers from what is known where its time is over', () => {
    const over = ended();
    const at = new LeastWork(chain, over, 1);
    const found = at.within(at.lowest.peakBytes, { moves: 100, chain: true, tick: silent });
    expect(found.peakBytes).toBeLessThanOrEqual(at.lowest.peakBytes);
    expect(at.within(at.regular.peakBytes, { moves: 100, tick: silent }).recomputeWork).toBe(0);
    expect(over.ending.stopped?.by).toBe('work');
  });
});

/** Null where it is refused. */
function budgetOf(run: () => ReturnType<typeof chainDp.plan>): ReturnType<typeof chainDp.plan> | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof InfeasibleError) return null;
    throw error;
  }
}

describe('budget', () => {
  it('needs a positive number of bytes', () => {
    expect(budget.plan(little, { seed: 1 }, NO_CONTROL)).toEqual({
      applicable: false,
      reason: 'It needs a budget: the most live bytes that a step may hold.',
    });
    for (const budgetBytes of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => budget.plan(little, { seed: 1, budgetBytes }, NO_CONTROL)).toThrow(
        new BadInputError(`expected a positive number of bytes, got ${budgetBytes}`, 'budgetBytes'),
      );
  });

  it('is the least recompute within it, with what it keeps and how its search ended', () => {
    const shares: number[] = [];
    const plan = budget.plan(chain, { seed: 1, budgetBytes: 30 }, { tick: (done) => void shares.push(done) });
    if (!plan.applicable) throw new Error(plan.reason);
    expect(simulate(chain.graph, chain.memory, plan.schedule).peakBytes).toBeLessThanOrEqual(30);
    expect(plan).toMatchObject({ paperCostBytes: null, claim: { kind: 'recompute-found' } });
    expect(plan.checkpoints.length).toBeGreaterThan(0);
    expect(plan.stopped).toBeUndefined();
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(shares.filter((share) => share > 0.41 && share < 1).length).toBeGreaterThan(10);
    const stopped = budget.plan(chain, { seed: 1, budgetBytes: 30, timeLimitSeconds: 0.001 }, NO_CONTROL);
    if (!stopped.applicable) throw new Error(stopped.reason);
    expect(stopped.stopped).toMatchObject({ limitSeconds: 0.001, by: 'work' });
    expect(simulate(chain.graph, chain.memory, stopped.schedule).peakBytes).toBeLessThanOrEqual(30);
  });
});
