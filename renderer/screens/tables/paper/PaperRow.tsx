import { Table, UnstyledButton } from '@mantine/core';
import type { TableRow } from '../../../../engine/tables/table.ts';
import { formatCount, THIN } from '../../../shared/format/numbers.ts';
import { cellText, missingNote } from './cells.ts';
import { MeasureCell } from './MeasureCell.tsx';
import { RowDetails } from './RowDetails.tsx';
import layout from '../../../shared/layout/layout.module.css';
import table from '../../../shared/layout/table.module.css';
import classes from '../tables.module.css';
import type { NetworkTableView } from '../use-table.ts';

export interface PaperRowProps {
  readonly view: NetworkTableView;
  readonly row: TableRow;
  readonly title: string;
  /** Columns of the table. */
  readonly width: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** One network: figures on one line; causes of differences and the rest on a line that opens below. */
export function PaperRow({ view, row, title, width, isOpen, onToggle }: PaperRowProps) {
  const network = String(row['network']);
  const id = `details-${view.name}-${network}`;
  const batch = row['batch'];
  return (
    <>
      <Table.Tr data-open={isOpen || undefined}>
        <Table.Th scope="row">
          <UnstyledButton
            className={table['name']}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={onToggle}
          >
            <span className={classes['chevron']} aria-hidden="true" data-open={isOpen || undefined}>
              ›
            </span>
            {title}
          </UnstyledButton>
        </Table.Th>
        {batch !== undefined && (
          <Table.Td className={layout['muted']}>
            {formatCount(Number(batch))} × {Number(row['input'])}
            {THIN}px
          </Table.Td>
        )}
        {view.groups.flatMap(({ cells }) =>
          cells.map(({ key, from, kind }, i) => {
            const value = row[key];
            return kind === 'measured' ? (
              <MeasureCell key={key} network={network} title={title} measured={view.measured.get(network)} />
            ) : (
              <Table.Td
                key={key}
                data-from={from}
                data-first={i === 0 || undefined}
                title={value === null || value === undefined ? missingNote(key) : undefined}
              >
                {cellText(value, kind)}
              </Table.Td>
            );
          }),
        )}
      </Table.Tr>
      {isOpen && (
        <Table.Tr className={classes['details']} id={id}>
          <Table.Td colSpan={width}>
            <RowDetails row={row} network={network} measured={view.measured.get(network)} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
