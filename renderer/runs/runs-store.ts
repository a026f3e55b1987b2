import { failureOf, type LabClient } from '../../app/contract/client.ts';
import type { TrainRequestInput } from '../../app/contract/training.ts';
import { createStore, type Store } from '../shared/store.ts';
import { createThrottle } from '../shared/throttle.ts';
import { afterEvent, newRun, type Run } from './run.ts';

export interface RunsState {
  /** Newest first. */
  readonly runs: readonly Run[];
  /** Grows whenever the screen should look again: measured curves are written in place. */
  readonly revision: number;
}

export interface RunsStore extends Pick<Store<RunsState>, 'get' | 'subscribe'> {
  /** Runs the requests one after the other; does nothing while others run. */
  start(requests: readonly TrainRequestInput[]): void;
  /** Stops the run in front and forgets those behind it. */
  cancel(): void;
  forget(id: number): void;
}

/** 12 pictures a second: faster than the eye follows, slow enough for the chart. */
const FRAME_MS = 80;
const MOST_RUNS = 20;

export function createRunsStore(client: LabClient): RunsStore {
  const store = createStore<RunsState>({ runs: [], revision: 0 });
  let nextId = 1;
  let waiting: readonly TrainRequestInput[] = [];
  let active: { readonly id: number; readonly abort: AbortController; run: Run } | null = null;

  const show = (): void => {
    const { runs, revision } = store.get();
    const shown = active === null ? runs : runs.map((run) => (run.id === active?.id ? active.run : run));
    store.set({ runs: shown, revision: revision + 1 });
  };
  const throttle = createThrottle(show, FRAME_MS);

  const follow = async (mine: NonNullable<typeof active>): Promise<Run> => {
    const { signal } = mine.abort;
    try {
      const events = await client.train(mine.run.request, { signal });
      for await (const event of events) {
        mine.run = afterEvent(mine.run, event);
        throttle.poke();
      }
      if (mine.run.outcome === 'done') return mine.run;
      if (signal.aborted) return { ...mine.run, outcome: 'cancelled' };
      const message = 'The run ended before it was done.';
      return { ...mine.run, outcome: 'failed', failure: { code: 'INTERNAL', message, path: '' } };
    } catch (error) {
      const failure = failureOf(error, signal);
      if (failure.code === 'ABORTED') return { ...mine.run, outcome: 'cancelled' };
      return { ...mine.run, outcome: 'failed', failure };
    }
  };

  const startNext = (): void => {
    const [request, ...rest] = waiting;
    waiting = rest;
    if (request === undefined) return;
    const run = newRun(nextId++, request);
    const mine = { id: run.id, abort: new AbortController(), run };
    active = mine;
    store.set({ ...store.get(), runs: [run, ...store.get().runs].slice(0, MOST_RUNS) });
    void follow(mine).then((ended) => {
      mine.run = ended;
      throttle.cancel();
      show();
      active = null;
      if (ended.outcome !== 'done') waiting = [];
      startNext();
    });
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    start: (requests) => {
      if (active !== null) return;
      waiting = requests;
      startNext();
    },
    cancel: () => {
      waiting = [];
      active?.abort.abort();
    },
    forget: (id) => {
      if (active?.id === id) return;
      store.set({ ...store.get(), runs: store.get().runs.filter((run) => run.id !== id) });
    },
  };
}
