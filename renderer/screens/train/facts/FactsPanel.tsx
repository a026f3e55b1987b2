import type { RunSummary } from '../../../../app/contract/history.ts';
import type { Run } from '../../../state/runs/run.ts';
import type { StepScale } from '../../../shared/charts/step-axis.ts';
import { formatBytes, formatExactBytes } from '../../../shared/format/bytes.ts';
import { formatChange, formatCount } from '../../../shared/format/numbers.ts';
import { ShareBars } from '../../../shared/plot/ShareBars.tsx';
import { type Store, useStore } from '../../../shared/store.ts';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { factsOf } from './facts.ts';
import { compareAt, hasBegun } from '../measured/measured-zigzag.ts';
import { type OverheadLine, overheadLines } from './overhead.ts';
import { useSize } from '../../../shared/use-size.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../train.module.css';
import { Box, Stack, Textarea, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { MAX_NAME, MAX_NOTE } from '../../../../app/contract/recorded-run.ts';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';

export interface FactsPanelProps {
  /** With a clock on its axis where the scale is time. */
  readonly run: Run | null;
  /** The run in the history; null where it is not there (yet). */
  readonly line: RunSummary | null;
  readonly runs: readonly Run[];
  readonly scale: StepScale;
  readonly cursor: Store<number | null>;
}

export function FactsPanel({ run, line, runs, scale, cursor }: FactsPanelProps) {
  const facts = run === null ? [] : factsOf(run);
  return (
    <aside className={`${layout['card']} ${classes['panel']}`} aria-label="Facts of the run">
      <h2>{run === null ? 'Facts' : `Run ${run.id}`}</h2>
      {line !== null && <RunNotes key={line.id} line={line} />}
      {facts.length === 0 && (
        <p className={layout['note']}>
          {run === null ? 'Shown after the first run.' : 'Shown with the prediction.'}
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
      <Box component="p" mt={16} className={layout['note']}>
        Point at the chart to compare steps one by one.
      </Box>
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

function RunNotes({ line }: { readonly line: RunSummary }) {
  const { history } = useWorkspace();
  const [name, setName] = useState(line.name);
  const [note, setNote] = useState(line.note);
  return (
    <Stack gap={0} mb={8}>
      <TextInput
        size="xs"
        variant="unstyled"
        aria-label="Name of the run"
        placeholder="Name this run"
        maxLength={MAX_NAME}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => name.trim() !== line.name && void history.rename(line.id, name)}
      />
      <Textarea
        size="xs"
        variant="unstyled"
        autosize
        maxRows={4}
        aria-label="Note on the run"
        placeholder="Note"
        maxLength={MAX_NOTE}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onBlur={() => note.trim() !== line.note && void history.annotate(line.id, note)}
      />
    </Stack>
  );
}

const BAR_HEIGHT = 28;

/** Predicted and measured time overhead on one scale; a whisker is the middle half of what was measured. */
function OverheadBars({ lines, color }: { readonly lines: readonly OverheadLine[]; readonly color: string }) {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const bars = useMemo(
    () =>
      lines.map(({ name, share, quartiles, measured }) => ({
        title: name,
        color,
        predicted: measured ? null : (share ?? 0),
        measured: measured ? (share ?? 0) : null,
        label: share === null ? 'no pairs' : formatChange(share),
        spread:
          share === null || quartiles === null
            ? null
            : ([share - quartiles[0], quartiles[1] - share] as const),
      })),
    [lines, color],
  );
  if (bars.length === 0) return null;
  const height = bars.length * BAR_HEIGHT;
  return (
    <>
      <h3>Time overhead</h3>
      <div
        ref={ref}
        role="img"
        aria-label={bars.map(({ title, label }) => `${title}: ${label}`).join('; ')}
        title={lines.map(({ name, note }) => `${name}: ${note}`).join('\n')}
        style={{ height }}
      >
        {width > 0 && <ShareBars bars={bars} width={width} height={height} />}
      </div>
    </>
  );
}
