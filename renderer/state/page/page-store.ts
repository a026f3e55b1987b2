import { createStore, type Store } from '../../shared/store.ts';
import type { Action } from './actions.ts';

export type Dialog = 'palette' | 'shortcuts' | 'about' | 'file';

/** What the frame around the screens remembers. */
export interface PageState {
  readonly dialog: Dialog | null;
  /** Id of the preset whose commentary was put away. */
  readonly dismissed: string | null;
}

export interface PageStore extends Pick<Store<PageState>, 'get' | 'subscribe'> {
  openDialog(dialog: Dialog | null): void;
  dismiss(preset: string | null): void;
  /** Actions that the palette shows first, asked for when it opens; returns how to take them back. */
  offer(actions: () => readonly Action[]): () => void;
  offered(): readonly Action[];
}

export function createPageStore(): PageStore {
  const store = createStore<PageState>({ dialog: null, dismissed: null });
  const offers = new Set<() => readonly Action[]>();
  return {
    get: store.get,
    subscribe: store.subscribe,
    openDialog: (dialog) => store.set({ ...store.get(), dialog }),
    dismiss: (dismissed) => store.set({ ...store.get(), dismissed }),
    offer: (actions) => {
      offers.add(actions);
      return () => offers.delete(actions);
    },
    offered: () => [...offers].flatMap((actions) => actions()),
  };
}
