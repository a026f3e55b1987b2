import { useEffect, useRef } from 'react';
import type { Action } from '../page/actions.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';

/** Offers a screen's own actions in the palette for as long as it is in front, as they are when it opens. */
export function useActions(actions: readonly Action[]): void {
  const { page } = useWorkspace();
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => page.offer(() => latest.current), [page]);
}
