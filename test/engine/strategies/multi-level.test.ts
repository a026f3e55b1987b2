import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { bptt, mixedStates } from '../../../engine/strategies/chain/bptt.ts';
import { binomialSplit, revolve } from '../../../engine/strategies/chain/revolve.ts';
import { NO_CONTROL, type Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { measuredProblem } from '../../support/measured-graphs.ts';
import { bytesChain, bytesProblem, FORK } from '../../support/problems.ts';
import { chainWithAuxiliaries, keeping } from '../../support/stage-chains.ts';
import { drawn } from '../../support/schedule-text.ts';
import { planOf } from '../../support/plans.ts';

const chain = (length: number) => createProblem(bytesChain(new Array<number>(length + 1).fill(1)), 'pytorch');

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
    expect(drawn(planOf(revolve, chain(4), { slots: 1 }).schedule, 'FB')).toBe(
      'F1 F2 F3 F4 B4 F2 F3 B3 B2 B1',
    );
  });

  it('claims its slots, the logarithm of the stages where nobody says', () => {
    expect(planOf(revolve, chain(9)).claim).toEqual({ kind: 'stages-in-slots', stages: 9, slots: 4 });
    expect(planOf(revolve, chain(9), { slots: 2 }).claim).toEqual({
      kind: 'stages-in-slots',
      stages: 9,
      slots: 2,
    });
    expect(drawn(planOf(revolve, chain(4), { slots: 0 }).schedule, 'FB')).toBe(
      'F1 F2 F3 F4 B4 F1 F2 F3 B3 F1 F2 B2 B1',
    );
    expect(planOf(revolve, chain(3), { slots: 9 }).checkpoints).toEqual([1, 2]);
    expect(revolve.plan(bytesProblem([1, 1], '0>1'), { seed: 1 }, NO_CONTROL)).toEqual({
      applicable: false,
      reason: 'there is no vertex between source and target',
    });
  });

  it('advances least where several advances are best', () => {
    // 3 places: b(3, 1) = 4 stages with one forward each, b(3, 2) = 10.
    expect([2, 3, 4, 5, 9, 10, 11].map((length) => binomialSplit(length, 2))).toEqual([1, 1, 1, 1, 3, 4, 4]);
    expect(binomialSplit(1000, 60)).toBe(1);
  });
});

describe('bptt', () => {
  it('has the fewest forwards of all ways to spend its slots, of which a tape takes several', () => {
    const known = new Map<string, number>();
    const fewest = (length: number, slots: number, tape: number): number => {
      if (length === 1) return 1;
      const key = [length, slots, tape].join();
      // With no slot the last stage is reached again for each.
      let best = known.get(key) ?? length + fewest(length - 1, slots, tape);
      if (!known.has(key)) {
        if (slots >= tape) best = Math.min(best, 1 + fewest(length - 1, slots - tape, tape));
        for (let k = 1; k < length && slots > 0; k++) {
          best = Math.min(best, k + fewest(length - k, slots - 1, tape) + fewest(k, slots, tape));
        }
        known.set(key, best);
      }
      return best;
    };
    for (const tape of [1, 2, 3]) {
      for (let length = 1; length <= 12; length++) {
        for (let slots = 0; slots <= 7; slots++) {
          const label = `${length} stages, ${slots} slots, tapes of ${tape}`;
          const { forwards, policy } = mixedStates(length, slots, tape, NO_CONTROL);
          expect(forwards, label).toBe(fewest(length, slots, tape));
          const followed = (from: number, to: number, memory: number): number => {
            if (to === from + 1) return 1;
            const { at, left } = policy(from, to, memory, false);
            expect(left, label).toBeGreaterThanOrEqual(0);
            if (at === from) {
              expect(left, label).toBe(memory - tape);
              return 1 + followed(from + 1, to, left);
            }
            if (memory > 0) expect(left, label).toBe(memory - 1);
            return at - from + followed(at, to, left) + followed(from, at, memory);
          };
          expect(followed(0, length, slots), label).toBe(forwards);
        }
      }
    }
  });

  it('counts a tape in mean boundaries, at least one', () => {
    const claimOf = (problem: Problem, slots?: number) => {
      const plan = bptt.plan(problem, { seed: 1, ...(slots === undefined ? {} : { slots }) }, NO_CONTROL);
      return plan.applicable ? plan.claim : plan.reason;
    };
    const kind = 'stages-and-tapes-in-slots';
    expect(claimOf(chain(8))).toEqual({ kind, stages: 8, slots: 3, tape: 1 });
    // Stages of 1, 2 + 3 + 1, 1 and 1 bytes behind boundaries of 1 byte: 9 / 4.
    expect(claimOf(FORK)).toEqual({ kind, stages: 4, slots: 2, tape: 2 });
    // More slots than hold every tape.
    expect(claimOf(FORK, 1000)).toEqual({ kind, stages: 4, slots: 12, tape: 2 });
    // Its output 6 where its backward needs it, and 3 and 5 besides: 14 / 20.
    expect(claimOf(chainWithAuxiliaries().problem)).toMatchObject({ tape: 1 });
    expect(claimOf(bytesProblem([1, 0, 0, 0], '0>1 1>2 2>3'))).toMatchObject({ tape: 1 });
    const heavy = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 2, flops: 0, inputs: [0], ...keeping({ auxBytes: 10 }) },
      { bytes: 2, flops: 0, inputs: [1], ...keeping({ auxBytes: 4 }) },
    ]);
    expect(claimOf(heavy)).toMatchObject({ tape: 4 });
    expect(claimOf(bytesProblem([1, 1], '0>1'))).toBe('there is no vertex between source and target');
  });

  it('reports the share done, which grows with the square of the length', () => {
    const shares: number[] = [];
    mixedStates(4, 2, 1, { tick: (done) => shares.push(done) });
    expect(shares).toEqual([4 / 16, 9 / 16, 1]);
  });

  it('refuses work without end, and names the remedy', () => {
    const plan = bptt.plan(chain(5000), { seed: 1, slots: 50 }, NO_CONTROL);
    expect(plan).toMatchObject({ applicable: false, reason: expect.stringContaining('try revolve') });
  });
});
