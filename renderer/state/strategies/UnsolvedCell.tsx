import { Table } from '@mantine/core';
import { refusal } from './refusal.ts';

export interface UnsolvedCellProps {
  readonly row: { readonly state: string; readonly reason: string | null };
  readonly busy: boolean;
  readonly width: number;
}

export const UnsolvedCell = ({ row: { state, reason }, busy, width }: UnsolvedCellProps) => (
  <Table.Td colSpan={width} data-said title={reason ?? undefined}>
    {state === 'refused' ? refusal(reason) : busy ? 'Solving…' : 'Not solved'}
  </Table.Td>
);
