import { SHARES, tierOfRun } from '../../app/start/test-tiers.mjs';

/** Share of the drawn cases that is tried; a suite that runs once a mutant names a smaller one. */
const SHARE = Number(process.env['ZIGZAG_DRAWS'] ?? SHARES[tierOfRun()]);

/** How many of `count` drawn cases are tried. */
export function draws(count: number): number {
  return Math.ceil(SHARE * count);
}

/** How many of the cases must have a trait, where `count` of all must: half in proportion, since few cases scatter. */
export function fewest(count: number): number {
  return SHARE < 1 ? Math.floor((SHARE * count) / 2) : count;
}

/** True when a share of the cases is judged: few cases scatter. */
export const ARE_MANY = SHARE === 1;

/** Cases of a list that are tried, from its whole length. */
export function sample<T>(cases: readonly T[]): T[] {
  const count = draws(cases.length);
  return Array.from({ length: count }, (_, i) => cases[Math.floor((i * cases.length) / count)] as T);
}
