import { batchText } from '../../../../app/report/words.ts';
import { Table } from '@mantine/core';
import { isFileNetwork } from '../../../../app/contract/opened-file.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount, THIN, threeDigits } from '../../../shared/format/numbers.ts';
import { DataTable } from '../../../shared/layout/DataTable.tsx';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import { TableCard } from '../../../shared/layout/TableCard.tsx';
import { StrategyName } from '../../../state/strategies/StrategyName.tsx';
import { UnsolvedCell } from '../../../state/strategies/UnsolvedCell.tsx';
import { useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import type { LimitsState } from '../state/limits-store.ts';
import { countedOf } from '../state/counted.ts';
import { fastestRow, type LimitRow, widestRow } from '../state/rows.ts';
import type { LimitsView } from '../use-limits.ts';
import { useStore } from '../../../shared/store.ts';
import { openTrain } from '../../../state/parts/next-run.ts';
import classes from '../limits.module.css';
import { measuredLimit, sayMeasuredLimit } from './measured-limit.ts';

const NONE = '–';

export function LimitsTable({ view }: { readonly view: LimitsView }) {
  const { rows, state } = view;
  const { experiment } = useLabView();
  const widest = widestRow(rows);
  const fastest = fastestRow(rows);
  const head = state.head;
  const { one, size, rate } = countedOf(head);
  const columns = [
    {
      title: 'Largest batch',
      note: isFileNetwork(experiment.model)
        ? 'At the input size of the file'
        : (size ?? 'At its default size'),
    },
    { title: 'Of regular', note: 'Times the largest batch of regular training' },
    {
      title: 'Activations at the peak',
      note: 'Activations and gradients that a step holds at the largest batch',
    },
    { title: `One ${one} needs`, note: 'Device memory at batch 1, without the context' },
    {
      title: `Largest input, batch ${formatCount(experiment.batch)}`,
      note: `The largest ${one === 'sequence' ? 'sequence' : 'square image'} at the batch of the experiment, under the plan for that input`,
    },
    { title: rate, note: 'At the largest batch, predicted with the speed below' },
    {
      title: 'Pays from batch',
      note: 'Smallest batch at which training with recompute is as fast as regular training at its largest batch',
    },
    {
      title: 'Measured here',
      note: 'Tries larger and larger batches on this device. Shows the largest that ran, and the prediction under the same cap',
    },
  ];
  return (
    <TableCard label="Limits of each strategy">
      <DataTable row={36} miw={880} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Strategy</Table.Th>
            {columns.map(({ title, note }) => (
              <Table.Th key={title} scope="col" title={note}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row
              key={row.identity.name}
              row={row}
              head={head}
              busy={state.running !== null}
              isWidest={row === widest}
              isFastest={row === fastest}
              width={columns.length}
            />
          ))}
        </Table.Tbody>
      </DataTable>
    </TableCard>
  );
}

interface RowProps {
  readonly row: LimitRow;
  readonly head: LimitsState['head'];
  readonly busy: boolean;
  readonly isWidest: boolean;
  readonly isFastest: boolean;
  readonly width: number;
}

function Row({ row, head, busy, isWidest, isFastest, width }: RowProps) {
  const { experiment: store } = useWorkspace();
  const { identity, state, limit, batch } = row;
  const use = (): void => {
    if (batch !== null && batch > 0) store.change({ ...store.get().experiment, batch });
  };
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <StrategyName identity={identity} />
      </Table.Th>
      {state !== 'solved' || limit === null ? (
        <UnsolvedCell row={row} busy={busy} width={width} />
      ) : (
        <>
          <Table.Td data-best={isWidest || undefined}>
            {batch === null || batch === 0 ? (
              'none fits'
            ) : (
              <LinkButton title={`Use batch ${formatCount(batch)} in the experiment`} onClick={use}>
                {batchText(batch)}
              </LinkButton>
            )}
          </Table.Td>
          <Table.Td>{row.factor === null ? NONE : `${threeDigits(row.factor)}${THIN}×`}</Table.Td>
          <Table.Td>{limit.batch?.peakBytes == null ? NONE : formatBytes(limit.batch.peakBytes)}</Table.Td>
          <Table.Td>{limit.batch?.leastBytes == null ? NONE : formatBytes(limit.batch.leastBytes)}</Table.Td>
          <Table.Td title={limit.input === null ? 'A file has one fixed input size' : undefined}>
            {limit.input === null
              ? NONE
              : row.input === null || row.input === 0
                ? 'none fits'
                : `${row.inputCapped ? 'at least ' : ''}${formatCount(row.input)}${THIN}${limit.input.unit ?? 'px'}`}
          </Table.Td>
          <Table.Td data-best={isFastest || undefined}>
            {row.rate === null ? NONE : threeDigits(row.rate * countedOf(head).perSample)}
          </Table.Td>
          <Table.Td
            title={row.paysFrom === null && identity.name !== 'regular' ? 'At no batch that fits' : undefined}
          >
            {row.paysFrom === null
              ? identity.name === 'regular'
                ? NONE
                : 'never'
              : formatCount(row.paysFrom)}
          </Table.Td>
          <MeasureLimitCell row={row} head={head} />
        </>
      )}
    </Table.Tr>
  );
}

function MeasureLimitCell({ row, head }: { readonly row: LimitRow; readonly head: LimitsState['head'] }) {
  const workspace = useWorkspace();
  const { experiment } = useLabView();
  const all = useStore(workspace.runs, (state) => state.runs);
  const { name, title } = row.identity;
  const measured =
    head === null
      ? null
      : measuredLimit(all, row, {
          model: experiment.model,
          input: head.input,
          stationaryBytes: head.stationaryBytes,
        });
  return (
    <Table.Td>
      {measured !== null && (
        <span className={classes['measured']} title={sayMeasuredLimit(measured)}>
          <b>{formatCount(measured.batch)}</b> of {formatCount(measured.predicted)}
        </span>
      )}
      <LinkButton
        data-at-hand=""
        aria-label={`Measure the largest batch of ${title} here`}
        title={`Opens Train, set to find the largest batch of ${title} that this device trains`}
        onClick={() => openTrain(workspace, name, { mode: 'largest' })}
      >
        {measured === null ? 'measure' : 'again'}
      </LinkButton>
    </Table.Td>
  );
}
