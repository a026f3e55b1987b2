import { useMemo } from 'react';
import { useLabPart, useWorkspace } from '../workspace/use-workspace.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { PageId } from '../learn/lessons.ts';
import {
  FIRST_PAGE,
  type PageParams,
  type PageState,
  readPage,
  withParams,
  writePage,
} from '../learn/page-state.ts';
import { learnSession } from '../learn/learn-session.ts';

export interface Page extends PageState {
  /** Changes what the page remembers in the link. */
  readonly set: (part: Readonly<Record<string, string | number | undefined>>) => void;
  readonly open: (page: PageId, params?: PageParams) => void;
}

const NOTHING: PageParams = {};

/** The page in front, from the address. */
export function usePage(): Page {
  const workspace = useWorkspace();
  const view = useLabPart((lab) => lab.view) ?? NOTHING;
  return useMemo(() => {
    const { page, params } = readPage(view) ?? { page: FIRST_PAGE, params: NOTHING };
    return {
      page,
      params,
      set: (part) => {
        // Two changes may come before the page is drawn anew.
        const now = readPage(workspace.experiment.get().view ?? NOTHING);
        const base = now?.page === page ? now.params : params;
        workspace.experiment.setView(writePage({ page, params: withParams(base, part) }));
      },
      open: (next, nextParams) => openPage(workspace, next, nextParams),
    };
  }, [view, workspace]);
}

/** Opens a page as it was left, or with parameters of its own; from any screen. */
export function openPage(workspace: Workspace, page: PageId, params?: PageParams): void {
  const { experiment, keep } = workspace;
  const known = params ?? keep(learnSession).progress.get().params.get(page) ?? NOTHING;
  const { screen, selected, experiment: current } = experiment.get();
  const view = writePage({ page, params: known });
  if (screen === 'learn') experiment.setView(view);
  else experiment.open({ screen: 'learn', selected, experiment: current, view, faults: [] });
}
