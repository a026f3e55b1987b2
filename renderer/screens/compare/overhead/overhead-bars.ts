import type { ChartTable } from '../../../shared/charts/csv.ts';
import type { ShareBar } from '../../../shared/plot/ShareBars.tsx';
import { formatChange } from '../../../shared/format/numbers.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import type { StrategyRow } from '../../../state/comparison/rows.ts';

export interface OverheadBar extends ShareBar {
  readonly name: string;
  /** The measurement in words; null before one. */
  readonly note: string | null;
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

export function overheadTable(bars: readonly OverheadBar[]): ChartTable {
  const say = (share: number | null): string | null => (share === null ? null : formatChange(share));
  return {
    caption: 'Time overhead against regular training',
    columns: ['Strategy', 'Predicted', 'Measured'],
    rows: bars.map((bar) => [bar.title, say(bar.predicted), bar.note]),
  };
}
