import { useMemo } from 'react';
import { byteAxis } from '../../../shared/charts/axis.ts';
import { batchText } from '../../../../app/report/words.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { THIN } from '../../../shared/format/numbers.ts';
import type { Store } from '../../../shared/store.ts';
import { useLabView } from '../../../state/workspace/use-workspace.ts';
import { BatchChart } from './BatchChart.tsx';
import { batchAxis } from './batch-axis.ts';
import { memoryCurves, memoryData, memoryTable } from './memory-lines.ts';
import type { LimitsView } from '../use-limits.ts';

export interface LimitChartProps {
  readonly view: LimitsView;
  readonly cursor: Store<number | null>;
}

const TITLE = 'Memory against batch';

export function MemoryChart({ view, cursor }: LimitChartProps) {
  const { rows, state, contextBytes, totalBytes, device } = view;
  const { experiment } = useLabView();
  const axis = useMemo(() => batchAxis(Math.max(1, ...rows.map(({ batch }) => batch ?? 0))), [rows]);
  const curves = useMemo(() => memoryCurves(rows, contextBytes, axis.top), [rows, contextBytes, axis]);
  const bytes = useMemo(() => byteAxis(totalBytes * 1.15), [totalBytes]);
  const table = useMemo(() => memoryTable(curves, axis.ticks), [curves, axis]);
  const limit = useMemo(
    () => ({ y: totalBytes, text: `${device.title} ends at ${formatBytes(totalBytes)}` }),
    [totalBytes, device],
  );

  return (
    <BatchChart
      title={TITLE}
      testId="memory"
      summary={`Memory of ${experiment.model} on ${device.title} against the batch. ${curves
        .map(({ title, end }) => `${title} fits ${end === null ? 'no sample' : `batch ${batchText(end.x)}`}`)
        .join(', ')}.`}
      fileName={`limits-${experiment.model}-${device.name}`}
      height="clamp(264px, calc(100vh - 480px), 440px)"
      axisTitles={{ x: 'Batch size', y: `Memory on the device (${bytes.unit})` }}
      data={() => memoryData(rows, contextBytes, axis.ticks)}
      table={table}
      x={axis}
      y={bytes}
      curves={curves}
      limit={limit}
      cursor={cursor}
      format={formatBytes}
      note={`${bytes.unit} on the device, predicted`}
      idle={`Rings mark the largest batch that fits. Batch size${THIN}→`}
      nothing="Nothing to draw."
      isSolving={state.running !== null}
    />
  );
}
