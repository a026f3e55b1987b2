import { type Axis, percentAxis } from '../../../shared/charts/axis.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import { formatChange } from '../../../shared/format/numbers.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import type { StrategyRow } from '../../../state/comparison/rows.ts';

export const ROW_HEIGHT = 36;
export const AXIS_HEIGHT = 28;
/** Pixels of a letter of the axis's names, and of the room around a name. */
const LETTER = 6.4;
const NAME_ROOM = 12;
const MIN_LEFT = 96;

export function marginOf(bars: readonly Pick<OverheadBar, 'title'>[]) {
  const longest = Math.max(0, ...bars.map(({ title }) => title.length));
  const left = Math.max(MIN_LEFT, Math.ceil(longest * LETTER) + NAME_ROOM);
  return { left, right: 56, top: 0, bottom: AXIS_HEIGHT };
}

export interface OverheadBar {
  readonly name: string;
  readonly title: string;
  readonly color: string;
  /** Shares of 1. */
  readonly predicted: number | null;
  readonly measured: number | null;
  /** The measurement in words; null before one. */
  readonly note: string | null;
  readonly label: string;
}

/** One bar a strategy that applies; a second, solid one where a run has measured it. */
export function overheadBars(rows: readonly StrategyRow[]): OverheadBar[] {
  return rows
    .filter((row) => row.state === 'solved')
    .map(({ identity, predictedOverhead, measuredOverhead, measuredNote }) => ({
      name: identity.name,
      title: identity.title,
      color: colorOf(identity),
      predicted: predictedOverhead,
      measured: measuredOverhead,
      note: measuredNote,
      label: overheadLabel(predictedOverhead, measuredNote),
    }));
}

function overheadLabel(predicted: number | null, measured: string | null): string {
  if (predicted === null) return measured === null ? 'unknown' : `measured ${measured}`;
  if (measured === null) return formatChange(predicted);
  return `${formatChange(predicted)}, measured ${measured}`;
}

export function overheadAxis(bars: readonly OverheadBar[]): Axis {
  const shares = bars.flatMap(({ predicted, measured }) => [predicted ?? 0, measured ?? 0]);
  return percentAxis(Math.min(0, ...shares), Math.max(0.1, ...shares), {
    parts: marginOf(bars).left > MIN_LEFT ? 1 : 3,
  });
}

export function overheadTable(bars: readonly OverheadBar[]): ChartTable {
  const say = (share: number | null): string | null => (share === null ? null : formatChange(share));
  return {
    caption: 'Time overhead against regular training',
    columns: ['Strategy', 'Predicted', 'Measured'],
    rows: bars.map((bar) => [bar.title, say(bar.predicted), bar.note]),
  };
}
