import { failureOf, type LabClient } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { createStore, type Store } from '../../shared/store.ts';
import { answers } from './answers.ts';
import {
  type ComparisonState,
  keyOf,
  missingStrategies,
  NOTHING_YET,
  ownOf,
  staleStrategies,
} from './comparison.ts';
import { createResultsCache, type ResultsCache } from './results-cache.ts';

export interface ComparisonStore extends Pick<Store<ComparisonState>, 'get' | 'subscribe'> {
  /** Shows the experiment; asks the lab only for what no earlier answer covers. */
  show(experiment: Experiment): void;
  retry(): void;
  cancel(): void;
}

const QUIET_MS = 300;

interface Request {
  readonly key: string;
  readonly strategies: readonly string[];
  readonly own: string;
  readonly abort: AbortController;
}

export function createComparisonStore(
  client: LabClient,
  cache: ResultsCache = createResultsCache(),
): ComparisonStore {
  const store = createStore<ComparisonState>(NOTHING_YET);
  let experiment: Experiment | null = null;
  let request: Request | null = null;
  let held = '';
  let renewal: { readonly timer: ReturnType<typeof setTimeout>; readonly abort: AbortController } | null =
    null;

  const patch = (part: Partial<ComparisonState>): void => store.set({ ...store.get(), ...part });

  /** Follows one answer of the lab onto the screen where it is the wanted one. */
  const follow = async (
    asked: Experiment,
    strategies: readonly string[],
    { signal }: AbortController,
  ): Promise<void> => {
    for await (const answer of answers(client, cache, asked, strategies, signal)) {
      const { wanted, running } = store.get();
      if (answer.type === 'progress') {
        if (running !== null) patch({ running: { ...running, progress: answer.progress } });
        continue;
      }
      // The former network stays in sight, dimmed, until there is a curve to put in its place.
      const { results } = answer;
      if (wanted !== results.key || results.solved.size === 0) continue;
      patch({ shown: results, running: running === null ? null : { ...running, progress: null } });
    }
  };

  const ask = (asked: Experiment, strategies: readonly string[]): void => {
    request?.abort.abort();
    const mine: Request = { key: keyOf(asked), strategies, own: ownOf(asked), abort: new AbortController() };
    request = mine;
    const running = { key: mine.key, strategies, startedAt: performance.now(), progress: null };
    patch({ running, failure: null, cancelled: false });
    const end = (part: Partial<ComparisonState>): void => {
      if (request !== mine) return;
      request = null;
      patch({ running: null, ...part });
    };
    follow(asked, strategies, mine.abort).then(
      () => end({}),
      (error: unknown) => {
        const failure = failureOf(error, mine.abort.signal);
        if (failure.code === 'ABORTED') end({ cancelled: true });
        else {
          held = requestKey(asked);
          end({ failure });
        }
      },
    );
  };

  /** A quiet second answer for what scaling only approximates; failures change nothing on screen. */
  const renew = (asked: Experiment): void => {
    clearTimeout(renewal?.timer);
    renewal?.abort.abort();
    renewal = null;
    const known = cache.get(keyOf(asked));
    if (known === undefined || staleStrategies(asked, known).length === 0) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const latest = cache.get(keyOf(asked));
      const stale = latest === undefined ? [] : staleStrategies(asked, latest);
      if (stale.length > 0) follow(asked, stale, abort).catch(() => undefined);
    }, QUIET_MS);
    renewal = { timer, abort };
  };

  const show = (next: Experiment): void => {
    experiment = next;
    const key = keyOf(next);
    const known = cache.get(key);
    if (known !== undefined) cache.keep(known);
    const { shown } = store.get();
    const missing = missingStrategies(next, known);
    const covered =
      request !== null &&
      request.key === key &&
      request.own === ownOf(next) &&
      missing.every((s) => request?.strategies.includes(s));
    patch({ wanted: key, shown: known !== undefined && known.solved.size > 0 ? known : shown });
    if (missing.length === 0 || covered) {
      if (!covered) {
        request?.abort.abort();
        request = null;
        patch({ running: null, failure: null, cancelled: false });
      }
      renew(next);
      return;
    }
    if (held !== requestKey(next)) {
      held = '';
      ask(next, missing);
    }
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    show,
    retry: () => {
      held = '';
      if (experiment !== null) show(experiment);
    },
    cancel: () => {
      if (experiment === null || request === null) return;
      held = requestKey(experiment);
      request.abort.abort();
      request = null;
      patch({ running: null, cancelled: true });
    },
  };
}

/** A failed or cancelled request is not asked again until something of it changes. */
function requestKey(experiment: Experiment): string {
  return `${keyOf(experiment)} ${experiment.batch} ${experiment.strategies.join()} ${ownOf(experiment)}`;
}
