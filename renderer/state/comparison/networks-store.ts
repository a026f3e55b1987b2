import type { LabClient, LabFailureView } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { singleNetworks } from '../experiment/networks.ts';
import type { Store } from '../../shared/store.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../requests/follower.ts';
import { type Answer, answers, type ResultsCache } from './answers.ts';
import {
  type ComparisonState,
  keyOf,
  missingStrategies,
  type NetworkResults,
  type StrategyProgress,
  questionOf,
  staleStrategies,
} from './comparison.ts';

export interface NetworksState extends Standing<NetworksRun> {
  /** By `keyOf`. */
  readonly results: ReadonlyMap<string, NetworkResults>;
  /** By `questionOf`. */
  readonly failures: ReadonlyMap<string, LabFailureView>;
}

export interface NetworksRun {
  /** By `questionOf`. */
  readonly question: string;
  readonly key: string;
  readonly model: string;
  readonly startedAt: number;
  /** Networks that wait behind this one. */
  readonly waiting: number;
  readonly progress: StrategyProgress | null;
}

export interface NetworksStore
  extends Pick<Follower<Question, NetworksState>, 'get' | 'subscribe' | 'cancel' | 'pause' | 'reconnected'> {
  show(experiment: Experiment): void;
  /** Goes on after a cancel, and asks again for what failed. */
  again(): void;
}

const QUIET_MS = 300;
const NOTHING: NetworksState = { ...AT_REST, results: new Map(), failures: new Map() };

interface Question {
  readonly single: Experiment;
  readonly waiting: number;
}

/**
 * Solves the networks beside the one in front, one after the other, whenever the front needs no solver. A network
 * that comes to the front and goes again is not solved again: both stores share the cache.
 */
export function createNetworksStore(
  client: LabClient,
  cache: ResultsCache,
  front: Pick<Store<ComparisonState>, 'get' | 'subscribe'>,
): NetworksStore {
  let wanted: readonly Experiment[] = [];

  const missingOf = (single: Experiment): string[] => {
    const known = cache.get(keyOf(single));
    const missing = missingStrategies(single, known);
    return known === undefined ? missing : [...new Set([...missing, ...staleStrategies(single, known)])];
  };
  const known = (): Pick<NetworksState, 'results'> => {
    const all = wanted.map((single) => cache.get(keyOf(single)));
    return { results: new Map(all.flatMap((results) => (results ? [[results.key, results] as const] : []))) };
  };
  const withFailure = (state: NetworksState, single: Experiment, failure: LabFailureView): NetworksState => ({
    ...state,
    failures: new Map([...state.failures, [questionOf(single), failure]]),
  });

  const follower = createFollower<Question, Answer, NetworksState>({
    first: NOTHING,
    keyOf: ({ single }) => questionOf(single),
    ask: ({ single }, signal) => answers(client, cache, single, missingOf(single), signal),
    begin: (state, { single, waiting }) => {
      const { model } = single;
      const startedAt = performance.now();
      const question = questionOf(single);
      return {
        ...state,
        running: { question, key: keyOf(single), model, startedAt, waiting, progress: null },
      };
    },
    after: (state, answer) => {
      const { running } = state;
      const progress = answer.type === 'progress' ? answer.progress : null;
      const next = { ...state, running: running === null ? null : { ...running, progress } };
      return answer.type === 'results' ? { ...next, ...known() } : next;
    },
    // A lab that answers less than it was asked for would be asked for ever.
    done: (state, { single }) =>
      missingOf(single).length > 0 ? withFailure(state, single, UNFINISHED) : state,
    failed: (state, failure, { single }) => withFailure(state, single, failure),
    onEnd: () => next(),
  });

  const next = (quietMs = 0): void => {
    const { running, cancelled, failures } = follower.get();
    if (running !== null || cancelled || front.get().running !== null) return;
    const open = wanted.filter((single) => missingOf(single).length > 0 && !failures.has(questionOf(single)));
    const [single] = open;
    if (single !== undefined) void follower.again({ single, waiting: open.length - 1 }, quietMs);
  };

  /** The front goes first: what it needs does not wait for the others. */
  front.subscribe(() => {
    if (front.get().running !== null) follower.pause();
    else if (wanted.length > 0 && follower.get().running === null) {
      follower.patch(known());
      next();
    }
  });

  const again = (): void => {
    follower.patch({ cancelled: false, failures: new Map() });
    next();
  };

  return {
    get: follower.get,
    subscribe: follower.subscribe,
    show: (experiment) => {
      wanted = singleNetworks(experiment).slice(1);
      const { running } = follower.get();
      if (!wanted.some((single) => questionOf(single) === running?.question)) follower.pause();
      follower.patch({ cancelled: false, ...known() });
      next(QUIET_MS);
    },
    cancel: follower.cancel,
    pause: follower.pause,
    again,
    reconnected: () => {
      const { failures } = follower.get();
      if ([...failures.values()].some(({ code }) => code === 'DISCONNECTED')) again();
    },
  };
}

const UNFINISHED: LabFailureView = {
  code: 'INTERNAL',
  message: 'Some strategies are missing: the lab sent no result for them.',
  path: '',
};
