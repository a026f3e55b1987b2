import { Box, Button } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { STEP_KINDS } from '../../../../engine/schedule/schedule.ts';
import type { Run } from '../../../state/runs/run.ts';
import type { ScaleSwitchProps } from '../../../shared/charts/ScaleSwitch.tsx';
import { StepChartCard } from '../../../shared/charts/StepChartCard.tsx';
import type { StepFrame } from '../../../shared/charts/step-curves.ts';
import type { StepSession } from '../../../shared/charts/step-session.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { HolderLegend } from '../../../state/parts/HolderLegend.tsx';
import { identityOf } from '../../../state/strategies/identity.ts';
import { useSameList } from '../../../shared/use-same-list.ts';
import { useCatalog } from '../../../state/workspace/use-workspace.ts';
import { begunLooks, compareAt, measuredData, measuredTable, measuredZigzag } from './measured-zigzag.ts';
import { RunLegend } from '../state/RunLegend.tsx';
import type { RunLook } from '../state/run-look.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../train.module.css';

export interface MeasuredChartProps {
  /** The one in front last; with clocks on their axes where the scale is time. */
  readonly looks: readonly RunLook[];
  readonly front: Run | null;
  readonly hasHistory: boolean;
  readonly scales: ScaleSwitchProps;
  readonly session: StepSession;
  readonly onStart: () => void;
}

const TITLE = 'Predicted and measured memory';

export function MeasuredChart(props: MeasuredChartProps) {
  const { looks, front, hasHistory, scales, session, onStart } = props;
  const { scale } = scales;
  const { titles, models } = useCatalog();
  const begun = begunLooks(looks);
  const axes = useSameList(begun.map(({ run }) => run.predicted.axis));
  const draw = useCallback((frame: StepFrame) => measuredZigzag(looks, frame), [looks]);
  const leader = begun.at(-1)?.run;
  const isLive = begun.some(({ run }) => run.outcome === 'running');
  // A table that changes twelve times a second helps nobody.
  const table = useMemo(() => (isLive ? null : measuredTable(looks, TITLE)), [isLive, looks]);

  const networkOf = ({ request: { model, batch } }: Run): string =>
    `${models.find(({ name }) => name === model)?.title ?? model}, batch ${batch}`;
  const describe = (place: number): string => {
    if (leader === undefined) return '';
    const at = compareAt(leader, place, scale);
    const measured = at.measured === null ? 'not measured yet' : `measured ${formatBytes(at.measured)}`;
    return `${at.id}: predicted ${formatBytes(at.predicted)}, ${measured}`;
  };

  return (
    <StepChartCard
      title={TITLE}
      testId="measured"
      axes={axes}
      draw={draw}
      front={leader?.predicted ?? null}
      scale={scale}
      scales={scales}
      cursor={session.cursor}
      window={session.window}
      heightView={session.height}
      dotsAt={(place) =>
        begun.map(({ run, color }) => {
          const at = compareAt(run, place, scale);
          return { id: run.key, y: at.measured ?? at.predicted, color };
        })
      }
      describe={describe}
      summary={begun
        .map(
          ({ title, run }) =>
            `${title}: predicted peak ${formatBytes(run.predicted.peakBytes)}, measured ` +
            `${run.measuredPeakBytes === null ? 'not yet' : formatBytes(run.measuredPeakBytes)}.`,
        )
        .join(' ')}
      pictureTitle={
        front === null ? TITLE : `${networkOf(front)}: predicted and measured memory over one training step`
      }
      fileName={`measured-${front?.request.model ?? 'run'}`}
      height="clamp(264px, calc(100vh - 572px), 400px)"
      data={() => measuredData(looks, STEP_KINDS)}
      table={table}
      legend={begun.map(({ title, color, dash }) => ({ title, color, dash }))}
      empty={begun.length > 0 ? undefined : <Nothing run={front} hasHistory={hasHistory} onStart={onStart} />}
      footer={
        <Box mih={24} pl={56} className={layout['legend']}>
          {begun.length > 0 && (
            <>
              {begun.length > 1 && <RunLegend looks={begun} />}
              <span>
                <i className={classes['line']} style={{ height: 1 }} /> predicted
              </span>
              <span>
                <i className={classes['line']} style={{ height: 2 }} /> measured, on top
              </span>
              {leader !== undefined && (
                <HolderLegend
                  title={identityOf(leader.request.strategy, titles.get(leader.request.strategy)).title}
                />
              )}
            </>
          )}
        </Box>
      }
    />
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
            ? 'No run is open. Open one from the list below, or start a new one.'
            : 'No runs yet. A run draws its prediction first, then its measurements.'
          : 'This run ended before its prediction was ready.'}
      </span>
      <Button variant="default" size="sm" onClick={onStart}>
        Start a run
      </Button>
    </>
  );
}
