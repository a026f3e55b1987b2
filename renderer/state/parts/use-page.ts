import { useMemo } from 'react';
import { useLabPart, useWorkspace } from '../workspace/use-workspace.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { PageId } from '../learn/lessons.ts';
import {
  FIRST_PAGE,
  isLecture,
  type PageParams,
  type PageState,
  readPage,
  withParams,
  writePage,
} from '../learn/page-state.ts';
import { learnSession } from '../learn/learn-session.ts';

export interface Page extends PageState {
  readonly set: (part: Readonly<Record<string, string | number | undefined>>) => void;
  readonly open: (page: PageId, params?: PageParams) => void;
  readonly setLecture: (isOn: boolean) => void;
}

const NOTHING: PageParams = {};

export function usePage(): Page {
  const workspace = useWorkspace();
  const view = useLabPart((lab) => lab.view) ?? NOTHING;
  return useMemo(() => {
    const { page, params } = readPage(view) ?? { page: FIRST_PAGE, params: NOTHING };
    /** The parameters as they are by now: two changes may come before the page is drawn again. */
    const latest = (): PageParams => {
      const now = readPage(workspace.experiment.get().view ?? NOTHING);
      return now?.page === page ? now.params : params;
    };
    const write = (next: PageParams, isOn: boolean): void =>
      workspace.experiment.setView(writePage({ page, params: next, ...lectureOf(isOn) }));
    return {
      page,
      params,
      ...lectureOf(isLecture(view)),
      set: (part) => write(withParams(latest(), part), isLecture(workspace.experiment.get().view)),
      open: (next, nextParams) => openPage(workspace, next, nextParams),
      setLecture: (isOn) => write(latest(), isOn),
    };
  }, [view, workspace]);
}

const lectureOf = (isOn: boolean): Pick<PageState, 'lecture'> => (isOn ? { lecture: true } : {});

/** Opens a page as it was left, or with parameters of its own; from any screen. A lecture goes on over its pages. */
export function openPage(
  workspace: Workspace,
  page: PageId,
  params?: PageParams,
  fromLecture = isLecture(workspace.experiment.get().view),
): void {
  const { experiment, keep } = workspace;
  const known = params ?? keep(learnSession).progress.get().params.get(page) ?? NOTHING;
  const { screen, selected, experiment: current } = experiment.get();
  const view = writePage({ page, params: known, ...lectureOf(fromLecture) });
  if (screen === 'learn') experiment.setView(view);
  else experiment.open({ screen: 'learn', selected, experiment: current, view, faults: [] });
}
