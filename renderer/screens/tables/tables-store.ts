import { failureOf, type LabClient, type LabFailureView } from '../../../app/contract/client.ts';
import type { TableEvent } from '../../../app/contract/tables.ts';
import type { TableHead, TableName, TableRow } from '../../../engine/tables/table.ts';
import { createStore, type Store } from '../../shared/store.ts';

/** One reproduced table, as far as it has come. */
export interface TableProgress {
  readonly head: TableHead | null;
  readonly networks: readonly string[];
  /** By place; rows come in order. */
  readonly rows: readonly TableRow[];
  readonly running: boolean;
  /** When the solving began, on the clock of `performance.now`. */
  readonly since: number;
  readonly failure: LabFailureView | null;
  readonly cancelled: boolean;
}

export type TablesState = Readonly<Record<TableName, TableProgress>>;

export interface TablesStore extends Pick<Store<TablesState>, 'get' | 'subscribe'> {
  /** Solves a table unless that was done, is being done, or went wrong. */
  open(name: TableName): void;
  /** Solves it anew. */
  again(name: TableName): void;
  cancel(): void;
}

export const NOT_BEGUN: TableProgress = {
  head: null,
  networks: [],
  rows: [],
  running: false,
  since: 0,
  failure: null,
  cancelled: false,
};

export const isComplete = ({ head, networks, rows }: TableProgress): boolean =>
  head !== null && rows.length === networks.length;

export function afterTableEvent(table: TableProgress, event: TableEvent): TableProgress {
  if (event.type === 'head') return { ...table, head: event.head, networks: event.networks, rows: [] };
  return { ...table, rows: [...table.rows.slice(0, event.index), event.row] };
}

export function createTablesStore(client: LabClient): TablesStore {
  const store = createStore<TablesState>({ cvpr: NOT_BEGUN, iclr: NOT_BEGUN, theory: NOT_BEGUN });
  const aborts = new Map<TableName, AbortController>();

  const patch = (name: TableName, part: Partial<TableProgress>): void => {
    const all = store.get();
    store.set({ ...all, [name]: { ...all[name], ...part } });
  };

  const solve = async (name: TableName): Promise<void> => {
    const abort = new AbortController();
    aborts.set(name, abort);
    patch(name, { ...NOT_BEGUN, running: true, since: performance.now() });
    try {
      const events = await client.table({ name }, { signal: abort.signal });
      for await (const event of events) patch(name, afterTableEvent(store.get()[name], event));
      patch(name, { running: false });
    } catch (error) {
      const failure = failureOf(error, abort.signal);
      const cancelled = failure.code === 'ABORTED';
      patch(name, { running: false, cancelled, failure: cancelled ? null : failure });
    } finally {
      aborts.delete(name);
    }
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    open: (name) => {
      const table = store.get()[name];
      if (table.running || table.cancelled || table.failure !== null || isComplete(table)) return;
      void solve(name);
    },
    again: (name) => {
      if (!store.get()[name].running) void solve(name);
    },
    cancel: () => {
      for (const abort of aborts.values()) abort.abort();
    },
  };
}
