import type { DivisionTree } from '../../../../engine/paper/division-tree.ts';
import type { CheckpointChoice } from '../../../../engine/paper/solve-optimal.ts';
import { MaxTermEvaluator } from '../../../../engine/paper/max-term-evaluator.ts';

/** A max term C at which Algorithm 5 changes its answer, and that answer; bytes per sample. */
export interface MaxTermStop {
  /** The largest segment; the smallest C with this answer. */
  readonly maxTerm: number;
  readonly checkpointCost: number;
  readonly count: number;
  /** Eq. 2. */
  readonly cost: number;
}

export interface MaxTermScale {
  /** By ascending max term; never empty. */
  readonly stops: readonly MaxTermStop[];
  /** Index of the stop of least Eq. 2; of several, that of fewest checkpoints, as `solveTree` has it. */
  readonly best: number;
}

/** Beyond this many, stops that lie closer than a pixel are passed over. */
const MAX_STOPS = 400;

/** All answers that a slider over C can show, from most checkpoints to none. Time O(stops x (V + E)). */
export function maxTermScale(
  tree: DivisionTree,
  optima: readonly Pick<CheckpointChoice, 'maxTerm'>[],
): MaxTermScale {
  const evaluator = new MaxTermEvaluator(tree);
  const byMaxTerm = new Map<number, MaxTermStop>();
  const top = Math.max(1, tree.largestSegment[0] ?? 1);
  const skip = top ** (1 / MAX_STOPS);
  const add = (limit: number): number => {
    const { maxTerm, checkpointCost, checkpointCount, nextMaxTerm } = evaluator.evaluate(limit);
    const stop = { maxTerm, checkpointCost, count: checkpointCount, cost: maxTerm + checkpointCost };
    const known = byMaxTerm.get(maxTerm);
    if (known === undefined || isBetter(stop, known)) byMaxTerm.set(maxTerm, stop);
    return nextMaxTerm;
  };
  for (let limit = 0; limit <= top; ) {
    const next = add(limit);
    limit = byMaxTerm.size > MAX_STOPS / 2 ? Math.max(next, Math.ceil(limit * skip)) : next;
  }
  add(top);
  for (const { maxTerm } of optima) add(maxTerm);
  const stops = [...byMaxTerm.values()].sort((a, b) => a.maxTerm - b.maxTerm);
  let best = 0;
  for (let i = 1; i < stops.length; i++) if (isBetter(stops[i]!, stops[best]!)) best = i;
  return { stops, best };
}

function isBetter(a: MaxTermStop, b: MaxTermStop): boolean {
  return a.cost < b.cost || (a.cost === b.cost && a.count < b.count);
}

export function stopAt({ stops }: MaxTermScale, maxTerm: number): number {
  let low = 0;
  let high = stops.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (stops[middle]!.maxTerm <= maxTerm) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Share of the slider's way, on a logarithmic scale; small max terms stand at the left end. */
export function shareOf(scale: MaxTermScale, maxTerm: number): number {
  const [low, high] = ends(scale);
  if (maxTerm <= low || high <= low) return maxTerm >= high ? 1 : 0;
  return Math.min(1, Math.log(maxTerm / low) / Math.log(high / low));
}

/** Start of the slider: it does not tell smaller max terms apart. */
export const lowEnd = (scale: MaxTermScale): number => ends(scale)[0];

export function maxTermAt(scale: MaxTermScale, share: number): number {
  const [low, high] = ends(scale);
  return low * (high / low) ** Math.min(Math.max(share, 0), 1);
}

function ends({ stops }: MaxTermScale): readonly [number, number] {
  // Tiny max terms keep almost everything; the scale starts where that begins to change.
  const first = stops[0]!.cost;
  const changes = stops.find(({ maxTerm, cost }) => maxTerm > 0 && Math.abs(cost - first) > 0.02 * first);
  const low = (changes?.maxTerm ?? Math.max(1, stops.at(-1)!.maxTerm)) / 2;
  return [low, Math.max(low, stops.at(-1)!.maxTerm)];
}
