import type { ReactNode } from 'react';
import { CartesianGrid, ComposedChart, XAxis, YAxis } from 'recharts';
import type { Axis } from '../charts/axis.ts';
import type { PlotArea } from '../charts/plot-area.ts';
import { PlotFloor } from './plot-floor.ts';

export interface NameAxis {
  readonly key: string;
  readonly format?: (name: string) => string;
  readonly isBlank?: boolean;
}

export interface PlotProps {
  readonly area: PlotArea;
  readonly x: Axis | NameAxis;
  readonly y: Axis | NameAxis;
  readonly xTitle?: string | undefined;
  readonly yTitle?: string | undefined;
  readonly data?: readonly object[];
  /** Grid lines stand on the ticks of this axis; none where labels would lie on them. */
  readonly grid?: 'x' | 'y' | 'none';
  /** Cuts off what lies outside the axes; else the axes must hold everything. */
  readonly isClipped?: boolean;
  readonly children: ReactNode;
}

const TEXT = { fontSize: 12, fill: 'var(--zz-muted)' } as const;

const isNames = (axis: Axis | NameAxis): axis is NameAxis => 'key' in axis;

function propsOf(axis: Axis | NameAxis, isClipped: boolean) {
  const common = { interval: 0, tickLine: false } as const;
  if (isNames(axis)) {
    const { key, format, isBlank = false } = axis;
    return {
      ...common,
      type: 'category',
      dataKey: key,
      tick: isBlank ? false : { ...TEXT, fill: 'var(--zz-ink)' },
      ...(format === undefined ? {} : { tickFormatter: format }),
    } as const;
  }
  const { low, top, ticks, format, range } = axis;
  return {
    ...common,
    type: 'number',
    domain: [low, top],
    niceTicks: 'none',
    ticks: [...ticks],
    tickFormatter: format,
    tick: TEXT,
    allowDataOverflow: isClipped || range !== undefined,
    ...(range?.isLog === true ? { scale: 'log' as const } : {}),
  } as const;
}

/** Leaves out every second or third number where they would touch. */
const THINNED = { interval: 'equidistantPreserveStart', minTickGap: 4 } as const;

export function Plot(props: PlotProps) {
  const { area, x, y, xTitle, yTitle, data, grid = 'y', isClipped = false, children } = props;
  return (
    <ComposedChart
      width={area.width}
      height={area.height}
      layout={isNames(y) ? 'vertical' : 'horizontal'}
      margin={{ left: 0, right: area.width - area.right, top: area.top, bottom: 0 }}
      barGap={2}
      barCategoryGap="20%"
      accessibilityLayer={false}
      {...(data === undefined ? {} : { data: [...data] })}
    >
      <CartesianGrid vertical={grid === 'x'} horizontal={grid === 'y'} stroke="var(--zz-hairline)" />
      <XAxis
        {...(isNames(y) ? {} : { dataKey: 'x' })}
        {...propsOf(x, isClipped)}
        {...(isNames(x) ? {} : THINNED)}
        height={area.height - area.bottom}
        stroke="var(--zz-axis)"
      />
      <YAxis {...propsOf(y, isClipped)} width={area.left} axisLine={false} />
      <PlotFloor value={isNames(y) || y.range?.isLog !== true ? null : y.low}>{children}</PlotFloor>
      {yTitle !== undefined && (
        <text data-unit="" x={8} y={area.top - 10} {...TEXT}>
          {yTitle}
        </text>
      )}
      {xTitle !== undefined && (
        <text data-unit="x" x={area.right} y={area.height - 8} textAnchor="end" {...TEXT}>
          {xTitle} →
        </text>
      )}
    </ComposedChart>
  );
}
