import { Group, Select } from '@mantine/core';
import { isNetworkTable, TABLE_NAMES } from '../../../engine/tables/table.ts';
import { useWorkspace } from '../../state/workspace/use-workspace.ts';
import { useActions } from '../../state/parts/use-actions.ts';
import { useEscape } from '../../shared/use-escape.ts';
import layout from '../../shared/layout/layout.module.css';
import { chooseMeasurements } from '../../state/files/measurements.ts';
import { CutoffChart } from './cutoff/CutoffChart.tsx';
import { DepthChart } from './depth/DepthChart.tsx';
import { SHORT_TITLES } from './state/layout.ts';
import { MeasurementsButton } from './export/MeasurementsButton.tsx';
import { PlainTable } from './plain/PlainTable.tsx';
import { PaperTable } from './paper/PaperTable.tsx';
import { TableExport } from './export/TableExport.tsx';
import { TableHeadline } from './headline/TableHeadline.tsx';
import { useTableView } from './use-table.ts';

export function TablesScreen() {
  const view = useTableView();
  const { name, store, change } = view;
  const { measurements } = useWorkspace();
  useEscape(store.cancel);
  useActions([
    ...TABLE_NAMES.map((table) => ({
      id: `table-${table}`,
      group: 'Table',
      title: `Show ${SHORT_TITLES[table]}`,
      words: 'paper reproduce',
      run: () => change({ name: table }),
    })),
    {
      id: 'table-measurements',
      group: 'Table',
      title: 'Open measurements…',
      words: 'file device gpu cuda reproduce',
      run: () => chooseMeasurements(measurements),
    },
    {
      id: 'table-again',
      group: 'Table',
      title: 'Solve the table again',
      run: () => void store.of(name).again(name),
    },
  ]);

  return (
    <div className={layout['screen']}>
      <TableHeadline
        view={view}
        tools={
          <Group gap={8}>
            <Select
              size="xs"
              w={192}
              aria-label="Table"
              value={name}
              onChange={(next) => change({ name: TABLE_NAMES.find((table) => table === next) ?? 'cvpr' })}
              data={TABLE_NAMES.map((table) => ({ value: table, label: SHORT_TITLES[table] }))}
              comboboxProps={{ withinPortal: false }}
            />
            <MeasurementsButton view={view} />
            <TableExport view={view} />
          </Group>
        }
      />
      {isNetworkTable(name) ? (
        <>
          <CutoffChart view={{ ...view, name }} />
          <PaperTable view={{ ...view, name }} />
        </>
      ) : (
        <>
          {name === 'depth' && <DepthChart rows={view.table.rows} />}
          <PlainTable view={view} />
        </>
      )}
    </div>
  );
}
