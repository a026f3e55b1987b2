import { useSyncExternalStore } from 'react';

/** A tablet, a window at twice the size, or a low one; the style sheets' own limits. */
const NARROW = '(max-width: 1000px), (max-height: 560px)';

/** True where nothing fits beside the screen in front. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow);
}

const isNarrow = (): boolean => window.matchMedia(NARROW).matches;

function subscribe(changed: () => void): () => void {
  const list = window.matchMedia(NARROW);
  list.addEventListener('change', changed);
  return () => list.removeEventListener('change', changed);
}
