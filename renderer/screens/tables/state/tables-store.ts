import type { LabClient } from '../../../../app/contract/client.ts';
import type { TableEvent } from '../../../../app/contract/tables.ts';
import {
  TABLE_NAMES,
  type TableHead,
  type TableName,
  type TableRow,
} from '../../../../engine/tables/table.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../../../state/requests/follower.ts';

export interface TableProgress extends Standing<{ readonly since: number }> {
  readonly head: TableHead | null;
  readonly networks: readonly string[];
  /** By place; rows come in order. */
  readonly rows: readonly TableRow[];
}

export type TableStore = Follower<TableName, TableProgress>;

export interface TablesStore {
  readonly of: (name: TableName) => TableStore;
  cancel(): void;
  reconnected(): void;
}

export const NOT_BEGUN: TableProgress = { ...AT_REST, head: null, networks: [], rows: [] };

export const isComplete = ({ head, networks, rows }: TableProgress): boolean =>
  head !== null && rows.length === networks.length;

export function afterTableEvent(table: TableProgress, event: TableEvent): TableProgress {
  if (event.type === 'head') return { ...table, head: event.head, networks: event.networks, rows: [] };
  return { ...table, rows: [...table.rows.slice(0, event.index), event.row] };
}

export function createTablesStore(client: LabClient): TablesStore {
  const create = (): TableStore =>
    createFollower<TableName, TableEvent, TableProgress>({
      first: NOT_BEGUN,
      keyOf: (name) => name,
      ask: (name, signal) => client.table({ name }, { signal }),
      begin: () => ({ ...NOT_BEGUN, running: { since: performance.now() } }),
      after: afterTableEvent,
      keeps: 1,
    });
  const stores = Object.fromEntries(TABLE_NAMES.map((name) => [name, create()])) as Readonly<
    Record<TableName, TableStore>
  >;
  return {
    of: (name) => stores[name],
    cancel: () => {
      for (const store of Object.values(stores)) store.cancel();
    },
    reconnected: () => {
      for (const store of Object.values(stores)) store.reconnected();
    },
  };
}
