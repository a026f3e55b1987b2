import {
  Box,
  Button,
  Checkbox,
  Group,
  Menu,
  Select,
  Table,
  TextInput,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Run } from '../../../state/runs/run.ts';
import { askForFile } from '../../../shared/ask-for-file.ts';
import { download } from '../../../shared/charts/export-chart.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { SearchIcon } from '../../../shared/icons.tsx';
import { DataTable } from '../../../shared/layout/DataTable.tsx';
import { DotsMenu } from '../../../shared/layout/DotsMenu.tsx';
import layout from '../../../shared/layout/layout.module.css';
import table from '../../../shared/layout/table.module.css';
import { useStore } from '../../../shared/store.ts';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import { useCatalog, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { HistoryMessages } from './HistoryMessages.tsx';
import { allLines, type HistoryRow, historyRow, matchingRows } from './history-rows.ts';
import classes from '../train.module.css';

const RUNS = '.json,application/json';

export interface HistoryPanelProps {
  readonly session: readonly Run[];
  readonly front: Run | null;
  readonly onOpen: (key: string) => void;
  readonly onCompare: (pair: readonly [string, string]) => void;
  readonly onDelete: (keys: readonly string[]) => void;
}

const COLUMNS = ['Run', 'Network', 'Date', 'Device', 'Iterations', 'Median', 'Peak', 'Overhead', 'Outcome'];
const FEW_ROWS = 12;

export function HistoryPanel({ session, front, onOpen, onCompare, onDelete }: HistoryPanelProps) {
  const { history } = useWorkspace();
  const { lines } = useStore(history);
  const { titles, models } = useCatalog();
  const [search, setSearch] = useState('');
  const [model, setModel] = useState<string | null>(null);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [all, setAll] = useState(false);
  const networks = useMemo(() => new Map(models.map(({ name, title }) => [name, title])), [models]);
  const rows = allLines(lines, session).map((line) =>
    historyRow(line, { strategies: titles, networks }, Date.now()),
  );
  const found = matchingRows(rows, search, model);
  const shown = all ? found : found.slice(0, FEW_ROWS);
  const known = new Set(rows.map(({ key }) => key));
  const chosen = selected.filter((key) => known.has(key));
  const [first, second] = chosen;

  const toggle = (key: string): void =>
    setSelected(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]);
  const remove = (keys: readonly string[]): void => {
    setSelected(chosen.filter((key) => !keys.includes(key)));
    onDelete(keys);
  };
  const save = async (keys: readonly string[]): Promise<void> => {
    const text = await history.exportRuns(keys);
    if (text === null) return;
    const name = keys.length === 1 ? `run-${rows.find(({ key }) => key === keys[0])?.number}` : 'runs';
    download(new Blob([text], { type: 'application/json' }), `${name}.zigzag-runs.json`);
  };
  const kept = lines.map(({ id }) => id);
  const choices = [...new Set(rows.map((row) => row.model))].map((value) => ({
    value,
    label: networks.get(value) ?? value,
  }));

  return (
    <Box component="section" p={8} className={layout['card']} aria-label="History of runs">
      <Group component="header" gap="8px 16px" mih={36} px={8}>
        <h2>Runs</h2>
        <TextInput
          size="xs"
          w={200}
          aria-label="Search the runs"
          placeholder="Search"
          leftSection={<SearchIcon />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Select
          allowDeselect
          size="xs"
          w={168}
          aria-label="Network"
          placeholder="All networks"
          clearable
          data={choices}
          value={model}
          onChange={setModel}
        />
        <div className={classes['start']}>
          <Button
            variant="default"
            disabled={first === undefined || second === undefined || chosen.length !== 2}
            title="Select two runs to compare them"
            onClick={() => first !== undefined && second !== undefined && onCompare([first, second])}
          >
            Compare two
          </Button>
          {chosen.length > 0 && (
            <Button variant="default" onClick={() => remove(chosen)}>
              Delete {formatCount(chosen.length)}
            </Button>
          )}
          <DotsMenu label="Save or import runs">
            <Menu.Item disabled={chosen.length === 0} onClick={() => void save(chosen)}>
              Save the selected runs
            </Menu.Item>
            <Menu.Item disabled={kept.length === 0} onClick={() => void save(kept)}>
              Save all runs
            </Menu.Item>
            <Menu.Item onClick={() => askForFile((file) => void history.importRuns(file), RUNS)}>
              Import runs…
            </Menu.Item>
          </DotsMenu>
        </div>
      </Group>
      <HistoryMessages />
      {rows.length === 0 ? (
        <p className={layout['note']}>All runs are stored here, even after the lab is closed.</p>
      ) : (
        <div className={classes['scroller']}>
          <DataTable className={classes['table'] ?? ''} row={36} cells="left" miw={720} highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">
                  <VisuallyHidden>Select</VisuallyHidden>
                </Table.Th>
                {COLUMNS.map((column) => (
                  <Table.Th key={column} scope="col">
                    {column}
                  </Table.Th>
                ))}
                <Table.Th scope="col">
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((row) => (
                <RunRow
                  key={row.key}
                  row={row}
                  isFront={row.key === front?.key}
                  isSelected={chosen.includes(row.key)}
                  onToggle={() => toggle(row.key)}
                  onOpen={() => onOpen(row.key)}
                  onSave={() => void save([row.key])}
                  onDelete={() => remove([row.key])}
                />
              ))}
            </Table.Tbody>
          </DataTable>
        </div>
      )}
      {rows.length > 0 && found.length === 0 && <p className={layout['note']}>No matching run.</p>}
      {found.length > FEW_ROWS && (
        <Button variant="subtle" color="gray" onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${formatCount(found.length)}`}
        </Button>
      )}
    </Box>
  );
}

interface RunRowProps {
  readonly row: HistoryRow;
  readonly isFront: boolean;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
  readonly onOpen: () => void;
  readonly onSave: () => void;
  readonly onDelete: () => void;
}

function RunRow({ row, isFront, isSelected, onToggle, onOpen, onSave, onDelete }: RunRowProps) {
  return (
    <Table.Tr data-front={isFront || undefined} data-run={row.number}>
      <Table.Td>
        <Checkbox aria-label={`Select run ${row.number}`} checked={isSelected} onChange={onToggle} />
      </Table.Td>
      <Table.Th scope="row">
        <UnstyledButton className={table['name']} aria-pressed={isFront} onClick={onOpen}>
          <StrategyMark identity={row.identity} />
          <span>
            <span className={layout['muted']}>{row.number}</span> {row.title}
            {row.name !== '' && <span className={classes['ownName']}>{row.name}</span>}
          </span>
        </UnstyledButton>
      </Table.Th>
      <Table.Td>{row.network}</Table.Td>
      <Table.Td>{row.date}</Table.Td>
      <Table.Td className={classes['clip'] ?? ''} title={row.where}>
        {row.where}
      </Table.Td>
      <Table.Td>{row.iterations}</Table.Td>
      <Table.Td data-measured>{row.median}</Table.Td>
      <Table.Td data-measured>{row.peak}</Table.Td>
      <Table.Td data-measured>{row.overhead}</Table.Td>
      <Table.Td title={row.failure ?? undefined}>{row.outcome}</Table.Td>
      <Table.Td>
        <DotsMenu label={`Actions of run ${row.number}`} disabled={row.isRunning} isInRow>
          <Menu.Item onClick={onSave}>Save to a file</Menu.Item>
          <Menu.Item onClick={onDelete}>Delete</Menu.Item>
        </DotsMenu>
      </Table.Td>
    </Table.Tr>
  );
}
