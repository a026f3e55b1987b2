import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { STEP_KINDS } from '../../engine/schedule/schedule.ts';
import type { Run } from '../runs/run.ts';
import { ChartCard } from '../shared/charts/ChartCard.tsx';
import { plotArea } from '../shared/charts/plot-area.ts';
import { ScaleSwitch } from '../shared/charts/ScaleSwitch.tsx';
import { StepChart } from '../shared/charts/StepChart.tsx';
import { StepCursor } from '../shared/charts/StepCursor.tsx';
import { StepNotes } from '../shared/charts/StepNotes.tsx';
import { moveCursor } from '../shared/charts/move-cursor.ts';
import type { StepScale } from '../shared/charts/step-axis.ts';
import { formatBytes } from '../shared/format/bytes.ts';
import { HolderLegend } from '../shared/HolderLegend.tsx';
import type { Store } from '../shared/store.ts';
import { colorOf, identityOf } from '../shared/strategies/identity.ts';
import { useSize } from '../shared/use-size.ts';
import { useCatalog } from '../use-workspace.ts';
import { begunRuns, compareAt, measuredData, measuredTable, measuredZigzag } from './measured-zigzag.ts';
import classes from './train.module.css';

export interface MeasuredChartProps {
  /** The one in front last. */
  readonly runs: readonly Run[];
  readonly front: Run | null;
  readonly scale: StepScale;
  readonly onScale: (scale: StepScale) => void;
  readonly cursor: Store<number | null>;
  readonly onStart: () => void;
}

const TITLE = 'Predicted and measured memory over one training step';

export function MeasuredChart({ runs, front, scale, onScale, cursor, onStart }: MeasuredChartProps) {
  const { titles } = useCatalog();
  const [ref, size] = useSize<HTMLDivElement>();
  const area = useMemo(() => plotArea(size.width, size.height), [size]);
  const drawing = useMemo(() => measuredZigzag(runs, scale), [runs, scale]);
  const begun = begunRuns(runs);
  const leader = begun.at(-1);
  const isLive = begun.some(({ outcome }) => outcome === 'running');
  // A table that changes twelve times a second helps nobody.
  const table = useMemo(() => (isLive ? null : measuredTable(runs, TITLE)), [isLive, runs]);

  const describe = (place: number): string => {
    if (leader === undefined) return '';
    const at = compareAt(leader, place, scale);
    const measured = at.measured === null ? 'not measured yet' : `measured ${formatBytes(at.measured)}`;
    return `${at.id}: predicted ${formatBytes(at.predicted)}, ${measured}`;
  };

  return (
    <ChartCard
      title={TITLE}
      summary={begun
        .map(
          (run) =>
            `${run.request.strategy}: predicted peak ${formatBytes(run.predicted.peakBytes)}, measured ` +
            `${run.measuredPeakBytes === null ? 'not yet' : formatBytes(run.measuredPeakBytes)}.`,
        )
        .join(' ')}
      fileName={`measured-${front?.request.model ?? 'run'}`}
      height="clamp(264px, calc(100vh - 536px), 400px)"
      data={() => measuredData(runs, STEP_KINDS)}
      table={table}
      legend={begun.map(({ request, id }) => ({
        title: `${request.strategy} (run ${id})`,
        color: colorOf(identityOf(request.strategy)),
      }))}
      tools={<ScaleSwitch scale={scale} onScale={onScale} />}
      empty={begun.length > 0 ? undefined : <Nothing run={front} onStart={onStart} />}
      overlay={
        size.width > 0 && (
          <StepCursor
            area={area}
            end={drawing.extent.end}
            topBytes={drawing.bytes.top}
            cursor={cursor}
            label="Step of the training step"
            onKey={(key, big, place) =>
              leader === undefined ? null : moveCursor(leader.predicted, scale, key, big, place)
            }
            dotsAt={(place) =>
              begun.map((run) => {
                const at = compareAt(run, place, scale);
                return {
                  id: String(run.id),
                  y: at.measured ?? at.predicted,
                  color: colorOf(identityOf(run.request.strategy)),
                };
              })
            }
            describe={describe}
          />
        )
      }
      footer={
        <div className={classes['legend']}>
          {begun.length > 0 && (
            <>
              <span className={classes['legendItem']}>
                <i style={{ height: 1 }} /> predicted
              </span>
              <span className={classes['legendItem']}>
                <i style={{ height: 2 }} /> measured, on top
              </span>
              {leader !== undefined && (
                <HolderLegend
                  title={identityOf(leader.request.strategy, titles.get(leader.request.strategy)).title}
                />
              )}
            </>
          )}
        </div>
      }
    >
      <div ref={ref} className={classes['fill']} data-testid="measured">
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

function Nothing({ run, onStart }: { readonly run: Run | null; readonly onStart: () => void }) {
  if (run?.outcome === 'running') return 'The trainer is starting…';
  return (
    <>
      <span>
        {run === null
          ? 'Nothing has been trained yet. A run draws its prediction first, then what it measures.'
          : 'This run ended before it had a prediction to draw.'}
      </span>
      <Button size="sm" variant="default" onClick={onStart}>
        Start a run
      </Button>
    </>
  );
}
