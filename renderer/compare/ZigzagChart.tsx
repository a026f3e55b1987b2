import { useCallback, useDeferredValue, useMemo } from 'react';
import { STEP_KINDS } from '../../engine/schedule/schedule.ts';
import { ChartCard } from '../shared/charts/ChartCard.tsx';
import { moveCursor } from '../shared/charts/move-cursor.ts';
import { plotArea } from '../shared/charts/plot-area.ts';
import { ScaleSwitch } from '../shared/charts/ScaleSwitch.tsx';
import { StepChart } from '../shared/charts/StepChart.tsx';
import { StepCursor } from '../shared/charts/StepCursor.tsx';
import { StepNotes } from '../shared/charts/StepNotes.tsx';
import { type StepScale, stepAt } from '../shared/charts/step-axis.ts';
import { formatBytes } from '../shared/format/bytes.ts';
import { HolderLegend } from '../shared/HolderLegend.tsx';
import type { Store } from '../shared/store.ts';
import { colorOf } from '../shared/strategies/identity.ts';
import { useSize } from '../shared/use-size.ts';
import { useCatalog, useLabView } from '../use-workspace.ts';
import classes from './compare.module.css';
import type { StrategyRow } from './rows.ts';
import { sayStep, stepView } from './describe-step.ts';
import type { CompareView } from './use-rows.ts';
import { bytesAt, drawnRows, zigzag, zigzagData, zigzagTable } from './zigzag.ts';

export interface ZigzagChartProps {
  readonly view: CompareView;
  readonly scale: StepScale;
  readonly onScale: (scale: StepScale) => void;
  readonly cursor: Store<number | null>;
}

const TITLE = 'Live memory over one training step';

/** The zigzag: what each strategy holds in memory at every step, overlaid. */
export function ZigzagChart({ view, scale, onScale, cursor }: ZigzagChartProps) {
  const { rows, front, state } = view;
  const { experiment } = useLabView();
  const [ref, size] = useSize<HTMLDivElement>();
  const { shown } = state;
  const network =
    useCatalog().models.find(({ name }) => name === experiment.model)?.title ?? experiment.model;
  const ids = shown?.ids ?? [];
  const name = front?.identity.name ?? null;
  const drawing = useMemo(() => zigzag(rows, name, ids, scale), [rows, name, ids, scale]);
  const area = useMemo(() => plotArea(size.width, size.height), [size]);
  const drawn = drawnRows(rows);
  const sized = front?.sized ?? null;
  // Nobody hears the numbers before the picture has changed.
  const settled = useDeferredValue(rows);
  const table = useMemo(() => zigzagTable(settled, TITLE), [settled]);

  const onKey = useCallback(
    (key: string, big: boolean, place: number | null) =>
      sized === null ? null : moveCursor(sized, scale, key, big, place),
    [sized, scale],
  );
  const dotsAt = (place: number) =>
    [...bytesAt(rows, place, scale)].map(([id, y]) => ({ id, y, color: colorIn(rows, id) }));
  const describe = (place: number): string =>
    sized === null || shown === null ? '' : sayStep(stepView(sized, stepAt(sized.axis, place, scale), shown));

  return (
    <ChartCard
      title={TITLE}
      summary={summaryOf(drawn, experiment.model, experiment.batch)}
      pictureTitle={`${network}, batch ${experiment.batch}: live memory over one training step`}
      fileName={`zigzag-${experiment.model}-batch-${experiment.batch}`}
      height="clamp(264px, calc(100vh - 472px), 440px)"
      data={() => zigzagData(rows, ids, STEP_KINDS)}
      table={table}
      legend={drawn.map(({ identity }) => ({
        title: identity.title,
        color: colorOf(identity),
        dash: identity.dash,
      }))}
      tools={<ScaleSwitch scale={scale} onScale={onScale} />}
      empty={
        drawn.length === 0 ? (state.running === null ? 'There is nothing to draw.' : 'Solving…') : undefined
      }
      overlay={
        size.width > 0 && (
          <StepCursor
            area={area}
            end={drawing.extent.end}
            topBytes={drawing.bytes.top}
            cursor={cursor}
            label="Step of the training step"
            onKey={onKey}
            dotsAt={dotsAt}
            describe={describe}
          />
        )
      }
      footer={
        <div className={classes['holders']}>
          {front !== null && <HolderLegend title={front.identity.title} />}
        </div>
      }
    >
      <div ref={ref} className={classes['fill']} data-testid="zigzag">
        {size.width > 0 && (
          <>
            <StepChart area={area} {...drawing} />
            <StepNotes
              area={area}
              extent={drawing.extent}
              topBytes={drawing.bytes.top}
              unit={drawing.bytes.unit}
              marks={drawing.marks}
              curves={drawing.curves}
            />
          </>
        )}
      </div>
    </ChartCard>
  );
}

function colorIn(rows: readonly StrategyRow[], name: string): string {
  const row = rows.find(({ identity }) => identity.name === name);
  return row === undefined ? 'var(--zz-ink)' : colorOf(row.identity);
}

function summaryOf(rows: readonly StrategyRow[], model: string, batch: number): string {
  const peaks = rows.map((row) => `${row.identity.title} peaks at ${formatBytes(row.peakBytes ?? 0)}`);
  return `Live memory of ${model} at batch ${batch} over one training step. ${peaks.join(', ')}.`;
}
