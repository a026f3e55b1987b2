import { createRng } from '../../../../engine/rng.ts';

export interface StatisticsRun {
  readonly batches: readonly number[];
  /** Each batch counted once, as regular training does. */
  readonly careful: readonly number[];
  /** Each batch counted twice: the recompute updates the mean again. */
  readonly naive: readonly number[];
  /** Each batch counted twice with momentum 1 − √(1 − m), which is as good as once. */
  readonly corrected: readonly number[];
}

/** PyTorch's default. */
export const MOMENTUM = 0.1;

export const correctedMomentum = (momentum: number): number => 1 - Math.sqrt(1 - momentum);

export function runningMean(batches: readonly number[], rate: number, times: number): number[] {
  let mean = 0;
  return batches.map((batch) => {
    for (let i = 0; i < times; i++) mean += rate * (batch - mean);
    return mean;
  });
}

/** Batch means that wander around 1; the running mean starts at 0. */
export function statisticsRun(iterations: number, momentum: number): StatisticsRun {
  const rng = createRng(1);
  const batches = Array.from({ length: iterations }, () => 1 + 0.8 * (rng.next() - 0.5));
  const running = (rate: number, times: number): number[] => runningMean(batches, rate, times);
  return {
    batches,
    careful: running(momentum, 1),
    naive: running(momentum, 2),
    corrected: running(correctedMomentum(momentum), 2),
  };
}

/** True for elements that dropout lets through. */
export interface MaskPair {
  readonly first: readonly boolean[];
  readonly again: readonly boolean[];
  readonly different: number;
}

/**
 * The masks of the first forward and of the recompute of one dropout layer.
 *
 * @param replayed whether the recompute takes up the seed of the first forward
 */
export function maskPair(elements: number, rate: number, seed: number, replayed: boolean): MaskPair {
  const rng = createRng(seed);
  const draw = (source: { next(): number }): boolean[] =>
    Array.from({ length: elements }, () => source.next() >= rate);
  const first = draw(rng);
  const again = draw(replayed ? createRng(seed) : rng);
  return { first, again, different: first.filter((kept, i) => kept !== again[i]).length };
}
