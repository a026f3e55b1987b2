import { createStore, type Store } from '../../shared/store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { FIRST_PAGE, type PageState, readPage } from './page-state.ts';
import { createProgress, type ProgressStore } from './progress.ts';
import { createSolved, type SolvedStore } from './solved.ts';

export interface LearnSession {
  readonly progress: ProgressStore;
  readonly solved: SolvedStore;
  /** The lesson that a trial came from, for the way back; null if none exists. */
  readonly wayBack: Store<PageState | null>;
}

/** Follows the address: a page is visited when it is in front, and on the screen itself no way leads back to it. */
export function learnSession({ experiment }: Pick<Workspace, 'experiment'>): LearnSession {
  const progress = createProgress(() => window.localStorage);
  const solved = createSolved(() => window.localStorage);
  const wayBack = createStore<PageState | null>(null);
  let seen: object | undefined;
  const follow = (): void => {
    const { screen, view = FIRST_VIEW } = experiment.get();
    const isNew = screen === 'learn' && view !== seen;
    seen = screen === 'learn' ? view : undefined;
    if (!isNew) return;
    wayBack.set(null);
    progress.remember(readPage(view) ?? { page: FIRST_PAGE, params: {} });
  };
  follow();
  experiment.subscribe(follow);
  return { progress, solved, wayBack };
}

const FIRST_VIEW = {};
