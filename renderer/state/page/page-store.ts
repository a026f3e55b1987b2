import type { Experiment } from '../../../app/contract/experiment.ts';
import { createStore, type Store } from '../../shared/store.ts';
import type { Action } from './actions.ts';

export type Dialog = 'palette' | 'shortcuts' | 'about' | 'file' | 'torch';

export interface TorchPlan {
  readonly experiment: Experiment;
  readonly strategy: string;
  readonly title: string;
  /** Peak of the lab's own plan; null where it is not known. */
  readonly peakBytes: number | null;
}

export interface PageState {
  readonly dialog: Dialog | null;
  /** Plan of the dialog on PyTorch; kept while it closes. */
  readonly torchPlan: TorchPlan | null;
  /** Id of the preset whose commentary was closed. */
  readonly dismissed: string | null;
}

export interface PageStore extends Pick<Store<PageState>, 'get' | 'subscribe'> {
  openDialog(dialog: Dialog | null): void;
  openInTorch(torchPlan: TorchPlan): void;
  dismiss(preset: string | null): void;
  /** Actions that the palette shows first, asked for when it opens; returns how to take them back. */
  offer(actions: () => readonly Action[]): () => void;
  offered(): readonly Action[];
}

export function createPageStore(): PageStore {
  const store = createStore<PageState>({ dialog: null, torchPlan: null, dismissed: null });
  const offers = new Set<() => readonly Action[]>();
  return {
    get: store.get,
    subscribe: store.subscribe,
    openDialog: (dialog) => store.set({ ...store.get(), dialog }),
    openInTorch: (torchPlan) => store.set({ ...store.get(), dialog: 'torch', torchPlan }),
    dismiss: (dismissed) => store.set({ ...store.get(), dismissed }),
    offer: (actions) => {
      offers.add(actions);
      return () => offers.delete(actions);
    },
    offered: () => [...offers].flatMap((actions) => actions()),
  };
}
