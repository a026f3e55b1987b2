import { createLru } from '../../../shared/lru.ts';

/** Remembers the last answers of a pure function of a few short arguments, so that a slider can go back and forth. */
export function memoize<Args extends readonly (string | number)[], T>(
  compute: (...args: Args) => T,
  limit = 64,
): (...args: Args) => T {
  const known = createLru<T>(limit);
  return (...args) => {
    const key = args.join(' ');
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(...args);
    known.set(key, value);
    return value;
  };
}
