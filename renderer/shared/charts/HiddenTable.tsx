import { VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import type { ChartTable } from './csv.ts';

export const HiddenTable = memo(function HiddenTable({ table }: { readonly table: ChartTable }) {
  return (
    <VisuallyHidden>
      <table>
        <caption>{table.caption}</caption>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={String(row[0])}>
              {row.map((value, i) => (
                <td key={table.columns[i]}>{value ?? '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
});
