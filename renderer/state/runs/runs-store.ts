import type { LabClient } from '../../../app/contract/client.ts';
import { INCOMPLETE } from '../../../app/contract/run-content.ts';
import type { TrainRequestInput } from '../../../app/contract/training.ts';
import { createStore, type Store } from '../../shared/store.ts';
import { createThrottle } from '../../shared/throttle.ts';
import { follow } from '../requests/follow.ts';
import { newRun, type Run, runAfter } from './run.ts';

export interface RunsState {
  /** Newest first. */
  readonly runs: readonly Run[];
  /** Grows whenever the screen should look again: measured curves are written in place. */
  readonly revision: number;
}

export interface RunsStore extends Pick<Store<RunsState>, 'get' | 'subscribe'> {
  /** Runs the requests one after the other; does nothing while others run. */
  start(requests: readonly TrainRequestInput[]): void;
  pause(paused: boolean): void;
  /** Stops the run in front and forgets those behind it. */
  cancel(): void;
  forget(keys: readonly string[]): void;
  /** Calls runs by their numbers in the history. */
  number(numbers: ReadonlyMap<string, number>): void;
}

export interface RunsOptions {
  readonly nextNumber?: () => number;
  /** A run has begun to say something, or has ended. */
  readonly onChange?: () => void;
}

/** 12 pictures a second: faster than the eye follows, slow enough for the chart. */
const FRAME_MS = 80;
const MAX_RUNS = 20;
const UNFINISHED = { message: INCOMPLETE };

export function createRunsStore(client: LabClient, options: RunsOptions = {}): RunsStore {
  const { nextNumber, onChange } = options;
  const store = createStore<RunsState>({ runs: [], revision: 0 });
  let lastNumber = 0;
  let waiting: readonly TrainRequestInput[] = [];
  let active: { readonly key: string; readonly abort: AbortController; run: Run } | null = null;

  const show = (): void => {
    const { runs, revision } = store.get();
    const shown = active === null ? runs : runs.map((run) => (run.key === active?.key ? active.run : run));
    store.set({ runs: shown, revision: revision + 1 });
  };
  const throttle = createThrottle(show, FRAME_MS);

  const train = async (mine: NonNullable<typeof active>): Promise<Run> => {
    const { signal } = mine.abort;
    const failure = await follow(
      async () => {
        const events = await client.train({ ...mine.run.request, run: mine.key }, { signal });
        onChange?.();
        return events;
      },
      signal,
      (event) => {
        mine.run = runAfter(mine.run, event);
        throttle.poke();
      },
    );
    if (mine.run.outcome === 'done') return mine.run;
    if (failure?.code === 'ABORTED') return { ...mine.run, outcome: 'cancelled' };
    return { ...mine.run, outcome: 'failed', failure: failure ?? UNFINISHED };
  };

  const startNext = (): void => {
    const [request, ...rest] = waiting;
    waiting = rest;
    if (request === undefined) return;
    lastNumber = Math.max(lastNumber + 1, nextNumber?.() ?? 0);
    const run = newRun(lastNumber, request, crypto.randomUUID());
    const mine = { key: run.key, abort: new AbortController(), run };
    active = mine;
    store.set({ ...store.get(), runs: [run, ...store.get().runs].slice(0, MAX_RUNS) });
    void train(mine).then((ended) => {
      mine.run = { ...ended, progress: null, paused: false };
      throttle.cancel();
      show();
      active = null;
      if (ended.outcome !== 'done') waiting = [];
      startNext();
      onChange?.();
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
    pause: (paused) => {
      if (active === null) return;
      // A run that has just ended needs no pause; one that lost its lab says so itself.
      client.steerTraining({ run: active.key, paused }).catch(() => undefined);
    },
    cancel: () => {
      waiting = [];
      active?.abort.abort();
    },
    forget: (keys) => {
      const gone = new Set(keys);
      if (active !== null) gone.delete(active.key);
      store.set({ ...store.get(), runs: store.get().runs.filter(({ key }) => !gone.has(key)) });
    },
    number: (numbers) => {
      const named = (run: Run): Run => {
        const id = numbers.get(run.key);
        return id === undefined || id === run.id ? run : { ...run, id };
      };
      if (active !== null) active.run = named(active.run);
      const { runs } = store.get();
      const next = runs.map(named);
      if (next.some((run, i) => run !== runs[i])) store.set({ ...store.get(), runs: next });
    },
  };
}
