import { useEffect, useMemo } from 'react';
import { TABLE_NAMES, type TableName, type TableRow } from '../../../engine/tables/table.ts';
import { useStore } from '../../shared/store.ts';
import {
  useCatalog,
  useConnectionState,
  useLabView,
  useWorkspace,
} from '../../state/workspace/use-workspace.ts';
import type { Workspace } from '../../state/workspace/workspace.ts';
import { type Measured, measuredOf, withMeasured } from './measure.ts';
import { readSorting, type Sorting, writeSorting } from './sort.ts';
import { createTablesStore, type TableProgress, type TablesStore } from './tables-store.ts';

const tablesOf = ({ connection }: Workspace): TablesStore => createTablesStore(connection.client);

export interface TableView {
  readonly name: TableName;
  readonly table: TableProgress;
  readonly store: TablesStore;
  /** Rows as solved, with what this session has measured. */
  readonly rows: readonly TableRow[];
  readonly measured: ReadonlyMap<string, Measured>;
  readonly sorting: Sorting | null;
  /** Networks whose details are open. */
  readonly opened: ReadonlySet<string>;
  readonly change: (part: {
    readonly name?: TableName;
    readonly sorting?: Sorting | null;
    readonly opened?: readonly string[];
  }) => void;
}

/** The table in front, as the address says, solved when it is first looked at. */
export function useTableView(): TableView {
  const workspace = useWorkspace();
  const store = workspace.keep(tablesOf);
  const { view = {} } = useLabView();
  const { models } = useCatalog();
  const connection = useConnectionState();
  const name = TABLE_NAMES.find((known) => known === view['table']) ?? 'cvpr';
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
  const sorting = useMemo(() => readSorting(view['sort']), [view['sort']]);
  const opened = useMemo(
    () => new Set((view['open'] ?? '').split(',').filter((network) => network !== '')),
    [view['open']],
  );

  const change: TableView['change'] = (part) => {
    const next: Record<string, string> = { table: part.name ?? name };
    const same = next['table'] === name;
    const sort = part.sorting === undefined ? (same ? sorting : null) : part.sorting;
    const open = part.opened ?? (same ? [...opened] : []);
    if (sort !== null) next['sort'] = writeSorting(sort);
    if (open.length > 0) next['open'] = open.join(',');
    workspace.experiment.setView(next);
  };
  return { name, table, store, rows, measured, sorting, opened, change };
}
