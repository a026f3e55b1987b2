import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { BACKWARD, FORWARD, type Schedule } from '../../../engine/schedule/schedule.ts';
import { bptt, mixedStates } from '../../../engine/strategies/bptt.ts';
import { binomialSplit, revolve } from '../../../engine/strategies/revolve.ts';
import { sequential } from '../../../engine/strategies/sequential.ts';
import {
  NO_CONTROL,
  type Plan,
  type Strategy,
  type StrategyOptions,
} from '../../../engine/strategies/strategy.ts';
import { bytesChain } from '../../support/problems.ts';
import { drawn } from '../../support/schedule-text.ts';

const chain = (length: number) => createProblem(bytesChain(new Array<number>(length + 1).fill(1)), 'pytorch');

function planOf(strategy: Strategy, length: number, options: Partial<StrategyOptions> = {}): Plan {
  const plan = strategy.plan(chain(length), { seed: 1, ...options }, NO_CONTROL);
  if (!plan.applicable) throw new Error(plan.reason);
  return plan;
}

function countOf(schedule: Schedule, kind: number): number {
  return schedule.kinds.filter((k) => k === kind).length;
}

/** Fewest advances, as Griewank & Walther's recurrence says; the turn of a stage is not counted. */
function fewestAdvances(length: number, slots: number): number {
  if (length === 1) return 0;
  if (slots === 0) return (length * (length - 1)) / 2;
  let best = Number.POSITIVE_INFINITY;
  for (let k = 1; k < length; k++) {
    best = Math.min(best, k + memo(length - k, slots - 1) + memo(k, slots));
  }
  return best;
}
const table = new Map<number, number>();
function memo(length: number, slots: number): number {
  const key = length * 100 + slots;
  const known = table.get(key) ?? fewestAdvances(length, slots);
  table.set(key, known);
  return known;
}

describe('revolve', () => {
  it('splits as the recurrence does, for every length and number of slots', () => {
    const advances = (length: number, slots: number): number => {
      if (length === 1) return 0;
      if (slots === 0) return (length * (length - 1)) / 2;
      const k = binomialSplit(length, slots);
      return k + advances(length - k, slots - 1) + advances(k, slots);
    };
    for (let slots = 1; slots <= 6; slots++) {
      for (let length = 2; length <= 60; length++) {
        expect(advances(length, slots), `${length} stages, ${slots} slots`).toBe(memo(length, slots));
      }
    }
  });

  it('draws the schedule of four stages with one checkpoint', () => {
    expect(drawn(planOf(revolve, 4, { slots: 1 }).schedule, 'FB')).toBe('F1 F2 F3 F4 B4 F2 F3 B3 B2 B1');
  });

  it('holds no more than its slots, and repeats with the logarithm', () => {
    const lengths = [10, 100, 1000];
    const figures = lengths.map((length) => {
      const { schedule } = planOf(revolve, length);
      return countOf(schedule, FORWARD) / length;
    });
    // log2 n repeats would be 3.3, 6.6 and 10.
    for (const [i, length] of lengths.entries()) expect(figures[i]).toBeLessThan(Math.log2(length));
  });

  it('refuses slots that are no count', () => {
    for (const slots of [-1, 1.5, Number.NaN]) {
      expect(() => planOf(revolve, 4, { slots })).toThrow('slots: expected a non-negative integer');
    }
  });
});

describe('bptt', () => {
  it('is regular training when every tape fits', () => {
    const { schedule } = planOf(bptt, 12, { slots: 100 });
    expect(countOf(schedule, FORWARD)).toBe(12);
    expect(countOf(schedule, BACKWARD)).toBe(12);
  });

  it('needs no more forwards than revolve with the same slots, and fewer where a tape pays', () => {
    for (let length = 2; length <= 40; length++) {
      for (let slots = 0; slots <= 5; slots++) {
        const theirs = length + memo(length, slots);
        const label = `${length} stages, ${slots} slots`;
        expect(mixedStates(length, slots, 100, NO_CONTROL).forwards, label).toBe(theirs);
        expect(mixedStates(length, slots, 1, NO_CONTROL).forwards, label).toBeLessThanOrEqual(theirs);
      }
    }
    expect(mixedStates(3, 1, 1, NO_CONTROL).forwards).toBeLessThan(3 + memo(3, 1));
  });

  it('refuses work without end, and names the remedy', () => {
    const plan = bptt.plan(chain(5000), { seed: 1, slots: 50 }, NO_CONTROL);
    expect(plan).toMatchObject({ applicable: false, reason: expect.stringContaining('try revolve') });
  });
});

describe('sequential', () => {
  it('leaves the remainder to the last segment, which is not recomputed', () => {
    const { schedule, checkpoints } = planOf(sequential, 9);
    expect(checkpoints).toEqual([3, 6]);
    expect(drawn(schedule, 'FB')).toBe('F1 F2 F3 F4 F5 F6 F7 F8 F9 B9 B8 B7 F4 F5 B6 B5 B4 F1 F2 B3 B2 B1');
  });
});
