import type { NetworkResults } from './comparison.ts';

/** What the lab has said about networks, the ones looked at last; the comparison's stores share it. */
export interface ResultsCache {
  get(key: string): NetworkResults | undefined;
  keep(results: NetworkResults): void;
}

const MOST_NETWORKS = 24;

export function createResultsCache(most = MOST_NETWORKS): ResultsCache {
  const known = new Map<string, NetworkResults>();
  return {
    get: (key) => known.get(key),
    keep: (results) => {
      known.delete(results.key);
      known.set(results.key, results);
      for (const key of known.keys()) {
        if (known.size <= most) break;
        known.delete(key);
      }
    },
  };
}
