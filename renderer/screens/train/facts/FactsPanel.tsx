import type { RunSummary } from '../../../../app/contract/history.ts';
import type { Run } from '../../../state/runs/run.ts';
import type { StepScale } from '../../../shared/charts/step-axis.ts';
import { formatBytes, formatExactBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { type Store, useStore } from '../../../shared/store.ts';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { factsOf } from './facts.ts';
import { compareAt, hasBegun } from '../measured/measured-zigzag.ts';
import { OverheadBars } from './OverheadBars.tsx';
import { overheadLines } from './overhead.ts';
import { RunNotes } from './RunNotes.tsx';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../train.module.css';

export interface FactsPanelProps {
  /** With a clock on its axis where the scale is time. */
  readonly run: Run | null;
  /** The same in the history; null where it is not there (yet). */
  readonly line: RunSummary | null;
  readonly runs: readonly Run[];
  readonly scale: StepScale;
  readonly cursor: Store<number | null>;
}

/** Predicted beside measured: the facts of the run in front, and the step under the cursor. */
export function FactsPanel({ run, line, runs, scale, cursor }: FactsPanelProps) {
  const facts = run === null ? [] : factsOf(run);
  return (
    <aside className={`${layout['card']} ${classes['panel']}`} aria-label="Facts of the run">
      <h2>{run === null ? 'Facts' : `Run ${run.id}`}</h2>
      {line !== null && <RunNotes key={line.id} line={line} />}
      {facts.length === 0 && (
        <p className={layout['note']}>
          {run === null ? 'They come with the first run.' : 'They come with the prediction.'}
        </p>
      )}
      <dl className={`${layout['figures']} ${classes['list']}`}>
        {facts.map(({ name, value, measured, note }) => (
          <div key={name} title={note ?? value}>
            <dt>{name}</dt>
            <dd data-measured={measured || undefined}>{value}</dd>
          </div>
        ))}
      </dl>
      {run !== null && (
        <OverheadBars lines={overheadLines(run, runs)} color={colorOf(identityOf(run.request.strategy))} />
      )}
      {run !== null && <AtCursor run={run} scale={scale} cursor={cursor} />}
    </aside>
  );
}

type AtCursorProps = Pick<FactsPanelProps, 'scale' | 'cursor'> & { readonly run: Run };

function AtCursor({ run, scale, cursor }: AtCursorProps) {
  const place = useStore(cursor);
  if (!hasBegun(run)) return null;
  if (place === null) {
    return (
      <p className={`${layout['note']} ${classes['hint']}`}>Point at the chart to compare single steps.</p>
    );
  }
  const at = compareAt(run, place, scale);
  const difference = at.measured === null ? null : at.measured - at.predicted;
  return (
    <>
      <h3 className={layout['cut']} title={at.id}>
        Step {formatCount(at.step + 1)}, {at.id}
      </h3>
      <dl className={`${layout['figures']} ${classes['list']}`}>
        <div>
          <dt>Predicted</dt>
          <dd>{formatBytes(at.predicted)}</dd>
        </div>
        <div>
          <dt>Measured</dt>
          <dd data-measured>{at.measured === null ? 'not yet' : formatBytes(at.measured)}</dd>
        </div>
        <div>
          <dt>Difference</dt>
          <dd data-measured>{difference === null ? '–' : formatExactBytes(difference)}</dd>
        </div>
      </dl>
    </>
  );
}
