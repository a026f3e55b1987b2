import { useMemo } from 'react';
import { STEP_KINDS } from '../../engine/schedule/schedule.ts';
import type { StrategyRow } from '../compare/rows.ts';
import { drawnRows, zigzag, zigzagData, zigzagTable } from '../compare/zigzag.ts';
import { ChartCard } from '../shared/charts/ChartCard.tsx';
import { plotArea } from '../shared/charts/plot-area.ts';
import { StepChart } from '../shared/charts/StepChart.tsx';
import { StepNotes } from '../shared/charts/StepNotes.tsx';
import { formatBytes } from '../shared/format/bytes.ts';
import { colorOf } from '../shared/strategies/identity.ts';
import { useSize } from '../shared/use-size.ts';
import classes from './graph.module.css';

export interface RaceChartProps {
  readonly rows: readonly StrategyRow[];
  readonly ids: readonly string[];
  readonly isBusy: boolean;
}

const TITLE = 'Your zigzag in the race';

/** The user's zigzag over those of the optimum and live, small. */
export function RaceChart({ rows, ids, isBusy }: RaceChartProps) {
  const [ref, size] = useSize<HTMLDivElement>();
  const drawn = drawnRows(rows);
  const front = drawn.find(({ identity }) => identity.name === 'manual')?.identity.name ?? null;
  const drawing = useMemo(() => zigzag(rows, front, ids, 'pass'), [rows, front, ids]);
  const area = useMemo(() => plotArea(size.width, size.height), [size]);
  const table = useMemo(() => zigzagTable(rows, TITLE), [rows]);
  const peaks = drawn.map((row) => `${row.identity.title} peaks at ${formatBytes(row.peakBytes ?? 0)}`);
  return (
    <ChartCard
      className={classes['race']}
      title={TITLE}
      summary={`Live memory over one training step. ${peaks.join(', ')}.`}
      fileName="own-checkpoints"
      height={184}
      data={() => zigzagData(rows, ids, STEP_KINDS)}
      table={table}
      legend={drawn.map(({ identity }) => ({
        title: identity.title,
        color: colorOf(identity),
        dash: identity.dash,
      }))}
      empty={drawn.length === 0 ? (isBusy ? 'Solving…' : 'There is nothing to draw.') : undefined}
    >
      <div ref={ref} className={classes['fill']} data-testid="race">
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
