import { useContext, useMemo } from 'react';
import { type DotItemDotProps, Line } from 'recharts';
import type { Point } from '../charts/step-curves.ts';
import { PlotFloor } from './plot-floor.ts';

export interface PlotCurve {
  readonly id: string;
  readonly title: string;
  readonly color: string;
  readonly dash?: string | undefined;
  readonly width?: number;
  readonly opacity?: number;
  readonly points: readonly Point[];
  /** Holds each value until the next point, instead of a slope. */
  readonly isStair?: boolean | undefined;
  /** Marks at the points and no line. */
  readonly marks?: 'disc' | 'square' | undefined;
}

export function PlotLine({ curve }: { readonly curve: PlotCurve }) {
  const { id, title, color, dash, width = 2, opacity = 1, points, isStair = false, marks } = curve;
  const floor = useContext(PlotFloor);
  const data = useMemo(
    () => points.map((point) => (floor === null || point.y >= floor ? point : { ...point, y: floor })),
    [points, floor],
  );
  const mark = ({ key, cx = 0, cy = 0 }: DotItemDotProps) =>
    marks === 'square' ? (
      <rect key={key} x={cx - 3.5} y={cy - 3.5} width={7} height={7} fill={color} />
    ) : (
      <circle key={key} cx={cx} cy={cy} r={3.5} fill={color} />
    );
  return (
    <Line
      data-curve={id}
      data={data}
      dataKey="y"
      name={title}
      type={isStair ? 'stepAfter' : 'linear'}
      stroke={marks === undefined ? color : 'none'}
      strokeWidth={width}
      strokeOpacity={opacity}
      {...(dash === undefined ? {} : { strokeDasharray: dash })}
      dot={marks !== undefined || points.length < 2 ? mark : false}
      activeDot={false}
      isAnimationActive={false}
    />
  );
}
