import { Tooltip } from 'recharts';

export interface PlotTooltipProps {
  readonly format: (value: number) => string;
  readonly title: (place: string | number) => string;
}

const BOX = {
  padding: '4px 8px',
  fontSize: 12,
  color: 'var(--zz-ink)',
  background: 'var(--zz-card)',
  border: '1px solid var(--zz-border)',
  borderRadius: 6,
} as const;

/** The values under the pointer; the table behind the chart has them for the keyboard. */
export const PlotTooltip = ({ format, title }: PlotTooltipProps) => (
  <Tooltip
    isAnimationActive={false}
    cursor={{ fill: 'var(--zz-raised)', stroke: 'var(--zz-axis)' }}
    contentStyle={BOX}
    itemStyle={{ padding: 0, color: 'inherit' }}
    labelFormatter={(place: unknown) => title(place as string | number)}
    formatter={(value: unknown) => (typeof value === 'number' ? format(value) : '–')}
  />
);
