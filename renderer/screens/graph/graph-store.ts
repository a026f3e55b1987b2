import { failureOf, type LabClient, type LabFailureView } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { createStore, type Store } from '../../shared/store.ts';
import { type Blocks, blocksOf } from './blocks.ts';
import { type MaxTermScale, maxTermScale } from './max-term.ts';
import { type PaperGraph, paperGraphOf } from './paper-graph.ts';

/** A network's computation graph with all that is derived from it once. */
export interface Network {
  readonly key: string;
  readonly paper: PaperGraph;
  readonly blocks: Blocks;
  readonly scale: MaxTermScale;
}

export interface GraphState {
  /** On screen: the wanted network, or the former one until it comes. */
  readonly shown: Network | null;
  readonly wanted: string;
  readonly loading: boolean;
  readonly failure: LabFailureView | null;
}

export interface GraphStore extends Pick<Store<GraphState>, 'get' | 'subscribe'> {
  show(experiment: Experiment): void;
  retry(): void;
}

const MOST_NETWORKS = 6;

/** What a graph depends on: bytes are per sample, so neither the batch nor the strategies. */
export function graphKey({ model, input, dropout, dtype }: Experiment): string {
  return JSON.stringify([model, input ?? null, dropout ?? null, dtype]);
}

export function createGraphStore(client: Pick<LabClient, 'graphView'>): GraphStore {
  const store = createStore<GraphState>({ shown: null, wanted: '', loading: false, failure: null });
  const cache = new Map<string, Network>();
  let abort: AbortController | null = null;
  let experiment: Experiment | null = null;

  const load = async (asked: Experiment, key: string): Promise<void> => {
    abort?.abort();
    const mine = new AbortController();
    abort = mine;
    store.set({ ...store.get(), wanted: key, loading: true, failure: null });
    try {
      const { model, batch, input, dropout, dtype } = asked;
      const request = {
        model,
        batch,
        dtype,
        ...(input === undefined ? {} : { input }),
        ...(dropout === undefined ? {} : { dropout }),
      };
      const view = await client.graphView(request, { signal: mine.signal });
      const paper = paperGraphOf(view);
      const scale = maxTermScale(paper.tree, paper.optimum);
      const network = { key, paper, blocks: blocksOf(view), scale };
      cache.set(key, network);
      const [oldest] = cache.keys();
      if (cache.size > MOST_NETWORKS && oldest !== undefined) cache.delete(oldest);
      if (!mine.signal.aborted) store.set({ shown: network, wanted: key, loading: false, failure: null });
    } catch (error) {
      const failure = failureOf(error, mine.signal);
      if (failure.code !== 'ABORTED') store.set({ ...store.get(), loading: false, failure });
    }
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    show: (next) => {
      experiment = next;
      const key = graphKey(next);
      if (store.get().wanted === key) return;
      const known = cache.get(key);
      if (known === undefined) void load(next, key);
      else {
        abort?.abort();
        store.set({ shown: known, wanted: key, loading: false, failure: null });
      }
    },
    retry: () => {
      if (experiment !== null) void load(experiment, graphKey(experiment));
    },
  };
}
