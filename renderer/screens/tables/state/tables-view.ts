import { TABLE_NAMES, type TableName } from '../../../../engine/tables/table.ts';
import type { View } from '../../../state/experiment/experiment-store.ts';
import { readSorting, type Sorting, writeSorting } from './sort.ts';

export interface TablesView {
  readonly name: TableName;
  readonly sorting: Sorting | null;
  readonly opened: ReadonlySet<string>;
}

export function readTables(view: View): TablesView {
  return {
    name: TABLE_NAMES.find((known) => known === view['table']) ?? 'cvpr',
    sorting: readSorting(view['sort']),
    opened: new Set((view['open'] ?? '').split(',').filter((network) => network !== '')),
  };
}

export function writeTables({ name, sorting, opened }: TablesView): View {
  return {
    table: name,
    ...(sorting === null ? {} : { sort: writeSorting(sorting) }),
    ...(opened.size === 0 ? {} : { open: [...opened].join(',') }),
  };
}

/** After a change; another table begins unsorted and closed. */
export function withTables(view: TablesView, part: Partial<TablesView>): TablesView {
  const isOther = part.name !== undefined && part.name !== view.name;
  return { ...view, ...(isOther ? { sorting: null, opened: new Set() } : {}), ...part };
}
