import { Table } from '@mantine/core';
import { useMemo } from 'react';
import { DataTable, SortHead } from '../../../shared/layout/DataTable.tsx';
import { TableCard } from '../../../shared/layout/TableCard.tsx';
import { useCatalog } from '../../../state/workspace/use-workspace.ts';
import { CITED_AS, SHORT_TITLES } from '../state/layout.ts';
import { PaperRow } from './PaperRow.tsx';
import { nextSorting, sortRows } from '../state/sort.ts';
import classes from '../tables.module.css';
import type { NetworkTableView } from '../use-table.ts';

export function PaperTable({ view }: { readonly view: NetworkTableView }) {
  const { name, table, rows, sorting, opened, groups, change } = view;
  const { models } = useCatalog();
  const titles = useMemo(() => new Map(models.map((model) => [model.name, model.title])), [models]);
  const sorted = useMemo(() => sortRows(rows, sorting), [rows, sorting]);
  const hasSize = name !== 'theory';
  const waiting = table.running !== null ? table.networks.slice(rows.length) : [];
  const width = groups.reduce((sum, { cells }) => sum + cells.length, 1 + Number(hasSize));
  const toggle = (network: string): void => {
    const next = new Set(opened);
    if (!next.delete(network)) next.add(network);
    change({ opened: next });
  };
  /** The papers' own figures and the size say nothing when sorted. */
  const head = (key: string, title: string, from: string) => {
    if (from === 'paper' || key === 'batch')
      return (
        <Table.Th key={key} scope="col" data-from={from} title={table.head?.citation}>
          {title}
        </Table.Th>
      );
    return (
      <SortHead
        key={key}
        descending={sorting?.key === key ? sorting.descending : null}
        onSort={() => change({ sorting: nextSorting(sorting, key) })}
        data-from={from}
      >
        {title}
      </SortHead>
    );
  };

  return (
    <TableCard label="Table">
      <DataTable className={classes['table'] ?? ''} row={32} horizontalSpacing={6} miw={1060}>
        <caption className={classes['caption']}>
          <div className={classes['captionText']}>
            {table.head === null ? 'Solving the table…' : `${table.head.title}. `}
            {table.head !== null && (
              <>
                <span data-from="paper">{CITED_AS[name]}</span>: {table.head.citation}.{' '}
                {table.head.notes.join(' ')}
              </>
            )}
          </div>
        </caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Td colSpan={hasSize ? 2 : 1} className={classes['cite']} title={table.head?.citation}>
              {SHORT_TITLES[name]}
            </Table.Td>
            {groups.map(({ title, note, cells }) => (
              <Table.Th
                key={title}
                scope="colgroup"
                colSpan={cells.length}
                className={classes['group']}
                title={note}
              >
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
          <Table.Tr>
            {head('network', 'Network', 'both')}
            {hasSize && head('batch', 'Size', 'both')}
            {groups.flatMap(({ cells }) =>
              cells.map(({ key, title, from }) => head(key, from === 'paper' ? CITED_AS[name] : title, from)),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((row) => {
            const network = String(row['network']);
            return (
              <PaperRow
                key={network}
                view={view}
                row={row}
                title={titles.get(network) ?? network}
                width={width}
                isOpen={opened.has(network)}
                onToggle={() => toggle(network)}
              />
            );
          })}
          {waiting.map((network, i) => (
            <Table.Tr key={network} className={classes['waiting']}>
              <Table.Th scope="row">{titles.get(network) ?? network}</Table.Th>
              <Table.Td colSpan={width - 1}>{i === 0 ? 'Solving…' : 'Waiting'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </DataTable>
    </TableCard>
  );
}
