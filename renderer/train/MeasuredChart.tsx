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
import { identityOf } from '../shared/strategies/identity.ts';
import { useSize } from '../shared/use-size.ts';
import { useCatalog } from '../use-workspace.ts';
import { begunLooks, compareAt, measuredData, measuredTable, measuredZigzag } from './measured-zigzag.ts';
import { RunLegend } from './RunLegend.tsx';
import type { RunLook } from './run-look.ts';
import classes from './train.module.css';

export interface MeasuredChartProps {
  /** The one in front last. */
  readonly looks: readonly RunLook[];
  readonly front: Run | null;
  /** Whether there are former runs that could be opened. */
  readonly hasHistory: boolean;
  readonly scale: StepScale;
  readonly onScale: (scale: StepScale) => void;
  readonly cursor: Store<number | null>;
  readonly onStart: () => void;
}

const TITLE = 'Predicted and measured memory over one training step';

export function MeasuredChart(props: MeasuredChartProps) {
  const { looks, front, hasHistory, scale, onScale, cursor, onStart } = props;
  const { titles } = useCatalog();
  const [ref, size] = useSize<HTMLDivElement>();
  const area = useMemo(() => plotArea(size.width, size.height), [size]);
  const drawing = useMemo(() => measuredZigzag(looks, scale), [looks, scale]);
  const begun = begunLooks(looks);
  const leader = begun.at(-1)?.run;
  const isLive = begun.some(({ run }) => run.outcome === 'running');
  // A table that changes twelve times a second helps nobody.
  const table = useMemo(() => (isLive ? null : measuredTable(looks, TITLE)), [isLive, looks]);

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
          ({ title, run }) =>
            `${title}: predicted peak ${formatBytes(run.predicted.peakBytes)}, measured ` +
            `${run.measuredPeakBytes === null ? 'not yet' : formatBytes(run.measuredPeakBytes)}.`,
        )
        .join(' ')}
      fileName={`measured-${front?.request.model ?? 'run'}`}
      height="clamp(264px, calc(100vh - 536px), 400px)"
      data={() => measuredData(looks, STEP_KINDS)}
      table={table}
      legend={begun.map(({ title, color, dash }) => ({ title, color, dash }))}
      tools={<ScaleSwitch scale={scale} onScale={onScale} />}
      empty={begun.length > 0 ? undefined : <Nothing run={front} hasHistory={hasHistory} onStart={onStart} />}
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
              begun.map(({ run, color }) => {
                const at = compareAt(run, place, scale);
                return { id: run.key, y: at.measured ?? at.predicted, color };
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
              {begun.length > 1 && <RunLegend looks={begun} />}
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

function Nothing({
  run,
  hasHistory,
  onStart,
}: Pick<MeasuredChartProps, 'hasHistory' | 'onStart'> & { readonly run: Run | null }) {
  if (run?.outcome === 'running') return 'The trainer is starting…';
  return (
    <>
      <span>
        {run === null
          ? hasHistory
            ? 'No run is open. Open one of the list below, or start another.'
            : 'Nothing has been trained yet. A run draws its prediction first, then what it measures.'
          : 'This run ended before it had a prediction to draw.'}
      </span>
      <Button size="sm" variant="default" onClick={onStart}>
        Start a run
      </Button>
    </>
  );
}
