import { CancelledError } from '../../engine/errors.ts';
import { SearchLimit } from '../../engine/strategies/search/search-limit.ts';
import { type Control, NO_CONTROL } from '../../engine/strategies/strategy/strategy.ts';

/** A search that nothing ends. */
export function unlimited(): SearchLimit {
  return new SearchLimit({}, NO_CONTROL);
}

/** A search whose time is over. */
export function ended(): SearchLimit {
  const search = new SearchLimit({ timeLimitSeconds: 1 }, NO_CONTROL);
  search.look(1e9);
  return search;
}

/** A search that nothing ends, and that counts what it looks at. */
export class CountedSearch extends SearchLimit {
  looks = 0;

  constructor() {
    super({ timeLimitSeconds: 1e6 }, NO_CONTROL);
  }

  override look(looks: number): boolean {
    this.looks += looks;
    return super.look(looks);
  }
}

/** A clock that is `ms` later whenever it is asked. */
export function clock(ms: number): () => number {
  let now = 0;
  return () => (now += ms);
}

/** Cancels at the first sign of progress. */
export const CANCELLED: Control = {
  tick: () => {
    throw new CancelledError();
  },
};
