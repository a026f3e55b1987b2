import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { bytesChain, FORK } from '../../support/problems.ts';
import { chainWithAuxiliaries } from '../../support/stage-chains.ts';
import { drawn } from '../../support/schedule-text.ts';

const chain = (cost: number[]): Problem => createProblem(bytesChain(cost), 'pytorch');
const choose = (problem: Problem, strategy: string, checkpoints?: string[]) =>
  solveRow(problem, strategy, checkpoints === undefined ? { seed: 1 } : { seed: 1, checkpoints });

describe('memory-poor', () => {
  it('holds no more than a few neighbours on a chain of any length, with quadratic forwards', () => {
    for (const length of [10, 100, 300]) {
      const row = choose(chain(new Array<number>(length).fill(1)), 'memory-poor');
      // Source, two activations, two gradients.
      expect(row.peakBytes).toBe(5);
      expect(row.recomputeFlops).toBe(((length - 1) * length) / 2);
    }
  });

  it('recomputes before every backward its inputs, once', () => {
    const { schedule } = choose(FORK, 'memory-poor');
    expect(schedule !== null && drawn(schedule, 'FB')).toBe(
      'F1 F2 F3 F4 F5 F6 F1 F2 F3 F4 F5 F6 B6 F1 F2 F3 F4 F5 B5 F1 F2 F3 F4 B4 F1 F3 B3 F1 F2 B2 F1 B1',
    );
    const shares: number[] = [];
    solveRow(chain([1, 1, 1, 1]), 'memory-poor', { seed: 1 }, { tick: (done) => void shares.push(done) });
    expect(shares).toEqual([0.25, 0.5, 0.75]);
  });

  it('forwards a vertex for what it keeps besides activations', () => {
    const { problem } = chainWithAuxiliaries();
    const { schedule } = choose(problem, 'memory-poor');
    expect(schedule !== null && drawn(schedule, 'FB')).toBe('F1 F2 F3 F4 B4 F1 F2 F3 B3 F1 F2 B2 F1 B1');
  });

  it('refuses excessive work', () => {
    const reason = choose(chain(new Array<number>(4000).fill(1)), 'memory-poor').reason;
    expect(reason).toContain('try revolve or budget');
  });
});
