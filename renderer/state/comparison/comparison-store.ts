import type { LabClient } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../requests/follower.ts';
import { type Answer, answers, createResultsCache, type ResultsCache } from './answers.ts';
import {
  type ComparisonState,
  keyOf,
  missingStrategies,
  type NetworkResults,
  NOTHING_YET,
  ownOf,
  questionOf,
  staleStrategies,
} from './comparison.ts';

export interface ComparisonStore
  extends Pick<Follower<Experiment, ComparisonState>, 'get' | 'subscribe' | 'cancel' | 'reconnected'> {
  /** Shows the experiment; asks the lab only for what no earlier answer covers. */
  show(experiment: Experiment): void;
  retry(): void;
  /** Stops while another screen's question is solved; `show` goes on. */
  pause(): void;
}

const QUIET_MS = 300;

interface Renewal extends Standing {
  readonly results: NetworkResults | null;
}

export function createComparisonStore(
  client: LabClient,
  cache: ResultsCache = createResultsCache(),
): ComparisonStore {
  let experiment: Experiment | null = null;

  const missingOf = (of: Experiment): string[] => missingStrategies(of, cache.get(keyOf(of)));
  const staleOf = (of: Experiment): string[] => {
    const known = cache.get(keyOf(of));
    return known === undefined ? [] : staleStrategies(of, known);
  };

  const follower = createFollower<Experiment, Answer, ComparisonState>({
    first: NOTHING_YET,
    keyOf: questionOf,
    ask: (of, signal) => answers(client, cache, of, missingOf(of), signal),
    begin: (state, of) => {
      const startedAt = performance.now();
      const running = {
        key: keyOf(of),
        own: ownOf(of),
        strategies: missingOf(of),
        startedAt,
        progress: null,
      };
      return { ...state, running };
    },
    after: (state, answer) => {
      const { running } = state;
      if (answer.type === 'progress') {
        return running === null ? state : { ...state, running: { ...running, progress: answer.progress } };
      }
      const shown = shownOf(state, answer.results);
      return { ...state, shown, running: running === null ? null : { ...running, progress: null } };
    },
    // The batch may have become another one while it was solved.
    onEnd: () => {
      if (experiment !== null && follower.get().failure === null) renew(experiment);
    },
  });

  /** A quiet second answer for what scaling only approximates; failures change nothing on screen. */
  const renewal = createFollower<Experiment, Answer, Renewal>({
    first: { ...AT_REST, results: null },
    keyOf: questionOf,
    ask: (of, signal) => answers(client, cache, of, staleOf(of), signal),
    begin: (state) => ({ ...state, running: true }),
    after: (state, answer) => (answer.type === 'results' ? { ...state, results: answer.results } : state),
    quietMs: QUIET_MS,
  });
  renewal.subscribe(() => {
    const { results } = renewal.get();
    if (results !== null) follower.patch({ shown: shownOf(follower.get(), results) });
  });

  const renew = (of: Experiment): void => {
    if (staleOf(of).length === 0) renewal.rest({ results: null });
    else void renewal.again(of);
  };

  const place = (next: Experiment, send: (request: Experiment) => Promise<void>): void => {
    experiment = next;
    const key = keyOf(next);
    const known = cache.get(key);
    const state = follower.get();
    follower.patch({
      wanted: key,
      shown: known !== undefined && known.solved.size > 0 ? known : state.shown,
    });
    const missing = missingStrategies(next, known);
    const { running } = follower.get();
    const isCovered =
      running?.key === key &&
      running.own === ownOf(next) &&
      missing.every((strategy) => running.strategies.includes(strategy));
    if (missing.length > 0 && !isCovered) {
      void send(next);
      return;
    }
    if (!isCovered) follower.rest();
    renew(next);
  };

  return {
    get: follower.get,
    subscribe: follower.subscribe,
    show: (next) => place(next, follower.show),
    retry: () => {
      if (experiment !== null) place(experiment, follower.again);
    },
    cancel: follower.cancel,
    pause: () => {
      follower.pause();
      renewal.pause();
    },
    reconnected: follower.reconnected,
  };
}

/** The previous network stays in sight, dimmed, until there is a curve to put in its place. */
function shownOf({ shown, wanted }: ComparisonState, results: NetworkResults): NetworkResults | null {
  return wanted === results.key && results.solved.size > 0 ? results : shown;
}
