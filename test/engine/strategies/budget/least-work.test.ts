import { describe, expect, it } from 'vitest';
import { ExhaustiveSchedules } from '../../../../engine/bounds/exhaustive-schedules.ts';
import { BadInputError, InfeasibleError } from '../../../../engine/errors.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { budget } from '../../../../engine/strategies/budget/budget.ts';
import { LeastWork } from '../../../../engine/strategies/budget/least-work.ts';
import { chainDp } from '../../../../engine/strategies/chain/chain-dp.ts';
import { type Candidate, judgeKeep } from '../../../../engine/strategies/search/candidate.ts';
import { KEEP_ALL } from '../../../../engine/strategies/search/keep-encoding.ts';
import type { LiveModel } from '../../../../engine/strategies/search/live-model.ts';
import { lowestPeak } from '../../../../engine/strategies/live/lowest-peak.ts';
import { memoryPoor } from '../../../../engine/strategies/memory-poor.ts';
import { isTwiceAtMost } from '../../../../engine/strategies/search/baseline-plans.ts';
import { SearchLimit } from '../../../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { modelOf, workChain } from '../../../support/live-models.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';
import { bytesProblem } from '../../../support/problems.ts';

const silent = (): void => undefined;
const little = workChain([1, 3, 2, 4, 2, 1], [0, 5, 1, 7, 2, 3]);
/** One vertex more than is searched exactly. */
const chain = workChain([1, 3, 2, 4, 2, 7, 3, 5, 2, 6, 3, 4, 1], [0, 5, 1, 7, 2, 3, 8, 2, 5, 6, 2, 3, 9]);
const large = workChain(
  Array.from({ length: 66 }, (_, v) => 2 + ((v * 7) % 5)),
  Array.from({ length: 66 }, (_, v) => 1 + ((v * 11) % 7)),
);

