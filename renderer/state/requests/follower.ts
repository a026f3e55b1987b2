import type { LabFailureView } from '../../../app/contract/client.ts';
import { createLru } from '../../shared/lru.ts';
import { createStore, type Store } from '../../shared/store.ts';
import { type Events, follow } from './follow.ts';

/** State of a store's request: the same words in every store. */
export interface Standing<R = true> {
  /** Work in progress; null when nothing is asked. */
  readonly running: R | null;
  readonly failure: LabFailureView | null;
  readonly cancelled: boolean;
}

export const AT_REST = { running: null, failure: null, cancelled: false } as const satisfies Standing;

/**
 * The part that one store adds to following: the key of a request, the call, and pure functions from state to state.
 */
export interface Rules<Q, E, S extends Standing<unknown>> {
  readonly first: S;
  /** Equal keys, equal answers. */
  readonly keyOf: (request: Q) => string;
  readonly ask: (request: Q, signal: AbortSignal) => Events<E>;
  /** The state while the first event is awaited; it says `running`. */
  readonly begin: (state: S, request: Q) => S;
  readonly after: (state: S, event: E, request: Q) => S;
  /** The state when all events have come; `running` is taken out of it. */
  readonly done?: (state: S, request: Q) => S;
  readonly failed?: (state: S, failure: LabFailureView, request: Q) => S;
  /** After a request has come to an end of its own. */
  readonly onEnd?: () => void;
  /** A request that is replaced sooner than this is never sent. */
  readonly quietMs?: number;
  /** `begin` comes before the quiet, not after it. */
  readonly beginsAtOnce?: boolean;
  /** States at the end of so many requests are remembered and shown at once when these come again. */
  readonly keeps?: number;
}

export interface Follower<Q, S> extends Pick<Store<S>, 'get' | 'subscribe'> {
  /**
   * Follows this request and no other. It is not sent where it is on its way or its answer is remembered, nor where
   * it was the last one and failed or was cancelled.
   *
   * @returns settles when nothing more will be told of it
   */
  show(request: Q, quietMs?: number): Promise<void>;
  /** Sends it, or the one shown last, whatever became of it before; what is on its way stays so. */
  again(request?: Q, quietMs?: number): Promise<void>;
  /** Stops by the user's wish: what came stays, and the same is not asked until `again`. */
  cancel(): void;
  /** Stops because nobody looks; `show` asks again, for what had failed too. */
  pause(): void;
  /** Stops because nothing has to be asked any more. */
  rest(part?: Partial<S>): void;
  /** The connection is back: what it ended is asked again. */
  reconnected(): void;
  /** Changes state beside the request's. */
  patch(part: Partial<S>): void;
}

/**
 * Follows the lab's answer to the latest of many requests. What is known stays in sight until the new answer
 * changes it; an answer to an older request is never shown.
 *
 * Why not `@orpc/tanstack-query`: its query is one promise with a cache by age. Its streams, partial answers that
 * outlive a cancel, `cancelled` as something to say, a quiet before asking and a failure that is asked again only by
 * wish or after a lost connection would each be written over it, with a second library (query-core) in the first
 * file of the page.
 */
export function createFollower<Q, E, S extends Standing<unknown>>(rules: Rules<Q, E, S>): Follower<Q, S> {
  const { first, keyOf, ask, begin, after, beginsAtOnce = false, keeps = 0 } = rules;
  const { done = (state) => state, failed = (state) => state } = rules;
  const store = createStore<S>(first);
  const answers = createLru<S>(keeps);
  let wanted: Q | null = null;
  let isPaused = false;
  let active: {
    readonly key: string;
    readonly abort: AbortController;
    readonly ended: Promise<void>;
  } | null = null;
  let held: string | null = null;

  const patch = (part: Partial<S>): void => store.set({ ...store.get(), ...part });
  const stop = (): void => {
    active?.abort.abort();
    active = null;
  };
  const stand = (standing: Partial<Standing<never>>): void => {
    const state = store.get();
    const names = Object.keys(standing) as (keyof Standing)[];
    if (names.some((name) => state[name] !== standing[name])) store.set({ ...state, ...standing });
  };

  const send = async (request: Q, key: string, wait: number, signal: AbortSignal): Promise<void> => {
    const start = (): void => store.set({ ...begin(store.get(), request), failure: null, cancelled: false });
    if (wait === 0 || beginsAtOnce) start();
    else stand(AT_REST);
    if (wait > 0) {
      await quiet(wait, signal);
      if (signal.aborted) return;
      if (!beginsAtOnce) start();
    }
    // A listener to the start may have stopped it.
    if (signal.aborted) return;
    const failure = await follow(
      (of) => ask(request, of),
      signal,
      (event) => store.set(after(store.get(), event, request)),
    );
    if (signal.aborted) return;
    active = null;
    if (failure === null) {
      const end = { ...done(store.get(), request), running: null };
      answers.set(key, end);
      store.set(end);
    } else {
      if (failure.code !== 'DISCONNECTED') held = key;
      store.set({ ...failed(store.get(), failure, request), running: null, failure });
    }
    rules.onEnd?.();
  };

  const start = (request: Q, key: string, wait: number): Promise<void> => {
    stop();
    held = null;
    const abort = new AbortController();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    // Before anything is told: a listener may show the same request again.
    active = { key, abort, ended };
    abort.signal.addEventListener('abort', end, { once: true });
    void send(request, key, wait, abort.signal).finally(end);
    return ended;
  };

  const show: Follower<Q, S>['show'] = async (request, wait = rules.quietMs ?? 0) => {
    wanted = request;
    isPaused = false;
    const key = keyOf(request);
    if (active?.key === key) return active.ended;
    if (held === key) return;
    const known = answers.get(key);
    if (known === undefined) return start(request, key, wait);
    stop();
    held = null;
    store.set(known);
  };

  const again: Follower<Q, S>['again'] = async (request = wanted ?? undefined, wait = rules.quietMs ?? 0) => {
    if (request === undefined) return;
    wanted = request;
    isPaused = false;
    const key = keyOf(request);
    if (active?.key === key) return active.ended;
    answers.delete(key);
    return start(request, key, wait);
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    patch,
    show,
    again,
    cancel: () => {
      if (active === null || store.get().running === null) return;
      held = active.key;
      stop();
      stand({ running: null, cancelled: true });
    },
    pause: () => {
      isPaused = true;
      stop();
      if (store.get().failure !== null) held = null;
      stand({ running: null });
    },
    rest: (part) => {
      wanted = null;
      held = null;
      stop();
      stand(AT_REST);
      if (part !== undefined) patch(part);
    },
    reconnected: () => {
      const retry = (): void => {
        if (!isPaused && store.get().failure?.code === 'DISCONNECTED') void again();
      };
      // The request under way may belong to the lost connection, and fail yet.
      if (active === null) retry();
      else void active.ended.then(retry);
    },
  };
}

function quiet(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
