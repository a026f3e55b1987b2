import { describe, expect, it } from 'vitest';
import { insertFrees } from '../../../../engine/schedule/liveness.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { type Policy, reverseChain } from '../../../../engine/strategies/chain/reverse.ts';
import { type StageChain, stageChain } from '../../../../engine/strategies/chain/stage-chain.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { measuredProblem, measuredProblems } from '../../../support/measured-graphs.ts';
import { bytesProblem, randomProblems } from '../../../support/problems.ts';
import { chance, createRng, type Rng } from '../../../support/rng.ts';
import { drawn } from '../../../support/schedule-text.ts';
import {
  chainOf,
  chainOfBytes,
  chainOfShared,
  chainWithAuxiliaries,
  keeping,
} from '../../../support/stage-chains.ts';

const everyTape: Policy = (from) => ({ at: from, left: 0 });
const last: Policy = (_from, to) => ({ at: to - 1, left: 0 });
const middle =
  (keep?: boolean): Policy =>
  (from, to) => ({ at: (from + to) >> 1, left: 0, ...(keep === undefined ? {} : { keep }) });

function plan(chain: StageChain, policy: Policy): string {
  const { compute, checkpoints } = reverseChain(chain, policy, 0, NO_CONTROL);
  return `${drawn(compute)} | ${checkpoints.join(' ')}`;
}

describe('going backward through a chain', () => {
  it('recomputes nothing if every tape is held', () => {
    expect(plan(chainOfBytes([1, 1, 1, 1]), everyTape)).toBe('F1 F2 F3 B3 B2 B1 | 1 2');
    // The branches of the second stage are on its tape.
    const branch = chainOf(bytesProblem([1, 2, 3, 4, 5, 6], '0>1 1>2 1>3 2>4 3>4 4>5'));
    expect(plan(branch, everyTape)).toBe('F1 F2 F3 F4 F5 B5 B4 B3 B2 B1 | 1 2 3 4');
    expect(plan(chainOfShared(), everyTape)).toBe('F1 F2 F3 F4 F5 B5 B4 B3 B2 B1 | 2 4');
  });

  it('starts from the source for every stage if nothing else is held', () => {
    expect(plan(chainOfBytes([1, 1, 1, 1]), last)).toBe('F1 F2 F3 B3 F1 F2 B2 B1 | 2');
    expect(plan(chainOfBytes([1, 1, 1, 1, 1]), last)).toBe('F1 F2 F3 F4 B4 F1 F2 F3 B3 F1 F2 B2 B1 | 3');
  });

  it('keeps a boundary for the stage that makes it where that is asked for, or is all that is left', () => {
    const chain = chainOfBytes([1, 1, 1, 1, 1, 1]);
    // Stage 3 .. 5 is cut at 3 and 4; the left part 1, 2 turns with 2 or forwards it again.
    expect(plan(chain, middle(true))).toBe('F1 F2 F3 F4 F5 B5 B4 B3 F1 B2 B1 | 2 3 4');
    expect(plan(chain, middle(false))).toBe('F1 F2 F3 F4 F5 B5 F4 B4 F3 B3 F1 F2 B2 F1 B1 | 2 3 4');
    expect(plan(chain, middle())).toBe('F1 F2 F3 F4 F5 B5 B4 B3 F1 F2 B2 B1 | 2 3 4');
  });

  it('recomputes the freed tensors that a stage’s backward needs', () => {
    const branch = chainOf(bytesProblem([1, 2, 3, 4, 5, 6], '0>1 1>2 1>3 2>4 3>4 4>5'));
    expect(plan(branch, middle(true))).toBe('F1 F2 F3 F4 F5 B5 F2 F3 B4 B3 B2 B1 | 1 4');
    expect(plan(branch, middle(false))).toBe('F1 F2 F3 F4 F5 B5 F2 F3 F4 B4 B3 B2 F1 B1 | 1 4');
    // Without a backward that reads the output, it is not recomputed.
    expect(plan(chainOfShared(), last)).toBe('F1 F2 F3 F4 F5 B5 F1 F2 B4 B3 B2 B1 | 4');
  });

  it('recomputes for an auxiliary that grows, and not for one that does not', () => {
    // 1 has one that grows, 2 one that does not; 3 is held for itself, 2 is needed by nobody.
    expect(plan(chainWithAuxiliaries(), middle(true))).toBe('F1 F2 F3 F4 B4 B3 F1 B2 B1 | 2 3');
    expect(plan(chainWithAuxiliaries(), middle(false))).toBe('F1 F2 F3 F4 B4 F3 B3 F1 B2 F1 B1 | 2 3');
    expect(plan(chainWithAuxiliaries(), last)).toBe('F1 F2 F3 F4 B4 F1 F2 F3 B3 F1 B2 B1 | 3');
    const grows = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 1, flops: 0, inputs: [0], ...keeping({ auxBytes: 2 }) },
      { bytes: 1, flops: 0, inputs: [1], ...keeping() },
      { bytes: 1, flops: 0, inputs: [2], ...keeping() },
    ]);
    expect(plan(chainOf(grows), (from) => ({ at: from + 1, left: 0, keep: true }))).toBe(
      'F1 F2 F3 B3 B2 F1 B1 | 1 2',
    );
  });

  it('holds the tape of a stage that was recomputed', () => {
    // Held: 3 and the tape of stage 3, whose output is 4; then the tapes of what is left.
    const policy: Policy = (from, to) => ({ at: to === 5 ? 3 : from, left: 0, keep: true });
    expect(plan(chainOfBytes([1, 1, 1, 1, 1, 1]), policy)).toBe('F1 F2 F3 F4 F5 B5 B4 F1 F2 B3 B2 B1 | 3 4');
  });

  it('passes remaining memory down, all of it to earlier stages', () => {
    const asked: string[] = [];
    const policy: Policy = (from, to, memory, kept) => {
      asked.push(`${from}-${to} ${memory} ${kept}`);
      return { at: (from + to) >> 1, left: memory - 1, keep: true };
    };
    reverseChain(chainOfBytes([1, 1, 1, 1, 1]), policy, 5, NO_CONTROL);
    expect(asked).toEqual(['0-4 5 false', '2-4 4 false', '0-2 5 true']);
  });

  it('reports the share of stages that have turned', () => {
    const shares: number[] = [];
    reverseChain(chainOfBytes([1, 1, 1, 1, 1]), last, 0, { tick: (done) => shares.push(done) });
    expect(shares).toEqual([0, 0.25, 0.5, 0.75]);
  });

  it('gives a schedule that runs, whatever is decided and whatever is shared', () => {
    const rng = createRng(8);
    let chains = 0;
    for (const stream of [randomProblems(150, 42), measuredProblems(300, 43)]) {
      for (const [name, problem] of stream) {
        const chain = stageChain(problem);
        if (typeof chain === 'string') continue;
        chains++;
        const { graph, memory } = problem;
        const { compute, checkpoints } = reverseChain(chain, anyPolicy(rng), 0, NO_CONTROL);
        expect(() => simulate(graph, memory, insertFrees(graph, memory, compute)), name).not.toThrow();
        expect(checkpoints, name).toEqual([...new Set(checkpoints)].sort((a, b) => a - b));
        expect(checkpoints, name).not.toContain(0);
      }
    }
    expect(chains).toBeGreaterThan(10);
  });
});

function anyPolicy(rng: Rng): Policy {
  return (from, to) => ({ at: from + rng.below(to - from), left: 0, keep: chance(rng, 0.5) });
}
