import { failureOf, type LabClient, type LabFailureView } from '../../../../app/contract/client.ts';
import type { FrontPoint, ParetoEvent, ParetoRequestInput } from '../../../../app/contract/pareto.ts';
import type { Progress } from '../../../shared/progress/time-left.ts';
import { createStore, type Store } from '../../../shared/store.ts';

/** The front of one network at one batch, as far as it has come. */
export interface ParetoState {
  /** The network that the points belong to, without its batch; empty before the first. */
  readonly key: string;
  readonly batch: number;
  /** By falling memory. */
  readonly points: readonly FrontPoint[];
  /** Whether these are all points: a search that was stopped leaves what it had found. */
  readonly complete: boolean;
  /** How far the search is; null when nothing is searched. */
  readonly searching: Progress | null;
  readonly failure: LabFailureView | null;
  readonly cancelled: boolean;
}

export interface ParetoStore extends Pick<Store<ParetoState>, 'get' | 'subscribe'> {
  /** Searches the front of a request after a quiet moment; a front that is there already is kept. */
  show(request: ParetoRequestInput): void;
  /** Leaves the solver to others: another experiment is being compared, or the chart is out of sight. */
  pause(): void;
  again(): void;
  cancel(): void;
}

const QUIET_MS = 600;

export const NO_FRONT: ParetoState = {
  key: '',
  batch: 1,
  points: [],
  complete: false,
  searching: null,
  failure: null,
  cancelled: false,
};

/** What a front depends on besides the batch, to which it is nearly proportional. */
export function frontKey({ batch: _batch, ...network }: ParetoRequestInput): string {
  return JSON.stringify(network, Object.keys(network).sort());
}

export function createParetoStore(client: LabClient, quietMs: number = QUIET_MS): ParetoStore {
  const store = createStore<ParetoState>(NO_FRONT);
  let wanted: ParetoRequestInput | null = null;
  let held: ParetoRequestInput | null = null;
  let active: { readonly request: string; readonly abort: AbortController } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const patch = (part: Partial<ParetoState>): void => store.set({ ...store.get(), ...part });

  const search = async (request: ParetoRequestInput): Promise<void> => {
    const mine = { request: JSON.stringify(request), abort: new AbortController() };
    active = mine;
    const key = frontKey(request);
    const since = performance.now();
    if (store.get().key !== key) patch({ key, batch: request.batch, points: [], complete: false });
    patch({ searching: { done: 0, since }, failure: null, cancelled: false });
    // The front of another batch, scaled, says more than the first points of this one.
    const isShown = store.get().complete;
    let points: readonly FrontPoint[] = [];
    const take = (event: ParetoEvent): void => {
      if (event.type === 'progress') patch({ searching: { done: event.done, since } });
      else {
        points = event.points;
        if (!isShown) patch({ batch: request.batch, points });
      }
    };
    try {
      const events = await client.pareto(request, { signal: mine.abort.signal });
      for await (const event of events) {
        if (active !== mine) return;
        take(event);
      }
      if (active === mine) patch({ key, batch: request.batch, points, complete: true, searching: null });
    } catch (error) {
      const failure = failureOf(error, mine.abort.signal);
      if (active === mine) patch({ searching: null, failure: failure.code === 'ABORTED' ? null : failure });
    } finally {
      if (active === mine) active = null;
    }
  };

  const stop = (): void => {
    clearTimeout(timer);
    active?.abort.abort();
    active = null;
    if (store.get().searching !== null) patch({ searching: null });
  };

  const isThere = (request: ParetoRequestInput): boolean => {
    const { key, batch, complete } = store.get();
    return complete && key === frontKey(request) && batch === request.batch;
  };

  const show = (request: ParetoRequestInput): void => {
    wanted = request;
    const text = JSON.stringify(request);
    if (active?.request === text || (held !== null && JSON.stringify(held) === text)) return;
    stop();
    held = null;
    if (store.get().cancelled || store.get().failure !== null) patch({ cancelled: false, failure: null });
    if (isThere(request)) return;
    timer = setTimeout(() => void search(request), quietMs);
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    show,
    pause: stop,
    again: () => {
      held = null;
      if (wanted !== null) show(wanted);
    },
    cancel: () => {
      if (active === null) return;
      held = wanted;
      stop();
      patch({ cancelled: true });
    },
  };
}
