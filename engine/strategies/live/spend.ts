import { type Evaluator, KEEP_ALL, KEEP_VALUE } from './evaluator.ts';

/**
 * Spends the bytes that are free under a limit on keeping more, so that less is recomputed: items with
 * the most forward work per byte first, each kept if the peak allows it; again until nothing changes.
 * Greedy; O(V) evaluations a round.
 */
export function spend(evaluator: Evaluator, keep: Uint8Array, limit: number, rounds = 2): void {
  const { items, work, bytes, auxBytes } = evaluator.model;
  evaluator.evaluate(keep, limit);
  let least = evaluator.work;
  const dropped: number[] = [];
  for (let item = 1; item < items; item++) if (evaluator.again[item]! >= 0) dropped.push(item);
  const density = (item: number): number => work[item]! / (bytes[item]! + auxBytes[item]! + 1);
  dropped.sort((a, b) => density(b) - density(a) || a - b);
  for (let round = 0; round < rounds; round++) {
    let changed = false;
    for (const item of dropped) {
      const before = keep[item]!;
      if (before === KEEP_ALL) continue;
      const choices = auxBytes[item]! > 0 ? [KEEP_ALL, KEEP_VALUE] : [KEEP_ALL];
      for (const choice of choices) {
        if (choice === before) continue;
        keep[item] = choice;
        if (evaluator.evaluate(keep, limit) <= limit && evaluator.work < least) {
          least = evaluator.work;
          changed = true;
          break;
        }
        keep[item] = before;
      }
    }
    if (!changed) break;
  }
}
