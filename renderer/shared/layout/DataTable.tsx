import { Table, type TableProps, type TableThProps, Tooltip, UnstyledButton } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './table.module.css';

export interface DataTableProps extends Omit<TableProps, 'data'> {
  readonly row: number;
  readonly cells?: 'left' | 'right';
}

/** Figures in rows of one height under a muted head; `data-front`, `data-measured` and `data-said` mark cells. */
export function DataTable({ row, cells = 'right', className, ...rest }: DataTableProps) {
  return (
    <Table
      className={`${classes['table']} ${className ?? ''}`}
      style={{ '--row': `${row}px`, '--cells': cells } as CSSProperties}
      verticalSpacing={0}
      horizontalSpacing={8}
      withRowBorders={false}
      {...rest}
    />
  );
}

export interface SortHeadProps extends TableThProps {
  /** Null where the table is not sorted by this column. */
  readonly descending: boolean | null;
  readonly onSort: () => void;
  readonly note?: string;
  readonly children: ReactNode;
}

export function SortHead({ descending, onSort, note = '', children, ...rest }: SortHeadProps) {
  const order = descending === null ? 'none' : descending ? 'descending' : 'ascending';
  return (
    <Table.Th scope="col" aria-sort={order} {...rest}>
      <Tooltip label={note} disabled={note === ''} openDelay={400} multiline maw={280}>
        <UnstyledButton className={classes['sort']} onClick={onSort}>
          {descending !== null && <span aria-hidden="true">{descending ? '↓' : '↑'}</span>}
          {children}
        </UnstyledButton>
      </Tooltip>
    </Table.Th>
  );
}
