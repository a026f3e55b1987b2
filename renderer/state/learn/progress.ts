import { createStore, type Store } from '../../shared/store.ts';
import { isPage, type PageId } from './lessons.ts';
import type { PageParams, PageState } from './page-state.ts';

const STORED_AS = 'zigzag-lessons';

export interface Visits {
  readonly visited: ReadonlySet<PageId>;
  readonly params: ReadonlyMap<PageId, PageParams>;
}

/** The part of a browser's storage that is used; it may be refused or full. */
type Shelf = Pick<Storage, 'getItem' | 'setItem'>;

export interface ProgressStore extends Pick<Store<Visits>, 'get' | 'subscribe'> {
  remember(state: PageState): void;
}

export function createProgress(shelf: () => Shelf): ProgressStore {
  const store = createStore<Visits>({ visited: readVisited(shelf), params: new Map() });
  return {
    get: store.get,
    subscribe: store.subscribe,
    remember: (state) => {
      const { visited, params } = store.get();
      const isNew = !visited.has(state.page);
      const all = isNew ? new Set([...visited, state.page]) : visited;
      store.set({ visited: all, params: new Map(params).set(state.page, state.params) });
      if (isNew) writeVisited(shelf, all);
    },
  };
}

function readVisited(shelf: () => Shelf): ReadonlySet<PageId> {
  try {
    return new Set((shelf().getItem(STORED_AS) ?? '').split(',').filter(isPage));
  } catch {
    return new Set();
  }
}

function writeVisited(shelf: () => Shelf, visited: ReadonlySet<PageId>): void {
  try {
    shelf().setItem(STORED_AS, [...visited].join(','));
  } catch {
    // Without storage the marks last as long as the page.
  }
}
