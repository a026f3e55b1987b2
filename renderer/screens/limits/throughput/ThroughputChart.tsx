import { useMemo } from 'react';
import { MICROSECONDS_PER_OPERATION } from '../../../../engine/devices/devices.ts';
import { PRECISION_TITLES } from '../../../../engine/training-memory/setup.ts';
import { NumberField } from '../../../shared/fields/NumberField.tsx';
import { linearAxis } from '../../../shared/charts/axis.ts';
import layout from '../../../shared/layout/layout.module.css';
import { formatCount, threeDigits, THIN } from '../../../shared/format/numbers.ts';
import { useLabView } from '../../../state/workspace/use-workspace.ts';
import { BatchChart } from '../memory/BatchChart.tsx';
import { countedOf } from '../state/counted.ts';
import { batchAxis } from '../memory/batch-axis.ts';
import classes from '../limits.module.css';
import type { LimitChartProps } from '../memory/MemoryChart.tsx';
import {
  MAX_MICROSECONDS,
  MAX_TERAFLOPS,
  usualTeraflops,
} from '../../../state/experiment/limits-settings.ts';
import { throughputCurves, throughputData, throughputTable } from './throughput-curves.ts';

const TITLE = 'Throughput against batch';
const perSecond = (rate: number): string => `${threeDigits(rate)}${THIN}/s`;

export function ThroughputChart({ view, cursor }: LimitChartProps) {
  const { rows, speed, state, device, settings, change } = view;
  const { experiment } = useLabView();
  const counted = useMemo(() => countedOf(state.head), [state.head]);
  const curves = useMemo(() => throughputCurves(rows, speed, counted), [rows, speed, counted]);
  const axis = useMemo(() => batchAxis(Math.max(1, ...rows.map(({ batch }) => batch ?? 0)), 5), [rows]);
  const rates = useMemo(
    () => linearAxis(0, Math.max(0, ...curves.map(({ end }) => end?.y ?? 0)), { parts: 4 }),
    [curves],
  );
  const table = useMemo(() => throughputTable(rows, counted), [rows, counted]);

  return (
    <BatchChart
      title={TITLE}
      testId="throughput"
      summary={`${counted.rate} on ${device.title}, predicted. ${curves
        .map(({ title, end }) => `${title}: ${threeDigits(end?.y ?? 0)} at batch ${formatCount(end?.x ?? 0)}`)
        .join('; ')}.`}
      fileName={`throughput-${experiment.model}-${device.name}`}
      height={224}
      axisTitles={{ x: 'Batch size', y: counted.rate }}
      data={() => throughputData(curves, counted)}
      table={table}
      x={axis}
      y={rates}
      curves={curves}
      cursor={cursor}
      format={perSecond}
      note={`${counted.rate.toLowerCase()}, predicted`}
      idle={`Curves end at the largest batch that fits. Batch size${THIN}→`}
      nothing="This network has no FLOPs."
      isSolving={state.running !== null}
      footer={
        <div className={classes['model']}>
          <NumberField
            rule={{ label: 'TFLOP/s sustained', min: 0.001, max: MAX_TERAFLOPS, whole: false }}
            value={settings.teraflops}
            placeholder={String(usualTeraflops(device))}
            width={120}
            delayMs={400}
            optional
            onValue={(teraflops) => change({ teraflops })}
          />
          <NumberField
            rule={{ label: 'Each operation', min: 0, max: MAX_MICROSECONDS, whole: false }}
            value={settings.microseconds}
            placeholder={String(MICROSECONDS_PER_OPERATION)}
            width={96}
            unit="µs"
            delayMs={400}
            optional
            onValue={(microseconds) => change({ microseconds })}
          />
          <p className={layout['note']}>
            Time of a step = operations × a fixed time + FLOPs ÷ a sustained speed (usually 40{THIN}% of{' '}
            {device.peakTeraflops} TFLOP/s
            {experiment.precision !== undefined && ` in ${PRECISION_TITLES[experiment.precision]}`}). The time
            of data loading and the memory’s speed are left out.
            {device.lacksBf16 &&
              ` ${device.title} has no native bfloat16 and computes it as float32. Use AMP fp16 instead.`}
          </p>
        </div>
      }
    />
  );
}
