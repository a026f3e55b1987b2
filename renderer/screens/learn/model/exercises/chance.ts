import { createRng } from '../../../../../engine/rng.ts';

export interface Chance {
  /** Whole, from least to most, both included. */
  readonly between: (least: number, most: number) => number;
  readonly oneOf: <T>(things: readonly T[]) => T;
  readonly shuffled: <T>(things: readonly T[]) => T[];
  readonly some: <T>(things: readonly T[], count: number) => T[];
}

/** @param name of the exercise, so that exercises of one seed differ from each other */
export function chanceOf(name: string, seed: number): Chance {
  let mixed = Math.imul(seed + 1, 0x9e3779b1);
  for (const letter of name) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x85ebca6b);
  const rng = createRng(mixed);
  const shuffled = <T>(things: readonly T[]): T[] => {
    const all = [...things];
    for (let i = all.length - 1; i > 0; i--) {
      const j = rng.below(i + 1);
      [all[i], all[j]] = [all[j]!, all[i]!];
    }
    return all;
  };
  return {
    between: (least, most) => least + rng.below(most - least + 1),
    oneOf: (things) => things[rng.below(things.length)]!,
    shuffled,
    some: (things, count) => {
      const chosen = new Set(shuffled(things.map((_, i) => i)).slice(0, count));
      return things.filter((_, i) => chosen.has(i));
    },
  };
}
