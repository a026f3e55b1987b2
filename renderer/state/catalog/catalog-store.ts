import { failureOf, type LabClient, type LabFailureView } from '../../../app/contract/client.ts';
import type { ModelInfoRow, StrategyInfo } from '../../../app/contract/results.ts';
import { createStore, type Store } from '../../shared/store.ts';

/** What the lab has: networks and strategies. Loaded once; empty until then. */
export interface CatalogState {
  readonly models: readonly ModelInfoRow[];
  readonly strategies: readonly StrategyInfo[];
  /** Titles of the strategies by name. */
  readonly titles: ReadonlyMap<string, string>;
  readonly loaded: boolean;
  readonly failure: LabFailureView | null;
}

export interface CatalogStore extends Pick<Store<CatalogState>, 'get' | 'subscribe'> {
  load(): Promise<void>;
  /** Adds a network of the user's own, or replaces the one of the same name. */
  add(model: ModelInfoRow): void;
}

const EMPTY: CatalogState = { models: [], strategies: [], titles: new Map(), loaded: false, failure: null };

export function createCatalogStore(client: LabClient): CatalogStore {
  const store = createStore(EMPTY);
  return {
    get: store.get,
    subscribe: store.subscribe,
    add: (model) => {
      const { models, ...rest } = store.get();
      store.set({ ...rest, models: [...models.filter(({ name }) => name !== model.name), model] });
    },
    load: async () => {
      if (store.get().loaded) return;
      try {
        const { models, strategies } = await client.catalog();
        // What was added before the answer came stays; two answers to overlapping calls are one catalogue.
        const known = new Set(models.map(({ name }) => name));
        const own = store.get().models.filter(({ name }) => !known.has(name));
        const titles = new Map(strategies.map(({ name, title }) => [name, title]));
        store.set({ models: [...models, ...own], strategies, titles, loaded: true, failure: null });
      } catch (error) {
        store.set({ ...store.get(), failure: failureOf(error) });
      }
    },
  };
}
