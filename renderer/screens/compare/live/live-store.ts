import { failureOf, type LabClient } from '../../../../app/contract/client.ts';
import type { LiveTensors, LiveTensorsRequestInput } from '../../../../app/contract/live-tensors.ts';
import { createStore, type Store } from '../../../shared/store.ts';

export interface LiveState {
  /** Of the request shown last; null until they come. */
  readonly tensors: LiveTensors | null;
  /** Why they do not come. */
  readonly failure: string | null;
}

export interface LiveStore extends Pick<Store<LiveState>, 'get' | 'subscribe'> {
  /** Shows the tensors of a plan; what was asked before is not asked again. */
  show(request: LiveTensorsRequestInput | null): void;
}

const MOST_PLANS = 12;
const NOTHING: LiveState = { tensors: null, failure: null };

export function createLiveStore(client: LabClient): LiveStore {
  const store = createStore<LiveState>(NOTHING);
  const known = new Map<string, LiveTensors>();
  let wanted = '';
  let abort = new AbortController();

  const keep = (key: string, tensors: LiveTensors): void => {
    known.delete(key);
    known.set(key, tensors);
    const [oldest] = known.keys();
    if (known.size > MOST_PLANS && oldest !== undefined) known.delete(oldest);
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    show: (request) => {
      const key = JSON.stringify(request);
      if (key === wanted && store.get().failure === null) return;
      wanted = key;
      abort.abort();
      abort = new AbortController();
      const tensors = known.get(key) ?? null;
      store.set({ tensors, failure: null });
      if (tensors !== null || request === null) return;
      const { signal } = abort;
      client.liveTensors(request, { signal }).then(
        (answer) => {
          keep(key, answer);
          if (wanted === key) store.set({ tensors: answer, failure: null });
        },
        (error: unknown) => {
          const { code, message } = failureOf(error, signal);
          if (wanted === key && code !== 'ABORTED') store.set({ tensors: null, failure: message });
        },
      );
    },
  };
}
