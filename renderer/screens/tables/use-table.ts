import { useEffect, useMemo } from 'react';
import type { NetworkTable, TableRow } from '../../../engine/tables/table.ts';
import { useStore } from '../../shared/store.ts';
import {
  useCatalog,
  useConnectionState,
  useLabView,
  useWorkspace,
} from '../../state/workspace/use-workspace.ts';
import type { Workspace } from '../../state/workspace/workspace.ts';
import { type Measured, measuredOf, withMeasured } from './measure.ts';
import { createTablesStore, type TableProgress, type TablesStore } from './tables-store.ts';
import { readTables, type TablesView, withTables, writeTables } from './tables-view.ts';

const tablesOf = ({ connection }: Workspace): TablesStore => createTablesStore(connection.client);

export interface TableView extends TablesView {
  readonly table: TableProgress;
  readonly store: TablesStore;
  /** Rows as solved, with what this session has measured. */
  readonly rows: readonly TableRow[];
  readonly measured: ReadonlyMap<string, Measured>;
  readonly change: (part: Partial<TablesView>) => void;
}

/** A view whose table has a row a network. */
export interface NetworkTableView extends TableView {
  readonly name: NetworkTable;
}

/** The table in front, as the address says, solved when it is first looked at. */
export function useTableView(): TableView {
  const workspace = useWorkspace();
  const store = workspace.keep(tablesOf);
  const { view: address } = useLabView();
  const view = useMemo(() => readTables(address ?? {}), [address]);
  const { name } = view;
  const { models } = useCatalog();
  const connection = useConnectionState();
  const table = useStore(store.of(name));
  const runs = useStore(workspace.runs, (all) => all.runs);
  const isOpen = connection === 'open';
  useEffect(() => {
    if (isOpen) void store.of(name).show(name);
  }, [store, name, isOpen]);

  const measured = useMemo(() => {
    const inputs = new Map(models.map((model) => [model.name, model.defaultInput]));
    const found = table.networks.map(
      (network) => [network, measuredOf(runs, network, inputs.get(network) ?? null)] as const,
    );
    return new Map(found.flatMap(([network, value]) => (value === null ? [] : [[network, value] as const])));
  }, [runs, table.networks, models]);
  const rows = useMemo(() => withMeasured(table.rows, measured), [table.rows, measured]);
  const change: TableView['change'] = (part) =>
    workspace.experiment.setView(writeTables(withTables(view, part)));
  return { ...view, table, store, rows, measured, change };
}
