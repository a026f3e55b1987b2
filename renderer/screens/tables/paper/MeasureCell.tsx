import { Table } from '@mantine/core';
import { asSentence } from '../../../shared/format/sentence.ts';
import { formatChange } from '../../../shared/format/numbers.ts';
import { useStore } from '../../../shared/store.ts';
import { isTooNoisy } from '../../../state/strategies/measured-overhead.ts';
import { useCatalog, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { type Measured, measuringOf, pairsFor, sayMeasured } from '../state/measure.ts';
import layout from '../../../shared/layout/layout.module.css';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import classes from '../tables.module.css';

export interface MeasureCellProps {
  readonly network: string;
  readonly title: string;
  readonly measured: Measured | undefined;
}

/** The overhead that runs of this session have measured, or the button that starts pairs of iterations. */
export function MeasureCell({ network, title, measured }: MeasureCellProps) {
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
