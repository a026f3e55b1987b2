import { ActionIcon, Checkbox, Table, UnstyledButton } from '@mantine/core';
import { medianMs, type Run, type RunOutcome } from '../runs/run.ts';
import { formatBytes } from '../shared/format/bytes.ts';
import { formatCount, formatMs } from '../shared/format/numbers.ts';
import { CloseIcon } from '../shared/icons.tsx';
import { identityOf } from '../shared/strategies/identity.ts';
import { StrategyMark } from '../shared/strategies/StrategyMark.tsx';
import { useCatalog } from '../use-workspace.ts';
import { agreement } from './facts.ts';
import classes from './train.module.css';

export interface RunsTableProps {
  readonly runs: readonly Run[];
  readonly shown: readonly Run[];
  readonly front: Run | null;
  readonly onFront: (id: number) => void;
  readonly onToggle: (id: number) => void;
  readonly onForget: (id: number) => void;
}

const OUTCOMES: Readonly<Record<RunOutcome, string>> = {
  running: 'running',
  done: 'done',
  cancelled: 'cancelled',
  failed: 'stopped',
};
const COLUMNS = [
  'Strategy',
  'Network',
  'Backend',
  'Iterations',
  'Median',
  'Measured peak',
  'As predicted',
  'State',
];

/** The runs of this session, newest first; any two of one size can be laid over each other. */
export function RunsTable({ runs, shown, front, onFront, onToggle, onForget }: RunsTableProps) {
  const { titles } = useCatalog();
  if (runs.length === 0) return null;
  return (
    <section className={classes['tableCard']} aria-label="Runs of this session">
      <Table className={classes['table']} verticalSpacing={0} withRowBorders={false} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Draw</Table.Th>
            {COLUMNS.map((column) => (
              <Table.Th key={column} scope="col">
                {column}
              </Table.Th>
            ))}
            <Table.Th scope="col">
              <span className={classes['hidden']}>Forget</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => {
            const identity = identityOf(run.request.strategy, titles.get(run.request.strategy));
            const isFront = run.id === front?.id;
            const median = medianMs(run.iterationMs);
            return (
              <Table.Tr key={run.id} data-front={isFront || undefined} data-run={run.id}>
                <Table.Td>
                  <Checkbox
                    size="xs"
                    aria-label={`Draw run ${run.id}`}
                    checked={shown.some(({ id }) => id === run.id)}
                    disabled={isFront}
                    onChange={() => onToggle(run.id)}
                  />
                </Table.Td>
                <Table.Th scope="row">
                  <UnstyledButton
                    className={classes['rowName']}
                    aria-pressed={isFront}
                    onClick={() => onFront(run.id)}
                  >
                    <StrategyMark identity={identity} />
                    {identity.title}
                  </UnstyledButton>
                </Table.Th>
                <Table.Td>
                  {run.request.model}, batch {formatCount(run.request.batch)}
                  {run.start === null ? '' : `, ${run.start.input} px`}
                </Table.Td>
                <Table.Td>{run.start?.backend ?? '–'}</Table.Td>
                <Table.Td>
                  {formatCount(run.iterationMs.length)} of {formatCount(run.request.iterations)}
                </Table.Td>
                <Table.Td data-measured>{median === null ? '–' : formatMs(median)}</Table.Td>
                <Table.Td data-measured>
                  {run.measuredPeakBytes === null ? '–' : formatBytes(run.measuredPeakBytes)}
                </Table.Td>
                <Table.Td data-measured>{run.known === 0 ? '–' : agreement(run)}</Table.Td>
                <Table.Td title={run.failure?.message}>{OUTCOMES[run.outcome]}</Table.Td>
                <Table.Td>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={24}
                    aria-label={`Forget run ${run.id}`}
                    disabled={run.outcome === 'running'}
                    onClick={() => onForget(run.id)}
                  >
                    <CloseIcon />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </section>
  );
}