const fork = bytesProblem(
  [1, 5, 9, 3, 8, 2, 7, 4, 9, 6, 5, 9, 8, 3],
  '0>1 1>2 2>3 3>4 4>5 5>6 6>13 1>7 7>8 8>9 9>10 10>11 11>12 12>13',
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
        `^no schedule at all fits ${lowest - 1} B: the least reachable is ${lowest} bytes, with (live|budget|memory-poor)$`,
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
      const asked = search.within(bytes, { moves: 100, whole: true, tick: silent });
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

  it('has 24 budgets of a front, from the lowest peak of one level, in even ratios', () => {
    const [low, high] = [search.lowest.peakBytes, search.regular.peakBytes];
    const budgets = search.frontBudgets;
    expect([low, high, budgets.length]).toEqual([26, 49, 24]);
    expect(budgets).toEqual(budgets.toSorted((a, b) => a - b));
    // The square root of 26 * 49 lies in the middle, a 24th of the way below the end.
    expect([budgets[0], budgets[12], budgets[23]]).toEqual([26, 35, 47]);
    // Where nothing can be given up there are none.
    expect(new LeastWork(workChain([1, 4, 4], []), unlimited(), 1).frontBudgets).toEqual([]);
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
      /^no schedule known fits \d+ B: the least reachable is \d+ bytes, with (live|memory-poor|budget); every schedule needs \d+ bytes or more$/,
    );
    expect(search.within(least.peakBytes, { moves: 0, tick: silent }).peakBytes).toBe(least.peakBytes);
  });

  it('prefers of equal recompute the lower peak', () => {
    const all = [...search.found(silent), ...search.nested(silent)];
    for (const bytes of [26, 32, 42, 48, 60]) {
      const found = search.within(bytes, { moves: 0, tick: silent });
      const alike = all.filter(
        (plan) => plan.peakBytes <= bytes && plan.recomputeWork === found.recomputeWork,
      );
      expect(found.peakBytes).toBe(Math.min(...alike.map(({ peakBytes }) => peakBytes)));
    }
  });

  it('reckons with the better of two orders', () => {
    const at = new LeastWork(fork, unlimited(), 1);
    const [best] = lowestPeak(fork, unlimited(), 1).choices;
    const regularOf = (model: LiveModel): number =>
      judgeKeep(fork, model, new Int32Array(model.items).fill(KEEP_ALL)).peakBytes;
    expect([regularOf(best!.model), regularOf(modelOf(fork))]).toEqual([97, 100]);
    expect(at.regular.peakBytes).toBe(97);
    // The list has better plans than all that was known before.
    const known = at.nested(silent);
    for (const [bytes, work] of [
      [53, 44],
      [71, 26],
      [91, 6],
    ] as const) {
      expect(at.within(bytes, { moves: 0, tick: silent }).recomputeWork).toBeLessThanOrEqual(work);
      expect(
        Math.min(...known.filter((plan) => plan.peakBytes <= bytes).map((plan) => plan.recomputeWork)),
      ).toBeGreaterThan(work);
    }
    expect(refusal(() => at.within(36, { moves: 0, tick: silent })).message).toMatch(
      / is 37 bytes, with budget; every schedule needs \d+ bytes or more$/,
    );
  });

  it('names the strategy that reaches the least', () => {
    expect(refusal(() => search.within(20, { moves: 0, tick: silent })).message).toBe(
      'no schedule known fits 20 B: the least reachable is 21 bytes, with memory-poor; every schedule needs 21 bytes or more',
    );
    const wide = workChain([1, 2, 2, 2, 2, 2, 90, 90, 2, 2, 2, 2, 2, 1], []);
    const at = new LeastWork(wide, unlimited(), 1);
    const { peakBytes } = at.lowest;
    expect(refusal(() => at.within(peakBytes - 1, { moves: 0, tick: silent })).message).toMatch(
      /, with live; every schedule needs \d+ bytes or more$/,
    );
  });

  it('searches large graphs for the very budget', () => {
    const at = new LeastWork(large, new SearchLimit({ timeLimitSeconds: 1 }, NO_CONTROL), 1);
    expect([at.lowest.peakBytes, at.regular.peakBytes, at.regular.recomputeWork]).toEqual([48, 269, 0]);
    expect(at.within(269, { moves: 100, tick: silent }).claim).toEqual({ kind: 'no-recompute' });
    const known = [...at.found(silent), ...at.nested(silent)];
    const least = (bytes: number, plans: readonly Candidate[]): number =>
      Math.min(
        ...plans.filter(({ peakBytes }) => peakBytes <= bytes).map(({ recomputeWork }) => recomputeWork),
      );
    const ticks: number[] = [];
    const half = at.within(114, { moves: 200, tick: (done) => void ticks.push(done) });
    expect(figures(large, half)).toEqual([half.peakBytes, half.recomputeWork]);
    expect(half.recomputeWork).toBeLessThan(0.7 * least(114, known));
    expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
    expect(ticks.every((tick) => tick >= 0 && tick < 1)).toBe(true);
    expect(ticks.length).toBeGreaterThan(2);
    // What the chain's dynamic programme has for the very budget is offered where it is asked for.
    for (const bytes of [48, 114]) {
      const plan = chainDp.plan(large, { seed: 1, budgetBytes: bytes }, NO_CONTROL);
      if (!plan.applicable) throw new Error(plan.reason);
      const { recomputeWork } = simulate(large.graph, large.memory, plan.schedule);
      const without = at.within(bytes, { moves: 0, tick: silent });
      expect(without.recomputeWork).toBeGreaterThan(recomputeWork);
      expect(at.within(bytes, { moves: 0, whole: true, tick: silent }).recomputeWork).toBe(recomputeWork);
    }
    expect(at.within(48, { moves: 0, tick: silent }).recomputeWork).toBe(least(48, known));
    // Below what recomputes once, segments are nested, at each budget as well as any that is known.
    for (const bytes of [47, 40, 30, 22]) {
      const below = at.within(bytes, { moves: 0, tick: silent });
      expect(below.recomputeWork).toBe(least(bytes, known));
      expect(below.claim).toEqual({ kind: 'recompute-found', nested: true });
    }
    expect(
      budgetOf(() =>
        chainDp.plan(large, { seed: 1, budgetBytes: at.least(silent).least.peakBytes - 1 }, NO_CONTROL),
      ),
    ).toBeNull();
  });

  it('answers from what is known where its time is over', () => {
    const over = ended();
    const at = new LeastWork(chain, over, 1);
    const found = at.within(at.lowest.peakBytes, { moves: 100, whole: true, tick: silent });
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
