import { describe, expect, it } from 'vitest';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { insertFrees } from '../../../../engine/schedule/liveness.ts';
import { reverseChain } from '../../../../engine/strategies/chain/reverse.ts';
import { type StageChain, stageChain } from '../../../../engine/strategies/chain/stage-chain.ts';
import { profileStages } from '../../../../engine/strategies/chain/stage-profile.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { measuredProblems } from '../../../support/measured-graphs.ts';
import { bytesProblem, randomProblems } from '../../../support/problems.ts';
import { chainOf, chainOfBytes, chainOfShared, chainWithAuxiliaries } from '../../../support/stage-chains.ts';

/** A profile with plain lists. */
function figuresOf(chain: StageChain): Record<string, number[] | number> {
  const entries = Object.entries(profileStages(chain));
  return Object.fromEntries(
    entries.map(([key, value]: [string, Float64Array | number]) => [
      key,
      typeof value === 'number' ? value : [...value],
    ]),
  );
}

describe('what the stages of a chain cost', () => {
  it('is what the boundaries and their gradients add up to, on vertices known by their bytes', () => {
    // A backward holds its input, its output and the gradients of both; the source is counted apart.
    const turn = [3 + 3, 3 + 4 + 4 + 3, 4 + 5 + 5 + 4];
    const pass = [3, 3 + 4, 4 + 5];
    expect(figuresOf(chainOfBytes([2, 3, 4, 5]))).toEqual({
      boundary: [0, 3, 4, 0],
      gradient: [0, 3, 4, 0],
      pass,
      turnAfterHold: turn,
      turn,
      tapeForward: pass,
      tapeBackward: turn,
      // The boundary before the stage; the last has its output besides.
      tape: [0, 3, 9],
      workAfterHold: [0, 0, 0],
      workOfTurn: [3, 4, 5],
      fixedBytes: 0,
    });
  });

  it('counts the branches of a stage, and repeats them but for what is held', () => {
    const branch = chainOf(bytesProblem([1, 2, 3, 4, 5, 6], '0>1 1>2 1>3 2>4 3>4 4>5'));
    expect(figuresOf(branch)).toMatchObject({
      boundary: [0, 2, 5, 0],
      pass: [2, 2 + 3 + 4 + 5, 5 + 6],
      // Backward of the sum: all of the stage and its gradients, and the input.
      turn: [2 + 2, 2 + 2 * (3 + 4 + 5), 2 * (5 + 6)],
      tape: [0, 2 + 3 + 4, 11],
      workAfterHold: [0, 3 + 4, 0],
      workOfTurn: [2, 3 + 4 + 5, 6],
    });
  });

  it('counts what grows with the stage that makes it, and what does not once for all', () => {
    expect(figuresOf(chainWithAuxiliaries())).toEqual({
      boundary: [0, 2, 4, 6, 0],
      gradient: [0, 2, 4, 6, 0],
      // 2 makes its own auxiliaries again where it is recomputed: 2 + 4 + 5.
      pass: [2 + 3, 2 + 4 + 5, 4 + 6, 6 + 8],
      // The last with 3 and the gradients of both; 2, which no backward reads, counts as held: 6 + 8 + 6 - 4. Where
      // 3 was not held, 2 was recomputed for it, with its 5 bytes.
      turnAfterHold: [2 + 3 + 2, 2 + 5 + 4 + 2, 6 + 6 + 4, 16],
      turn: [2 + 3 + 2, 13, 4 + 5 + 6 + 6, 16],
      tapeForward: [5, 6, 10, 14],
      tapeBackward: [5, 8, 16, 20],
      tape: [3, 2, 0, 6],
      workAfterHold: [7, 0, 0, 0],
      workOfTurn: [7, 0, 13, 0],
      fixedBytes: 5,
    });
  });

  it('counts a storage that several share once', () => {
    expect(figuresOf(chainOfShared())).toMatchObject({
      boundary: [0, 2, 6, 0],
      gradient: [0, 2, 6, 0],
      pass: [2, 2 + 6, 6 + 5],
      turn: [2 + 2 + 2, 10, 6 + 5 + 6],
      tape: [0, 2, 6],
      workAfterHold: [0, 0, 0],
      workOfTurn: [7 + 3, 0, 0],
    });
  });

  it('adds up to the peak of regular training, whatever is shared and kept', () => {
    let chains = 0;
    for (const stream of [randomProblems(150, 44), measuredProblems(300, 45)]) {
      for (const [name, problem] of stream) {
        const chain = stageChain(problem);
        const { graph, memory } = problem;
        // The plan decides which of the fixed auxiliaries stay.
        const hasFixed = memory.auxBytes.some((bytes, v) => bytes > 0 && memory.auxIsFixed[v] === 1);
        if (typeof chain === 'string' || hasFixed) continue;
        chains++;
        const { compute } = reverseChain(chain, (from) => ({ at: from, left: 0 }), 0, NO_CONTROL);
        const { peakBytes } = simulate(graph, memory, insertFrees(graph, memory, compute));
        const { tape, tapeForward, tapeBackward, fixedBytes } = profileStages(chain);
        let held = memory.outputBytes[0]!;
        let peak = 0;
        chain.stages.forEach((_, i) => {
          peak = Math.max(peak, held + tapeForward[i]!, held + tapeBackward[i]!);
          held += tape[i]!;
        });
        expect(peak, name).toBe(peakBytes);
        expect(fixedBytes, name).toBe(0);
      }
    }
    expect(chains).toBeGreaterThan(10);
  });
});
