import { memo } from 'react';
import { Bar, BarChart, Cell, ErrorBar, LabelList, ReferenceLine, XAxis, YAxis } from 'recharts';
import { formatChange } from '../format/numbers.ts';
import { PlotTooltip } from './PlotTooltip.tsx';

/** A share of 1 with its name: predicted, measured, or both. */
export interface ShareBar {
  readonly title: string;
  readonly color: string;
  readonly predicted: number | null;
  readonly measured: number | null;
  /** Stands at the end of a single bar. */
  readonly label: string;
  /** Distances from the measured share to the ends of its middle half. */
  readonly spread?: readonly [number, number] | null;
}

export interface ShareBarsProps {
  readonly bars: readonly ShareBar[];
  readonly width: number;
  readonly height: number;
}

const MARGIN = { left: 0, right: 56, top: 0, bottom: 0 };
const GAP = 6;
const LABEL = { position: 'right', fontSize: 12, fill: 'var(--zz-ink)' } as const;

/** Whiskers are inside, below 0 too: a bar beyond the domain would not be drawn. No small share looks large. */
function domainOf(bars: readonly ShareBar[]): [number, number] {
  const shares = bars.flatMap(({ predicted, measured, spread }) => {
    const [below, above] = spread ?? [0, 0];
    return [predicted ?? 0, (measured ?? 0) - below, (measured ?? 0) + above];
  });
  return [Math.min(0, ...shares), Math.max(0.1, ...shares)];
}

/** The right end of a measured bar with its whisker, in pixels from 0: its label must not touch it. */
function endOf(bars: readonly ShareBar[], text: unknown, long: number): number {
  const bar = bars.find(({ measured, label }) => measured !== null && label === text);
  const whisker = bar?.spread && bar.measured ? (long * bar.spread[1]) / bar.measured : 0;
  return Math.max(0, long + whisker);
}

export const ShareBars = memo(function ShareBars({ bars, width, height }: ShareBarsProps) {
  const isPaired = bars.some(({ predicted, measured }) => predicted !== null && measured !== null);
  const common = { barSize: isPaired ? 10 : 16, isAnimationActive: false } as const;
  const stack = isPaired ? {} : { stackId: 'one' };
  const smallest = (_value: unknown, index: number) => (bars[index]?.predicted == null ? 0 : 1);
  const labelOf = (name: 'predicted' | 'measured') => (bar: ShareBar) =>
    bar[name] === null ? undefined : bar.label;
  return (
    <BarChart
      layout="vertical"
      data={[...bars]}
      width={width}
      height={height}
      margin={MARGIN}
      barGap={2}
      accessibilityLayer={false}
    >
      <XAxis type="number" domain={domainOf(bars)} allowDataOverflow hide />
      <YAxis
        type="category"
        dataKey="title"
        width="auto"
        interval={0}
        axisLine={false}
        tickLine={false}
        tick={{ fontSize: 12, fill: 'var(--zz-ink)' }}
      />
      <PlotTooltip format={formatChange} title={String} />
      <Bar dataKey="predicted" name="Predicted" minPointSize={smallest} {...common} {...stack}>
        {bars.map(({ title, color }) => (
          <Cell key={title} fill={color} fillOpacity={0.3} stroke={color} />
        ))}
        {!isPaired && <LabelList dataKey={labelOf('predicted')} {...LABEL} />}
      </Bar>
      <Bar dataKey="measured" name="Measured" {...common} {...stack}>
        {bars.map(({ title, color }) => (
          <Cell key={title} fill={color} />
        ))}
        {!isPaired && (
          <LabelList
            dataKey={labelOf('measured')}
            content={({ x, y, width: long, height: tall, value }) => (
              <text
                x={Number(x) + endOf(bars, value, Number(long)) + GAP}
                y={Number(y) + Number(tall) / 2}
                dy="0.35em"
                fontSize={12}
                fontWeight={600}
                fill="var(--zz-ink)"
              >
                {value}
              </text>
            )}
          />
        )}
        <ErrorBar dataKey="spread" direction="x" width={6} strokeWidth={1.5} stroke="var(--zz-ink)" />
      </Bar>
      <ReferenceLine x={0} stroke="var(--zz-axis)" />
    </BarChart>
  );
});
