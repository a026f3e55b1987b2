import { useState } from 'react';

/** The previous list for as long as the new one has the same entries, so that what depends on it is not made anew. */
export function useSameList<T>(list: readonly T[]): readonly T[] {
  const [kept, keep] = useState(list);
  if (kept.length === list.length && kept.every((entry, i) => Object.is(entry, list[i]))) return kept;
  keep(list);
  return list;
}
