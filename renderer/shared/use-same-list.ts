import { useState } from 'react';

/**
 * The previous list for as long as the new one has the same entries, so that what depends on it is not recomputed.
 *
 * @param isSame for entries that are recomputed each time
 */
export function useSameList<T>(
  list: readonly T[],
  isSame: (a: T, b: T) => boolean = Object.is,
): readonly T[] {
  const [kept, keep] = useState(list);
  if (kept.length === list.length && kept.every((entry, i) => isSame(entry, list[i] as T))) return kept;
  keep(list);
  return list;
}
