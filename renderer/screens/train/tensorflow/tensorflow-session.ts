import type { LabFailureView } from '../../../../app/contract/client.ts';
import type { Adding, Tensorflow, TensorflowKind } from '../../../../app/contract/setup.ts';
import { asSentence } from '../../../shared/format/sentence.ts';
import { createStore, type Store } from '../../../shared/store.ts';
import { follow, once } from '../../../state/requests/follow.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';

export interface TensorflowState {
  /** Null before it is known. */
  readonly there: Tensorflow | null;
  /** How far the adding is, null before it says so; null where nothing is added. */
  readonly adding: { readonly kind: TensorflowKind; readonly at: Adding | null } | null;
  readonly said: { readonly text: string; readonly isFault: boolean } | null;
}

export interface TensorflowSession extends Pick<Store<TensorflowState>, 'get' | 'subscribe'> {
  load(): Promise<void>;
  add(): Promise<void>;
  cancel(): void;
  dismiss(): void;
  reconnected(): void;
}

export function tensorflowSession({ connection }: Pick<Workspace, 'connection'>): TensorflowSession {
  const { client } = connection;
  const store = createStore<TensorflowState>({ there: null, adding: null, said: null });
  const change = (part: Partial<TensorflowState>): void => store.set({ ...store.get(), ...part });
  let active: AbortController | null = null;

  /** Shows nothing where the state is unknown: nothing waits for it. */
  const load = async (): Promise<void> => {
    const { signal } = new AbortController();
    await follow(
      () => once(client.tensorflow(undefined)),
      signal,
      (there) => change({ there }),
    );
  };
  const outcome = (failure: LabFailureView | null): TensorflowState['said'] => {
    if (failure === null)
      return { text: 'TensorFlow is installed. The next run can use it.', isFault: false };
    if (failure.code === 'ABORTED') return { text: 'Cancelled. Nothing was installed.', isFault: false };
    return { text: asSentence(failure.message), isFault: true };
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    load,
    add: async () => {
      const kind = store.get().there?.add?.kind;
      if (kind === undefined || active !== null) return;
      const abort = new AbortController();
      active = abort;
      change({ adding: { kind, at: null }, said: null });
      const { signal } = abort;
      const failure = await follow(
        () => client.addTensorflow({ kind }, { signal }),
        signal,
        (at) => change({ adding: { kind, at } }),
      );
      active = null;
      await load();
      change({ adding: null, said: outcome(failure) });
    },
    cancel: () => active?.abort(),
    dismiss: () => change({ said: null }),
    reconnected: () => void load(),
  };
}
