import { useEffect, useMemo } from 'react';
import { type MeasuredColumns, withColumns } from '../../../engine/tables/measured.ts';
import {
  isNetworkTable,
  type NetworkTable,
  type TableHead,
  type TableRow,
} from '../../../engine/tables/table.ts';
import { useStore } from '../../shared/store.ts';
import {
  useCatalog,
  useConnectionState,
  useLabView,
  useWorkspace,
} from '../../state/workspace/use-workspace.ts';
import type { Workspace } from '../../state/workspace/workspace.ts';
import { deviceGroups, type Group, LAYOUTS } from './state/layout.ts';
import { type Measured, measuredOf, withMeasured } from './state/measure.ts';
import { createTablesStore, type TableProgress, type TablesStore } from './state/tables-store.ts';
import { readTables, type TablesView, withTables, writeTables } from './state/tables-view.ts';

const tablesOf = ({ connection }: Workspace): TablesStore => createTablesStore(connection.client);

export interface TableView extends TablesView {
  readonly table: TableProgress;
  readonly store: TablesStore;
  readonly rows: readonly TableRow[];
  readonly measured: ReadonlyMap<string, Measured>;
  /** Columns of the opened file of measurements; null where none is open or the table is another. */
  readonly device: MeasuredColumns | null;
  readonly groups: readonly Group[];
  readonly change: (part: Partial<TablesView>) => void;
}

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
  // Its rows so far stay with the solver.
  useEffect(() => store.of(name).pause, [store, name]);

  const measured = useMemo(() => {
    const inputs = new Map(models.map((model) => [model.name, model.defaultInput]));
    const found = table.networks.map(
      (network) => [network, measuredOf(runs, network, inputs.get(network) ?? null)] as const,
    );
    return new Map(found.flatMap(([network, value]) => (value === null ? [] : [[network, value] as const])));
  }, [runs, table.networks, models]);
  const opened = useStore(workspace.measurements);
  const device = name === 'cvpr' ? opened : null;
  const solved = useMemo(() => withMeasured(table.rows, measured), [table.rows, measured]);
  const { head, rows } = useMemo(() => withDevice(table.head, solved, device), [table.head, solved, device]);
  const groups = useMemo(() => {
    const own = isNetworkTable(name) ? LAYOUTS[name] : [];
    return device === null ? own : [...deviceGroups(device.device), ...own];
  }, [name, device]);
  const change: TableView['change'] = (part) =>
    workspace.experiment.setView(writeTables(withTables(view, part)));
  return { ...view, table: { ...table, head }, store, rows, measured, device, groups, change };
}

function withDevice(
  head: TableHead | null,
  rows: readonly TableRow[],
  device: MeasuredColumns | null,
): { readonly head: TableHead | null; readonly rows: readonly TableRow[] } {
  if (head === null || device === null) return { head, rows };
  const { rows: all, ...wider } = withColumns({ ...head, rows }, device);
  return { head: wider, rows: all };
}
