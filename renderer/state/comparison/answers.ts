import type { LabClient } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { createLru, type Lru } from '../../shared/lru.ts';
import { roomOf } from '../experiment/device.ts';
import { keyOf, type NetworkResults, type StrategyProgress, withEvent } from './comparison.ts';

/** Answers by `keyOf`, shared by the comparison's stores. */
export type ResultsCache = Lru<NetworkResults>;

const MAX_KEPT_NETWORKS = 24;

export const createResultsCache = (): ResultsCache => createLru(MAX_KEPT_NETWORKS);

const PROGRESS_MS = 100;

export type Answer =
  | { readonly type: 'progress'; readonly progress: StrategyProgress }
  | { readonly type: 'results'; readonly results: NetworkResults };

/**
 * Answers about one network, kept in the cache as they come.
 *
 * @throws what the call throws: see `failureOf`
 */
export async function* answers(
  client: LabClient,
  cache: ResultsCache,
  experiment: Experiment,
  strategies: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Answer, void, void> {
  const key = keyOf(experiment);
  const { also: _also, ...network } = experiment;
  let reported = 0;
  let since = performance.now();
  const room = roomOf(experiment);
  const stream = await client.compare({ ...network, strategies: [...strategies], room }, { signal });
  for await (const event of stream) {
    if (signal.aborted) return;
    const now = performance.now();
    if (event.type === 'progress') {
      if (now - reported < PROGRESS_MS) continue;
      reported = now;
      yield { type: 'progress', progress: { strategy: event.strategy, done: event.done, since } };
      continue;
    }
    since = now;
    const results = withEvent(cache.get(key), key, experiment.batch, event, experiment);
    if (results === undefined) continue;
    cache.set(key, results);
    yield { type: 'results', results };
  }
}
