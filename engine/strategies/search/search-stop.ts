/** Parts of a search. */
export const SEARCHED = [
  'budgets',
  'exact',
  'linear-programs',
  'lower-sets',
  'minimum-cuts',
  'moves',
  'nested',
  'numbers-of-segments',
  'orders',
  'sources',
  'starts',
  'trials',
  'values',
] as const;
export type Searched = (typeof SEARCHED)[number];

/** How much of it was tried, of how many where that is known. */
export interface Unfinished {
  readonly what: Searched;
  readonly tried: number;
  readonly of: number | null;
}

/**
 * A limit that ended a search, and the part that was not searched. Data; the page and the command line put it into
 * words.
 */
export interface SearchStop {
  readonly limitSeconds: number;
  /** Clock, or work that counts for these seconds. */
  readonly by: 'clock' | 'work';
  readonly unfinished: readonly Unfinished[];
}
