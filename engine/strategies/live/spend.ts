import { KEEP_ALL, KEEP_VALUE } from './choice.ts';
import type { Profile } from './profile.ts';

/**
 * Spends the bytes that are free under a limit on keeping more, so that less is recomputed: items with
 * the most forward work per byte first, each kept if the peak allows it; again until nothing changes.
 * Greedy; one change and one pass over all positions for each item that is recomputed, per round.
 */
export function spend(profile: Profile, limit: number, tick: (done: number) => void, rounds = 2): void {
  const { items, work, bytes, auxBytes } = profile.model;
  const dropped: number[] = [];
  for (let item = 1; item < items; item++) if (profile.again[item]! >= 0) dropped.push(item);
  const density = (item: number): number => work[item]! / (bytes[item]! + auxBytes[item]! + 1);
  dropped.sort((a, b) => density(b) - density(a) || a - b);
  for (let round = 0; round < rounds; round++) {
    let changed = false;
    tick(1);
    for (const item of dropped) {
      const before = profile.keep[item]!;
      if (before === KEEP_ALL || profile.again[item]! < 0) continue;
      const least = profile.work;
      const choices = auxBytes[item]! > 0 ? [KEEP_ALL, KEEP_VALUE] : [KEEP_ALL];
      for (const choice of choices) {
        if (choice === before) continue;
        profile.set(item, choice);
        profile.measure(limit);
        if (profile.peak <= limit && profile.work < least) {
          changed = true;
          break;
        }
        profile.set(item, before);
      }
    }
    if (!changed) break;
  }
}
