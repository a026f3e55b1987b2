import { Box, Button, Group, Table } from '@mantine/core';
import { comparisonRows } from './comparison-rows.ts';
import type { RunLook } from '../state/run-look.ts';
import { RunLine } from '../state/RunLegend.tsx';
import { DataTable } from '../../../shared/layout/DataTable.tsx';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../train.module.css';

export interface ComparisonTableProps {
  readonly pair: readonly [RunLook, RunLook];
  readonly onEnd: () => void;
}

export function ComparisonTable({ pair: [a, b], onEnd }: ComparisonTableProps) {
  const rows = comparisonRows(a.run, b.run, Date.now());
  return (
    <Box component="section" p={8} className={layout['card']} aria-label="Two runs compared">
      <Group component="header" gap="8px 16px" mih={36} px={8}>
        <h2>
          Run {a.run.id} and run {b.run.id}
        </h2>
        <div className={classes['start']}>
          <Button variant="default" onClick={onEnd}>
            Close the comparison
          </Button>
        </div>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
      <section className={classes['scroller']} tabIndex={0} aria-label="Facts of the two runs">
        <DataTable className={classes['table'] ?? ''} row={28} cells="left" miw={720} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Fact</Table.Th>
              {[a, b].map(({ run, name, ...look }) => (
                <Table.Th key={run.key} scope="col">
                  <RunLine {...look} /> {name} (run {run.id})
                </Table.Th>
              ))}
              <Table.Th scope="col">Difference</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ name, values, difference, measured }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td data-measured={measured || undefined}>{values[0]}</Table.Td>
                <Table.Td data-measured={measured || undefined}>{values[1]}</Table.Td>
                <Table.Td className={layout['muted'] ?? ''}>{difference}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </DataTable>
      </section>
    </Box>
  );
}
