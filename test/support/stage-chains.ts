import { createProblem } from '../../engine/problem.ts';
import { type StageChain, stageChain } from '../../engine/strategies/chain/stage-chain.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { type MeasuredVertex, measuredProblem } from './measured-graphs.ts';
import { bytesChain } from './problems.ts';

/** The chain of stages of a problem that has one. */
export function chainOf(problem: Problem): StageChain {
  const chain = stageChain(problem);
  if (typeof chain === 'string') throw new Error(chain);
  return chain;
}

/** Bytes-only stages of one vertex each; the first cost is the source's. */
export function chainOfBytes(cost: readonly number[]): StageChain {
  return chainOf(createProblem(bytesChain(cost), 'pytorch'));
}

type Keeps = NonNullable<MeasuredVertex['keeps']>;

/** Tensors that a backward keeps: none, except those named. */
export function keeping(kept: Partial<Keeps> = {}): { keeps: Keeps } {
  return { keeps: { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0, ...kept } };
}

/**
 * Four stages of one vertex: the first keeps its input and 3 bytes besides, the second its input and 5 bytes that do not
 * grow, the third its output, the last nothing.
 */
export function chainWithAuxiliaries(): StageChain {
  return chainOf(
    measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 2, flops: 7, inputs: [0], ...keeping({ inputs: [0], auxBytes: 3 }) },
      { bytes: 4, flops: 11, inputs: [1], ...keeping({ inputs: [0], fixedAuxBytes: 5 }) },
      { bytes: 6, flops: 13, inputs: [2], ...keeping({ output: true }) },
      { bytes: 8, flops: 17, inputs: [3], ...keeping() },
    ]),
  );
}

/** Three stages: 1 and 2, which overwrites it; 3 and a view of it, 4; then 5. */
export function chainOfShared(): StageChain {
  return chainOf(
    measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 2, flops: 7, inputs: [0], ...keeping({ inputs: [0] }) },
      { bytes: 2, flops: 3, inputs: [1], ...keeping({ output: true }), alias: 'inplace' },
      { bytes: 6, flops: 13, inputs: [2], ...keeping({ inputs: [0] }) },
      { bytes: 6, flops: 2, inputs: [3], ...keeping(), alias: 'view' },
      { bytes: 5, flops: 5, inputs: [4], ...keeping({ inputs: [0] }) },
    ]),
  );
}
