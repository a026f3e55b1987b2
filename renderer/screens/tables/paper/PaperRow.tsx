import { Table, UnstyledButton } from '@mantine/core';
import type { TableRow } from '../../../../engine/tables/table.ts';
import { formatChange, formatCount, THIN } from '../../../shared/format/numbers.ts';
import { cellText, missingNote } from './cells.ts';
import layout from '../../../shared/layout/layout.module.css';
import table from '../../../shared/layout/table.module.css';
import classes from '../tables.module.css';
import type { NetworkTableView } from '../use-table.ts';
import { networkOf } from '../../../state/experiment/experiment.ts';
import { useCatalog, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import type { Kind } from '../state/layout.ts';
import { type Measured, measuringOf, pairsFor, sayMeasured } from '../state/measure.ts';
import { causesOf } from './causes.ts';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import { asSentence } from '../../../shared/format/sentence.ts';
import { useStore } from '../../../shared/store.ts';
import { isTooNoisy } from '../../../state/strategies/measured-overhead.ts';

export interface PaperRowProps {
  readonly view: NetworkTableView;
  readonly row: TableRow;
  readonly title: string;
  readonly width: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

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

const FURTHER: readonly { readonly key: string; readonly title: string; readonly kind: Kind }[] = [
  { key: 'savedMB', title: 'kept for backward, ours', kind: 'count' },
  { key: 'randomLowMB', title: 'Random, lowest of the seeds, ours', kind: 'count' },
  { key: 'randomHighMB', title: 'highest', kind: 'count' },
  { key: 'randomLiteralLowMB', title: 'Random with a number for each set, lowest', kind: 'count' },
  { key: 'randomLiteralHighMB', title: 'highest', kind: 'count' },
  { key: 'paperCostMB', title: 'Eq. 2, ours', kind: 'count' },
  { key: 'paperRegularTimeS', title: 'iteration, paper', kind: 'seconds' },
  { key: 'paperGcpTimeS', title: 'with checkpoints, paper', kind: 'seconds' },
  { key: 'paperReforwardTimeS', title: 'with re-forwarding, paper', kind: 'seconds' },
];

interface RowDetailsProps {
  readonly row: TableRow;
  readonly network: string;
  readonly measured: Measured | undefined;
}

function RowDetails({ row, network, measured }: RowDetailsProps) {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const causes = causesOf(row['cause']);
  const facts = FURTHER.filter(({ key }) => typeof row[key] === 'number');
  const open = (): void => {
    const { batch, input } = row;
    const size = {
      ...(typeof batch === 'number' ? { batch } : {}),
      ...(typeof input === 'number' ? { input } : {}),
    };
    const { input: _input, dropout: _dropout, checkpoints: _own, ...rest } = experiment;
    store.change({ ...rest, ...networkOf({ ...rest, model: network, ...size }) });
    store.goTo('compare');
  };

  return (
    <div className={classes['detail']}>
      {causes.length === 0 && typeof row['regularMB'] === 'number' && <p>No difference over 1 %.</p>}
      {causes.map(({ cause, sizes }) => (
        <p key={cause}>
          {cause}. <span className={layout['muted']}>{sizes}</span>
        </p>
      ))}
      {measured !== undefined && <p>{sayMeasured(measured)}</p>}
      <p className={layout['muted']}>
        {facts.map(({ key, title, kind }) => (
          <span key={key} className={classes['fact']}>
            {title} {cellText(row[key], kind)}
            {kind === 'count' ? ' MB' : ''}
          </span>
        ))}
        <LinkButton onClick={open}>Open this row in Compare</LinkButton>
      </p>
    </div>
  );
}

interface MeasureCellProps {
  readonly network: string;
  readonly title: string;
  readonly measured: Measured | undefined;
}

function MeasureCell({ network, title, measured }: MeasureCellProps) {
  const { runs } = useWorkspace();
  const { models } = useCatalog();
  const all = useStore(runs, (state) => state.runs);
  const model = models.find(({ name }) => name === network);
  const state = measuringOf(all, network);
  const isBusy = all.some(({ outcome }) => outcome === 'running');

  if (state.state === 'running') {
    return (
      <Table.Td className={layout['muted'] ?? ''}>
        <span role="status">{state.text}</span>{' '}
        <LinkButton aria-label={`Stop measuring ${title}`} onClick={runs.cancel}>
          stop
        </LinkButton>
      </Table.Td>
    );
  }
  const request = model === undefined ? null : pairsFor(model);
  const size = request === null ? '' : ` at batch ${request.batch}, ${request.input} pixels`;
  const failed = state.state === 'failed';
  const again = failed ? 'failed, again' : measured === undefined ? null : 'too noisy, again';
  if (measured !== undefined && !isTooNoisy(measured.overhead)) {
    return (
      <Table.Td data-measured title={sayMeasured(measured)}>
        {formatChange(measured.overhead.share)} <span className={classes['tag']}>{measured.backend}</span>
      </Table.Td>
    );
  }
  return (
    <Table.Td data-measured={measured !== undefined || undefined} title={measured && sayMeasured(measured)}>
      <LinkButton
        data-at-hand=""
        disabled={request === null || isBusy}
        aria-label={
          again === null ? `Measure ${title} here${size}` : `${again}: measure ${title} here${size}`
        }
        title={
          failed
            ? asSentence(state.reason)
            : `Trains ${title} on this device${size}, a regular iteration and an optimal one in turn, and compares their times`
        }
        data-fault={failed || undefined}
        onClick={() => request !== null && runs.start([request])}
      >
        {again ?? 'measure'}
      </LinkButton>
    </Table.Td>
  );
}
