import type { TableRow } from '../../../../engine/tables/table.ts';
import { networkOf } from '../../../state/experiment/experiment.ts';
import { useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { cellText } from './cells.ts';
import type { Kind } from '../state/layout.ts';
import { type Measured, sayMeasured } from '../state/measure.ts';
import { causesOf } from './causes.ts';
import layout from '../../../shared/layout/layout.module.css';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import classes from '../tables.module.css';

const FURTHER: readonly { readonly key: string; readonly title: string; readonly kind: Kind }[] = [
  { key: 'savedMB', title: 'kept for backward, ours', kind: 'count' },
  { key: 'randomLowMB', title: 'Random, lowest of the seeds, ours', kind: 'count' },
  { key: 'randomHighMB', title: 'highest', kind: 'count' },
  { key: 'paperCostMB', title: 'Eq. 2, ours', kind: 'count' },
  { key: 'paperRegularTimeS', title: 'iteration, paper', kind: 'seconds' },
  { key: 'paperGcpTimeS', title: 'with checkpoints, paper', kind: 'seconds' },
  { key: 'paperReforwardTimeS', title: 'with re-forwarding, paper', kind: 'seconds' },
];

export interface RowDetailsProps {
  readonly row: TableRow;
  readonly network: string;
  readonly measured: Measured | undefined;
}

/** Why the figures differ, what else is known of the row, and the row opened as an experiment. */
export function RowDetails({ row, network, measured }: RowDetailsProps) {
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
