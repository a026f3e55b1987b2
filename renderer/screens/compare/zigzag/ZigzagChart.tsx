import { Box } from '@mantine/core';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { STEP_KINDS } from '../../../../engine/schedule/schedule.ts';
import { StepChartCard } from '../../../shared/charts/StepChartCard.tsx';
import { stepAt, type StepScale } from '../../../shared/charts/step-axis.ts';
import type { StepFrame } from '../../../shared/charts/step-curves.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { holderAreas, HolderLegend } from '../../../state/parts/HolderLegend.tsx';
import { useStore } from '../../../shared/store.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import { useCatalog, useLabView } from '../../../state/workspace/use-workspace.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../compare.module.css';
import { sayStep, stepView } from './describe-step.ts';
import { clockOf, hasWork, predictedSpeed } from './predicted-clock.ts';
import type { StrategyRow } from '../../../state/comparison/rows.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import {
  bytesAt,
  drawnRows,
  HOST_LINE,
  isFlat,
  zigzag,
  zigzagData,
  zigzagTable,
} from '../../../state/comparison/zigzag.ts';
import { holdersOf, type SizedTimeline } from '../../../state/comparison/sized-timeline.ts';
import { LimitHandle } from '../limit/LimitHandle.tsx';
import { ConstantToggle, MemorySwitch } from './MemorySwitch.tsx';
import { AXIS_NAMES, type ShownMemory } from '../../../state/comparison/shown-memory.ts';
import type { ZigzagSession } from './zigzag-session.ts';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import { chosenDevice } from '../../../state/experiment/device.ts';
import type { ByteLimit } from '../../../shared/charts/StepNotes.tsx';

export interface ZigzagChartProps {
  readonly view: CompareView;
  readonly session: ZigzagSession;
  /** The comparison itself, without the plan that the handle shows. */
  readonly compared: CompareView;
}

const TITLE = 'Live memory over one training step';

export function ZigzagChart({ view, session, compared }: ZigzagChartProps) {
  const { rows, front, state } = view;
  const { experiment } = useLabView();
  const scale = useStore(session.scale);
  const { shown } = state;
  const network =
    useCatalog().models.find(({ name }) => name === experiment.model)?.title ?? experiment.model;
  const ids = shown?.ids ?? NO_IDS;
  const name = front?.identity.name ?? null;
  const memory = useStore(session.memory);
  const wantsFold = useStore(session.isFolded);
  const isSmall = wantsFold === null && isFlat(rows);
  const isFolded = wantsFold ?? isSmall;
  const limit = useMemo(() => limitOf(experiment, memory), [experiment, memory]);
  const draw = useCallback(
    (frame: StepFrame) => zigzag(rows, name, ids, frame, limit, isFolded),
    [rows, name, ids, limit, isFolded],
  );
  const drawn = useMemo(() => drawnRows(rows), [rows]);
  const axes = useMemo(() => drawn.map((row) => row.sized.axis), [drawn]);
  const sized = front?.sized ?? null;
  const sends = sized?.timeline.host !== undefined;
  // Screen readers get the numbers after the picture has changed.
  const settled = useDeferredValue(rows);
  const table = useMemo(() => zigzagTable(settled, TITLE), [settled]);
  const timed = useMemo(() => shown !== null && hasWork(shown), [shown]);
  const onScale = (next: StepScale): void => {
    if (front === null || sized === null || shown === null) {
      session.setScale(next, null);
      return;
    }
    const clock = clockOf(front, sized, shown, predictedSpeed(experiment));
    session.setScale(next, { ...sized.axis, clock });
  };

  const dotsAt = (place: number) =>
    [...bytesAt(rows, place, scale)].map(([id, y]) => ({ id, y, color: colorIn(rows, id) }));
  const describe = (place: number): string =>
    sized === null || shown === null ? '' : sayStep(stepView(sized, stepAt(sized.axis, place, scale), shown));

  return (
    <StepChartCard
      title={TITLE}
      testId="zigzag"
      axes={axes}
      draw={draw}
      front={sized}
      scale={scale}
      scales={{ scale, onScale, timed }}
      cursor={session.cursor}
      window={session.window}
      heightView={session.height}
      dotsAt={dotsAt}
      describe={describe}
      handle={(area, values) => <LimitHandle view={compared} memory={memory} area={area} values={values} />}
      axisName={AXIS_NAMES[memory]}
      summary={summaryOf(drawn, experiment)}
      pictureTitle={`${network}, batch ${experiment.batch}: live memory over one training step`}
      fileName={`zigzag-${experiment.model}-batch-${experiment.batch}`}
      height="var(--zigzag-height)"
      data={() => zigzagData(rows, ids, STEP_KINDS)}
      table={table}
      legend={[
        ...drawn.map(({ identity }) => ({
          title: identity.title,
          color: colorOf(identity),
          dash: identity.dash,
        })),
        ...(sends ? [{ title: `${front?.identity.title}: in host memory`, ...HOST_LINE }] : []),
      ]}
      {...(front === null || sized === null
        ? {}
        : { areas: holderAreas(front.identity.title, holdersOf(sized)) })}
      tools={<MemorySwitch memory={session.memory} />}
      empty={drawn.length === 0 ? (state.running === null ? 'Nothing to draw.' : 'Solving…') : undefined}
      footer={
        <Box mih={24} pl={56} className={layout['legend']}>
          {front !== null && sized !== null && (
            <>
              {sized.device !== undefined && (
                <ConstantToggle
                  bytes={sized.device.constantBytes}
                  isFolded={isFolded}
                  isSmall={isSmall}
                  onFold={session.isFolded.set}
                />
              )}
              <HolderLegend
                title={front.identity.title}
                holders={holdersOf(sized).filter((holder) => holder !== 'constant')}
              />
            </>
          )}
          {sends && (
            <span>
              <i className={classes['hostLine']} /> In host memory, ▲ sent ▼ fetched
            </span>
          )}
        </Box>
      }
    />
  );
}

const NO_IDS: readonly string[] = [];

function colorIn(rows: readonly StrategyRow[], name: string): string {
  const row = rows.find(({ identity }) => identity.name === name);
  return row === undefined ? 'var(--zz-ink)' : colorOf(row.identity);
}

function summaryOf(
  rows: readonly (StrategyRow & { readonly sized: SizedTimeline })[],
  { model, batch }: Pick<Experiment, 'model' | 'batch'>,
): string {
  const peaks = rows.map((row) => `${row.identity.title} peaks at ${formatBytes(row.sized.peakBytes)}`);
  return `Live memory of ${model} at batch ${batch} over one training step. ${peaks.join(', ')}.`;
}

/** The device's memory, whichever plan is in front; of the activations alone their budget, where one is given. */
function limitOf(experiment: Experiment, memory: ShownMemory): ByteLimit | undefined {
  const { budgetBytes } = experiment;
  if (memory === 'activations')
    return budgetBytes === undefined
      ? undefined
      : { bytes: budgetBytes, text: `budget: ${formatBytes(budgetBytes)}` };
  const { title, memoryBytes } = chosenDevice(experiment);
  return { bytes: memoryBytes, text: `${title}: ${formatBytes(memoryBytes)}` };
}
