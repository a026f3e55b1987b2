import { Table } from '@mantine/core';
import { formatCount } from '../../../shared/format/numbers.ts';
import { useStore } from '../../../shared/store.ts';
import { openTrain } from '../../../state/parts/next-run.ts';
import { useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import classes from '../limits.module.css';
import { measuredLimit, sayMeasuredLimit } from './measured-limit.ts';
import type { LimitRow } from '../state/rows.ts';
import type { LimitsState } from '../state/limits-store.ts';

export interface MeasureLimitCellProps {
  readonly row: LimitRow;
  readonly head: LimitsState['head'];
}

/** What a search on this device found beside what is predicted for it, or the way to that search. */
export function MeasureLimitCell({ row, head }: MeasureLimitCellProps) {
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
        aria-label={`Measure the largest batch of ${title} here`}
        title={`Opens Train, set to find the largest batch of ${title} that this device trains`}
        onClick={() => openTrain(workspace, name, { mode: 'largest' })}
      >
        {measured === null ? 'measure' : 'again'}
      </LinkButton>
    </Table.Td>
  );
}
