import { memo, useMemo } from 'react';
import { CartesianGrid, ComposedChart, XAxis, YAxis } from 'recharts';
import type { ByteAxis } from './byte-axis.ts';
import { MARGIN, type PlotArea } from './plot-area.ts';
import type { Point, StepExtent, Tick } from './step-curves.ts';
import { type PlotScale, type Span, stepBand, stepLine } from './step-path.ts';

export interface CurveDrawing {
  readonly id: string;
  readonly points: readonly Point[];
  readonly color: string;
  readonly dash?: string | undefined;
  readonly width: number;
}

/** One layer of the area under the curve in front. */
export interface Band {
  readonly id: string;
  readonly fill: string;
  readonly spans: readonly Span[];
}

export interface StepChartProps {
  readonly area: PlotArea;
  readonly extent: StepExtent;
  readonly ticks: readonly Tick[];
  readonly bytes: Pick<ByteAxis, 'ticks' | 'top' | 'format'>;
  readonly bands: readonly Band[];
  readonly curves: readonly CurveDrawing[];
}

const TICK = { fontSize: 12, fill: 'var(--zz-muted)' } as const;

/**
 * Step-after curves of bytes over a training step: the zigzag itself, without anything laid over it.
 * Axes and grid are Recharts'; the curves are plain paths, because a curve of 800 points costs Recharts
 * several milliseconds, and five of them must follow the batch size within a frame.
 */
export function StepChart({ area, extent, ticks, bytes, bands, curves }: StepChartProps) {
  const scale = useMemo(() => ({ area, end: extent.end, top: bytes.top }), [area, extent.end, bytes.top]);
  return (
    <>
      <StepAxes area={area} extent={extent} ticks={ticks} bytes={bytes} />
      <svg data-layer="curves" width={area.width} height={area.height} aria-hidden="true" style={LAYER}>
        {bands.map((band) => (
          <BandPath key={band.id} band={band} scale={scale} />
        ))}
        {curves.map((curve) => (
          <CurvePath key={curve.id} curve={curve} scale={scale} />
        ))}
      </svg>
    </>
  );
}

const LAYER = { position: 'absolute', inset: 0, pointerEvents: 'none' } as const;

const BandPath = memo(function BandPath({ band, scale }: { readonly band: Band; readonly scale: PlotScale }) {
  return <path data-band={band.id} d={stepBand(band.spans, scale)} fill={band.fill} />;
});

interface CurvePathProps {
  readonly curve: CurveDrawing;
  readonly scale: PlotScale;
}

const CurvePath = memo(function CurvePath({ curve, scale }: CurvePathProps) {
  return (
    <path
      data-curve={curve.id}
      d={stepLine(curve.points, scale)}
      fill="none"
      stroke={curve.color}
      strokeWidth={curve.width}
      strokeDasharray={curve.dash}
      strokeLinejoin="round"
    />
  );
});

type StepAxesProps = Pick<StepChartProps, 'area' | 'extent' | 'ticks' | 'bytes'>;

const StepAxes = memo(
  function StepAxes({ area, extent, ticks, bytes }: StepAxesProps) {
    const labels = new Map(ticks.map(({ value, label }) => [value, label]));
    return (
      <ComposedChart
        data={[{ x: 0 }, { x: extent.end }]}
        width={area.width}
        height={area.height}
        margin={{ left: 0, right: MARGIN.right, top: MARGIN.top, bottom: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--zz-hairline)" />
        <XAxis
          dataKey="x"
          type="number"
          niceTicks="none"
          domain={[0, extent.end]}
          ticks={[...labels.keys()]}
          tickFormatter={(value: number) => labels.get(value) ?? ''}
          height={MARGIN.bottom}
          interval={0}
          tick={TICK}
          tickMargin={6}
          tickSize={4}
          stroke="var(--zz-axis)"
          allowDataOverflow
        />
        <YAxis
          type="number"
          niceTicks="none"
          domain={[0, bytes.top]}
          ticks={[...bytes.ticks]}
          tickFormatter={bytes.format}
          width={MARGIN.left}
          interval={0}
          tick={TICK}
          tickMargin={4}
          tickLine={false}
          axisLine={false}
          allowDataOverflow
        />
      </ComposedChart>
    );
  },
  (a, b) =>
    a.area === b.area &&
    a.bytes.top === b.bytes.top &&
    a.bytes.ticks.length === b.bytes.ticks.length &&
    a.extent.end === b.extent.end &&
    a.extent.scale === b.extent.scale,
);
