import { failureOf, type LabClient, type LabFailureView } from '../../../app/contract/client.ts';
import type { LimitsEvent, LimitsRequestInput, StrategyLimit } from '../../../app/contract/limits.ts';
import type { Progress } from '../../shared/progress/time-left.ts';
import { createStore, type Store } from '../../shared/store.ts';

export type LimitsHead = Extract<LimitsEvent, { type: 'head' }>;

/** The strategy at work, and how far it is; no strategy while the answer to the request is awaited. */
export interface Running extends Progress {
  readonly strategy: string | null;
}

/** What the lab has said about the limits of one experiment on one device. */
export interface LimitsState {
  readonly head: LimitsHead | null;
  readonly rows: ReadonlyMap<string, StrategyLimit>;
  /** Rows are those of a former request, until the first new one comes. */
  readonly former: boolean;
  readonly running: Running | null;
  readonly failure: LabFailureView | null;
  readonly cancelled: boolean;
}

export interface LimitsStore extends Pick<Store<LimitsState>, 'get' | 'subscribe'> {
  /** Asks after a short quiet, unless that very question was answered last. */
  show(request: LimitsRequestInput): void;
  again(): void;
  cancel(): void;
}

const QUIET_MS = 250;

export const NO_LIMITS: LimitsState = {
  head: null,
  rows: new Map(),
  former: false,
  running: null,
  failure: null,
  cancelled: false,
};

export function afterLimitsEvent(state: LimitsState, event: LimitsEvent): LimitsState {
  switch (event.type) {
    case 'head':
      return { ...state, head: event, rows: new Map(), former: false };
    case 'progress':
      return { ...state, running: runningAt(state.running, event.strategy, event.done) };
    case 'row':
      return { ...state, rows: new Map([...state.rows, [event.row.strategy, event.row]]) };
  }
}

function runningAt(former: Running | null, strategy: string, done: number): Running {
  const since = former?.strategy === strategy ? former.since : performance.now();
  return { strategy, done, since };
}

export function createLimitsStore(client: LabClient): LimitsStore {
  const store = createStore<LimitsState>(NO_LIMITS);
  let asked = '';
  let wanted: LimitsRequestInput | null = null;
  let abort: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const follow = async (request: LimitsRequestInput): Promise<void> => {
    abort?.abort();
    const mine = new AbortController();
    abort = mine;
    try {
      const events = await client.limits(request, { signal: mine.signal });
      for await (const event of events) {
        if (mine.signal.aborted) return;
        store.set(afterLimitsEvent(store.get(), event));
      }
      if (abort === mine) store.set({ ...store.get(), running: null });
    } catch (error) {
      if (abort !== mine) return;
      const failure = failureOf(error, mine.signal);
      const cancelled = failure.code === 'ABORTED';
      store.set({ ...store.get(), running: null, cancelled, failure: cancelled ? null : failure });
    }
  };

  const ask = (): void => {
    if (wanted === null) return;
    asked = JSON.stringify(wanted);
    store.set({
      ...store.get(),
      former: true,
      running: { strategy: null, done: 0, since: performance.now() },
      failure: null,
      cancelled: false,
    });
    const request = wanted;
    clearTimeout(timer);
    timer = setTimeout(() => void follow(request), store.get().head === null ? 0 : QUIET_MS);
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    show: (request) => {
      wanted = request;
      if (JSON.stringify(request) !== asked) ask();
    },
    again: ask,
    cancel: () => {
      if (store.get().running === null) return;
      clearTimeout(timer);
      abort?.abort();
      store.set({ ...store.get(), running: null, cancelled: true });
    },
  };
}
