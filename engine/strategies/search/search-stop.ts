/** What searches are made of. */
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

/** That a limit ended a search, and what was not searched. Data, which the page and the command line word. */
export interface SearchStop {
  readonly limitSeconds: number;
  /** Whether the clock ended it, or as much work as counts for these seconds. */
  readonly by: 'clock' | 'work';
  readonly unfinished: readonly Unfinished[];
}
