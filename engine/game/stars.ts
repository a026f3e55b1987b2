/** Ends of a game's measure: bytes. */
export interface Goal {
  /** With nothing kept: store all. */
  readonly regular: number;
  /** The least, or the least known. */
  readonly least: number;
}

export type Stars = 0 | 1 | 2 | 3;

export const MAX_STARS = 3;
/** Two stars are for what is no farther from the least than this share of it. */
export const NEAR = 0.1;

/** True if there is nothing to gain. */
export const isFlat = ({ regular, least }: Goal): boolean => least >= regular;

/**
 * One star for less than regular training, two for at most 10 % above the least, three for the least (or below, where
 * it is the least known only). None where regular training is the least itself.
 *
 * @param bytes null for what the measure does not price
 */
export function starsFor(bytes: number | null, goal: Goal): Stars {
  if (bytes === null || isFlat(goal) || bytes >= goal.regular) return 0;
  if (bytes <= goal.least) return 3;
  return bytes <= goal.least * (1 + NEAR) ? 2 : 1;
}
