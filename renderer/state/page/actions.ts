import { createStore, type Store } from '../../shared/store.ts';

/** Something the user can do: an entry of the command palette. */
export interface Action {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** Further words that should find it. */
  readonly words?: string;
  /** As shown, e.g. `Ctrl Z`. */
  readonly shortcut?: string;
  readonly run: () => void;
}

export type Dialog = 'palette' | 'shortcuts' | 'about' | 'file';

/** What the frame itself remembers: the open dialog, and the actions of the screen in front. */
export interface FrameState {
  readonly dialog: Dialog | null;
  readonly screenActions: readonly Action[];
}

export const frameStore: Store<FrameState> = createStore<FrameState>({ dialog: null, screenActions: [] });

export function openDialog(dialog: Dialog | null): void {
  frameStore.set({ ...frameStore.get(), dialog });
}

/** A screen's own actions, for as long as it is in front. */
export function offerActions(screenActions: readonly Action[]): () => void {
  frameStore.set({ ...frameStore.get(), screenActions });
  return () => {
    if (frameStore.get().screenActions === screenActions) {
      frameStore.set({ ...frameStore.get(), screenActions: [] });
    }
  };
}
