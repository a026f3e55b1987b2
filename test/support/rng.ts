import type { Rng } from '../../engine/rng.ts';

/** The tests draw from the engine's generator (mulberry32), so that a seed means the same everywhere. */
export { createRng, type Rng } from '../../engine/rng.ts';

/** Uniform integer in lowest..highest, both included. */
export function between(rng: Rng, lowest: number, highest: number): number {
  return lowest + rng.below(highest - lowest + 1);
}

export function pick<T>(rng: Rng, items: readonly T[]): T {
  const item = items[rng.below(items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

export function chance(rng: Rng, probability: number): boolean {
  return rng.next() < probability;
}

/** A new array in random order (Fisher-Yates). */
export function shuffled<T>(rng: Rng, items: readonly T[]): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}
