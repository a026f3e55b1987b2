import { memo, useMemo } from 'react';
import { Bar, BarChart, Cell, LabelList, ReferenceLine, XAxis, YAxis } from 'recharts';
import { ChartCard } from '../shared/charts/ChartCard.tsx';
import { formatPercent } from '../shared/format/numbers.ts';
import { useSize } from '../shared/use-size.ts';
import { useLabView } from '../use-workspace.ts';
import classes from './compare.module.css';
import { type OverheadBar, overheadBars, overheadDomain, overheadTable } from './overhead-bars.ts';
import type { CompareView } from './use-rows.ts';

const TITLE = 'Time overhead';
const ROW = 36;
const AXIS = 28;

/** How much longer a training step takes than a regular one. */
export function OverheadChart({ view }: { readonly view: CompareView }) {
  const { experiment } = useLabView();
  const [ref, { width }] = useSize<HTMLDivElement>();
  const latest = overheadBars(view.rows);
  // Overheads do not depend on the batch size: the chart is drawn anew only when one of them changes.
  const content = JSON.stringify(latest);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal content, equal bars
  const bars = useMemo(() => latest, [content]);
  const table = useMemo(() => overheadTable(bars), [bars]);
  const isMeasured = bars.some((bar) => bar.measured !== null);
  const height = experiment.strategies.length * ROW + AXIS;
  return (
    <ChartCard
      title={TITLE}
      summary={`Time overhead against regular training. ${bars.map((bar) => `${bar.title}: ${bar.label}`).join('; ')}.`}
      pictureTitle={`Time overhead, ${experiment.model}`}
      fileName={`overhead-${experiment.model}`}
      height={height}
      data={() => table}
      table={table}
      empty={bars.length === 0 ? ' ' : undefined}
      tools={<span className={classes['caption']}>{isMeasured ? 'predicted, measured' : 'predicted'}</span>}
    >
      <div ref={ref} className={classes['fill']} data-testid="overhead">
        {width > 0 && <Bars bars={bars} width={width} isMeasured={isMeasured} />}
      </div>
    </ChartCard>
  );
}

interface BarsProps {
  readonly bars: readonly OverheadBar[];
  readonly width: number;
  readonly isMeasured: boolean;
}

const Bars = memo(function Bars({ bars, width, isMeasured }: BarsProps) {
  const [low, high] = overheadDomain(bars);
  return (
    <BarChart
      width={width}
      height={bars.length * ROW + AXIS}
      data={[...bars]}
      layout="vertical"
      margin={{ left: 0, right: 56, top: 0, bottom: 0 }}
      barGap={2}
      accessibilityLayer={false}
    >
      <XAxis
        type="number"
        domain={[low, high]}
        height={AXIS}
        tickFormatter={(percent: number) => formatPercent(percent / 100)}
        tick={{ fontSize: 12, fill: 'var(--zz-muted)' }}
        tickCount={3}
        stroke="var(--zz-axis)"
      />
      <YAxis
        type="category"
        dataKey="title"
        width={96}
        interval={0}
        tick={{ fontSize: 12, fill: 'var(--zz-ink)' }}
        tickLine={false}
        axisLine={false}
      />
      <Bar dataKey="predicted" minPointSize={1} barSize={isMeasured ? 10 : 16} isAnimationActive={false}>
        {bars.map((bar) => (
          <Cell key={bar.name} fill={bar.color} fillOpacity={0.3} stroke={bar.color} />
        ))}
        {!isMeasured && <LabelList dataKey="label" position="right" fontSize={12} fill="var(--zz-ink)" />}
      </Bar>
      {isMeasured && (
        <Bar dataKey="measured" barSize={10} isAnimationActive={false}>
          {bars.map((bar) => (
            <Cell key={bar.name} fill={bar.color} />
          ))}
        </Bar>
      )}
      <ReferenceLine x={0} stroke="var(--zz-axis)" />
    </BarChart>
  );
});
