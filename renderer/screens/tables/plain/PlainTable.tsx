import { Box, Code, Table, UnstyledButton } from '@mantine/core';
import type { Cell, Column, TableRow } from '../../../../engine/tables/table.ts';
import { DataTable } from '../../../shared/layout/DataTable.tsx';
import { TableCard } from '../../../shared/layout/TableCard.tsx';
import styles from '../../../shared/layout/table.module.css';
import classes from '../tables.module.css';
import type { TableView } from '../use-table.ts';

const BELOW = ['cause', 'command'];

const SIGNS: Readonly<Record<string, string>> = {
  '✓✓': 'Applicable and optimal',
  '✓✗': 'Applicable, not optimal',
  '✗✗': 'Not applicable',
};

const FROM: Readonly<Record<Column['from'], string>> = { paper: 'source', ours: 'ours', both: '' };

export function PlainTable({ view }: { readonly view: TableView }) {
  const { table, opened, change } = view;
  const columns = (table.head?.columns ?? []).filter(({ key }) => !BELOW.includes(key));
  const waiting = table.running !== null ? table.networks.slice(table.rows.length) : [];
  const toggle = (place: string): void => {
    const next = new Set(opened);
    if (!next.delete(place)) next.add(place);
    change({ opened: next });
  };

  return (
    <TableCard label="Table">
      <DataTable className={classes['table'] ?? ''} row={32} horizontalSpacing={6} miw={1060}>
        <caption className={classes['caption']}>
          <div className={classes['captionText']}>
            {table.head === null
              ? 'Solving the table…'
              : `${table.head.title}. Source: ${table.head.citation}. ${table.head.notes.join(' ')}`}
          </div>
        </caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, title, from }) => (
              <Table.Th key={key} scope="col" data-from={from} className={classes['plainHead']}>
                <Box component="span" display="block" fw={400} c="dimmed">
                  {FROM[from]}{' '}
                </Box>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {table.rows.map((row, i) => (
            <PlainRow
              key={table.networks[i]}
              id={`details-${view.name}-${i}`}
              row={row}
              columns={columns}
              isOpen={opened.has(String(i))}
              onToggle={() => toggle(String(i))}
            />
          ))}
          {waiting.map((name, i) => (
            <Table.Tr key={name} className={classes['waiting']}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td colSpan={Math.max(1, columns.length - 1)}>
                {i === 0 ? 'Solving…' : 'Waiting'}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </DataTable>
    </TableCard>
  );
}

interface PlainRowProps {
  readonly id: string;
  readonly row: TableRow;
  readonly columns: readonly Column[];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function PlainRow({ id, row, columns, isOpen, onToggle }: PlainRowProps) {
  const [first, ...rest] = columns;
  const name = String(row[first?.key ?? ''] ?? '');
  const { cause, command } = row;
  const texts = [cause, command].filter((text) => typeof text === 'string' && text !== '');
  return (
    <>
      <Table.Tr data-open={(isOpen && texts.length > 0) || undefined}>
        <Table.Th scope="row">
          {texts.length === 0 ? (
            <Box component="span" pl={16}>
              {name}
            </Box>
          ) : (
            <UnstyledButton
              className={styles['name']}
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              onClick={onToggle}
            >
              <span className={classes['chevron']} aria-hidden="true" data-open={isOpen || undefined}>
                ›
              </span>
              {name}
            </UnstyledButton>
          )}
        </Table.Th>
        {rest.map((column) => (
          <Table.Td key={column.key} data-from={column.from} title={SIGNS[String(row[column.key])]}>
            {plainText(row[column.key], column)}
          </Table.Td>
        ))}
      </Table.Tr>
      {isOpen && texts.length > 0 && (
        <Table.Tr className={classes['details']} id={id}>
          <Table.Td colSpan={columns.length}>
            <div className={classes['detail']}>
              {typeof cause === 'string' && cause !== '' && <p>{cause}.</p>}
              {typeof command === 'string' && <Code>{command}</Code>}
            </div>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function plainText(cell: Cell | undefined, { digits }: Column): string {
  if (typeof cell === 'number') return cell.toFixed(digits);
  return typeof cell === 'string' ? cell : '';
}
