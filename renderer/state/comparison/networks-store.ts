import { failureOf, type LabClient, type LabFailureView } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { singleNetworks } from '../experiment/networks.ts';
import { createStore, type Store } from '../../shared/store.ts';
import { answers } from './answers.ts';
import {
  type ComparisonState,
  keyOf,
  missingStrategies,
  type NetworkResults,
  type Progress,
  staleStrategies,
} from './comparison.ts';
import type { ResultsCache } from './results-cache.ts';

/** What is known of the networks beside the one in front. */
export interface NetworksState {
  /** By `keyOf`. */
  readonly results: ReadonlyMap<string, NetworkResults>;
  /** By `questionOf`. */
  readonly failures: ReadonlyMap<string, LabFailureView>;
  readonly running: NetworksRun | null;
  readonly cancelled: boolean;
}

export interface NetworksRun {
  readonly key: string;
  readonly model: string;
  readonly startedAt: number;
  /** Networks that wait behind this one. */
  readonly waiting: number;
  readonly progress: Progress | null;
}

export interface NetworksStore extends Pick<Store<NetworksState>, 'get' | 'subscribe'> {
  show(experiment: Experiment): void;
  cancel(): void;
  /** Goes on after a cancel, and asks again for what failed. */
  again(): void;
}

const QUIET_MS = 300;
const NOTHING: NetworksState = { results: new Map(), failures: new Map(), running: null, cancelled: false };

/**
 * Solves the networks beside the one in front, one after the other, whenever the front needs no solver. A network
 * that comes to the front and goes again is not solved anew: both stores share the cache.
 */
export function createNetworksStore(
  client: LabClient,
  cache: ResultsCache,
  front: Pick<Store<ComparisonState>, 'get' | 'subscribe'>,
): NetworksStore {
  const store = createStore<NetworksState>(NOTHING);
  let wanted: readonly Experiment[] = [];
  let active: { readonly asked: Experiment; readonly abort: AbortController } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const patch = (part: Partial<NetworksState>): void => store.set({ ...store.get(), ...part });

  const missingOf = (single: Experiment): string[] => {
    const known = cache.get(keyOf(single));
    const missing = missingStrategies(single, known);
    return known === undefined ? missing : [...new Set([...missing, ...staleStrategies(single, known)])];
  };
  const publish = (): void => {
    const known = wanted.map((single) => cache.get(keyOf(single)));
    patch({
      results: new Map(known.flatMap((results) => (results ? [[results.key, results] as const] : []))),
    });
  };
  const fail = (single: Experiment, failure: LabFailureView): void =>
    patch({ failures: new Map([...store.get().failures, [questionOf(single), failure]]) });

  const stop = (): void => {
    active?.abort.abort();
    active = null;
    if (store.get().running !== null) patch({ running: null });
  };

  const solve = async (asked: Experiment, waiting: number): Promise<void> => {
    const mine = { asked, abort: new AbortController() };
    const { signal } = mine.abort;
    active = mine;
    const run = { key: keyOf(asked), model: asked.model, startedAt: performance.now(), waiting };
    patch({ running: { ...run, progress: null } });
    if (active !== mine) return;
    try {
      for await (const answer of answers(client, cache, asked, missingOf(asked), signal)) {
        if (active !== mine) return;
        patch({ running: { ...run, progress: answer.type === 'progress' ? answer.progress : null } });
        if (answer.type === 'results') publish();
      }
      // A lab that answers less than it was asked for would be asked for ever.
      if (active === mine && missingOf(asked).length > 0) fail(asked, UNFINISHED);
    } catch (error) {
      if (active === mine) fail(asked, failureOf(error, signal));
    }
    if (active !== mine) return;
    active = null;
    patch({ running: null });
    next();
  };

  const next = (): void => {
    if (active !== null || store.get().cancelled || front.get().running !== null) return;
    const { failures } = store.get();
    const open = wanted.filter((single) => missingOf(single).length > 0 && !failures.has(questionOf(single)));
    const [first] = open;
    if (first !== undefined) void solve(first, open.length - 1);
  };

  /** The front goes first: what it needs does not wait for the others. */
  front.subscribe(() => {
    if (front.get().running !== null) stop();
    else if (wanted.length > 0 && active === null) {
      publish();
      next();
    }
  });

  return {
    get: store.get,
    subscribe: store.subscribe,
    show: (experiment) => {
      wanted = singleNetworks(experiment).slice(1);
      clearTimeout(timer);
      const question = active === null ? null : questionOf(active.asked);
      if (question !== null && !wanted.some((single) => questionOf(single) === question)) stop();
      patch({ cancelled: false });
      publish();
      timer = setTimeout(next, QUIET_MS);
    },
    cancel: () => {
      if (active === null) return;
      stop();
      patch({ cancelled: true });
    },
    again: () => {
      patch({ cancelled: false, failures: new Map() });
      next();
    },
  };
}

const UNFINISHED: LabFailureView = {
  code: 'INTERNAL',
  message: 'The lab did not answer for every strategy.',
  path: '',
};

/** All that an answer depends on; a question that failed is not asked again until something of it changes. */
export function questionOf(experiment: Experiment): string {
  const { strategies, batch, budgetBytes } = experiment;
  return `${keyOf(experiment)} ${batch} ${strategies.join()} ${budgetBytes ?? ''}`;
}
