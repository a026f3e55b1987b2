import type { TensorGraph } from '../../paper/tensor-graph.ts';
import type { SplittingChain } from './splitting-chain.ts';

/** Result of Chen's walk for one budget. Bytes of Eq. 2's costs. */
export interface ChenWalk {
  /** Checkpoints as ascending positions in the chain, its ends excluded. */
  readonly positions: readonly number[];
  /** The checkpoints together. */
  readonly saved: number;
  /** The largest sum between two checkpoints, the later one included; what follows the last is not looked at. */
  readonly largest: number;
  /** The least larger budget that changes the result; infinite where none does. */
  readonly next: number;
}

/**
 * Algorithm 3 of Chen et al. 2016 for one budget: walk the chain, add up costs, place a checkpoint wherever the sum
 * since the last one exceeds the budget. Time O(chain).
 *
 * @param before what is summed up before the first gap
 */
export function chenWalk({ cost }: TensorGraph, chain: SplittingChain, budget: number, before = 0): ChenWalk {
  const positions: number[] = [];
  let saved = 0;
  let largest = 0;
  let next = Number.POSITIVE_INFINITY;
  let sum = before;
  for (let i = 1; i < chain.vertices.length - 1; i++) {
    const own = cost[chain.vertices[i]!]!;
    sum += chain.inside[i - 1]! + own;
    if (sum <= budget) continue;
    positions.push(i);
    saved += own;
    largest = Math.max(largest, sum);
    // The cut disappears as soon as the budget holds what was summed up here.
    next = Math.min(next, sum);
    sum = 0;
  }
  return { positions, saved, largest, next };
}
