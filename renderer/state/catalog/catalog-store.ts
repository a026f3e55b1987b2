import type { LabClient } from '../../../app/contract/client.ts';
import type { ModelInfoRow, StrategyInfo } from '../../../app/contract/results.ts';
import { once } from '../requests/follow.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../requests/follower.ts';

type Catalog = Awaited<ReturnType<LabClient['catalog']>>;

export interface CatalogState extends Standing {
  readonly models: readonly ModelInfoRow[];
  readonly strategies: readonly StrategyInfo[];
  readonly titles: ReadonlyMap<string, string>;
  readonly loaded: boolean;
}

export interface CatalogStore
  extends Pick<Follower<null, CatalogState>, 'get' | 'subscribe' | 'reconnected'> {
  load(): Promise<void>;
  /** Adds a network of the user's own, or replaces the one of the same name. */
  add(model: ModelInfoRow): void;
}

const EMPTY: CatalogState = { ...AT_REST, models: [], strategies: [], titles: new Map(), loaded: false };

export function createCatalogStore(client: LabClient): CatalogStore {
  const follower = createFollower<null, Catalog, CatalogState>({
    first: EMPTY,
    keyOf: () => '',
    ask: (_request, signal) => once(client.catalog(undefined, { signal })),
    begin: (state) => ({ ...state, running: true }),
    after: (state, { models, strategies }) => {
      // Networks added before the answer stay.
      const known = new Set(models.map(({ name }) => name));
      const own = state.models.filter(({ name }) => !known.has(name));
      const titles = new Map(strategies.map(({ name, title }) => [name, title]));
      return { ...state, models: [...models, ...own], strategies, titles, loaded: true };
    },
  });
  const { get, subscribe, patch, again, reconnected } = follower;
  return {
    get,
    subscribe,
    reconnected,
    add: (model) => {
      const { models } = get();
      patch({ models: [...models.filter(({ name }) => name !== model.name), model] });
    },
    load: async () => {
      if (!get().loaded) await again(null);
    },
  };
}
