import type { ChartTable } from '../../shared/charts/csv.ts';
import { formatChange } from '../../shared/format/numbers.ts';
import { colorOf } from '../../state/strategies/identity.ts';
import type { StrategyRow } from '../../state/comparison/rows.ts';

/** Pixels of a bar with its room, and of the axis under all of them. */
export const ROW_HEIGHT = 36;
export const AXIS_HEIGHT = 28;

export interface OverheadBar {
  readonly name: string;
  readonly title: string;
  readonly color: string;
  /** Percent, for the axis. */
  readonly predicted: number | null;
  readonly measured: number | null;
  readonly label: string;
}

/** One bar a strategy that applies; a second, solid one where a run has measured it. */
export function overheadBars(rows: readonly StrategyRow[]): OverheadBar[] {
  return rows
    .filter((row) => row.state === 'solved')
    .map(({ identity, predictedOverhead, measuredOverhead }) => ({
      name: identity.name,
      title: identity.title,
      color: colorOf(identity),
      predicted: predictedOverhead === null ? null : predictedOverhead * 100,
      measured: measuredOverhead === null ? null : measuredOverhead * 100,
      label: overheadLabel(predictedOverhead, measuredOverhead),
    }));
}

function overheadLabel(predicted: number | null, measured: number | null): string {
  if (predicted === null) return measured === null ? 'unknown' : `${formatChange(measured)} measured`;
  if (measured === null) return formatChange(predicted);
  return `${formatChange(predicted)}, measured ${formatChange(measured)}`;
}

/** Ends of the percent axis: zero is always on it, and the bars leave room for their labels. */
export function overheadDomain(bars: readonly OverheadBar[]): readonly [number, number] {
  const values = bars.flatMap(({ predicted, measured }) => [predicted ?? 0, measured ?? 0]);
  const low = Math.min(0, ...values);
  const high = Math.max(10, ...values);
  const step = high - low > 100 ? 50 : high - low > 40 ? 20 : 10;
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step];
}

export function overheadTable(bars: readonly OverheadBar[]): ChartTable {
  const share = (percent: number | null): string | null =>
    percent === null ? null : formatChange(percent / 100);
  return {
    caption: 'Time overhead against regular training',
    columns: ['Strategy', 'Predicted', 'Measured'],
    rows: bars.map((bar) => [bar.title, share(bar.predicted), share(bar.measured)]),
  };
}
