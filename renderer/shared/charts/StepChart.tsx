import { memo, useId, useMemo } from 'react';
import type { ByteAxis } from './axis.ts';
import { pixelX, pixelY, type PlotArea, type ValueRange, type Values } from './plot-area.ts';
import type { ByteLimit, Mark } from './StepNotes.tsx';
import { eventArrows, type StepEvent } from './event-arrows.ts';
import type { Point } from './step-curves.ts';
import { type PlotScale, type Span, stepBand, stepLine } from './step-path.ts';
import { stepTicks, type Tick } from './step-ticks.ts';
import { type StepExtent, type StepWindow, wholeOf } from './step-window.ts';

export interface CurveDrawing {
  readonly id: string;
  readonly points: readonly Point[];
  readonly color: string;
  readonly dash?: string | undefined;
  readonly width: number;
}

export interface Band {
  readonly id: string;
  readonly fill: string;
  readonly spans: readonly Span[];
}

export interface StepDrawing {
  readonly bytes: ByteAxis;
  readonly bands: readonly Band[];
  readonly curves: readonly CurveDrawing[];
  readonly marks: readonly Mark[];
  readonly events?: readonly StepEvent[] | undefined;
  readonly limit?: ByteLimit | undefined;
}

export interface StepChartProps extends Pick<StepDrawing, 'bands' | 'curves' | 'events'> {
  readonly area: PlotArea;
  readonly extent: StepExtent;
  /** The part in view; all of it where nothing is said. */
  readonly window?: StepWindow;
  readonly ticks?: readonly Tick[];
  readonly bytes: DrawnAxis;
}

export function StepChart({ area, extent, window, ticks, bytes, ...drawing }: StepChartProps) {
  const shown = useMemo(() => window ?? wholeOf(extent), [window, extent]);
  const marked = useMemo(() => ticks ?? stepTicks(extent, shown), [ticks, extent, shown]);
  return (
    <>
      <StepAxes area={area} window={shown} ticks={marked} bytes={bytes} />
      <StepCurves area={area} window={shown} top={bytes.range ?? bytes.top} {...drawing} />
    </>
  );
}

export interface StepCurvesProps extends Pick<StepDrawing, 'bands' | 'curves' | 'events'> {
  readonly area: PlotArea;
  readonly window: StepWindow;
  readonly top: Values;
}

export function StepCurves({ area, window, top, bands, curves, events = NO_EVENTS }: StepCurvesProps) {
  const clip = useId();
  const isPart = typeof top !== 'number';
  const scale = useMemo(() => ({ area, from: window.from, end: window.to, top }), [area, window, top]);
  return (
    <svg data-layer="curves" width={area.width} height={area.height} aria-hidden="true" style={LAYER}>
      {isPart && (
        <clipPath id={clip}>
          <rect
            x={area.left - EDGE}
            y={area.top - EDGE}
            width={area.right - area.left + 2 * EDGE}
            height={area.bottom - area.top + 2 * EDGE}
          />
        </clipPath>
      )}
      <g clipPath={isPart ? `url(#${clip})` : undefined}>
        {bands.map((band) => (
          <BandPath key={band.id} band={band} scale={scale} />
        ))}
        {curves.map((curve) => (
          <CurvePath key={curve.id} curve={curve} scale={scale} />
        ))}
        {events.length > 0 && <path data-events="" d={eventArrows(events, scale)} fill="var(--zz-ink)" />}
      </g>
    </svg>
  );
}

const NO_EVENTS: readonly StepEvent[] = [];

/** Half a line's width beyond the plot: a curve along its edge is seen whole. */
const EDGE = 1.5;

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

/** A vertical axis from zero, or the part of one in `range`. */
interface DrawnAxis extends Pick<ByteAxis, 'ticks' | 'top' | 'format'> {
  readonly range?: ValueRange;
}

interface StepAxesProps {
  readonly area: PlotArea;
  readonly window: StepWindow;
  readonly ticks: readonly Tick[];
  readonly bytes: DrawnAxis;
}

/**
 * Grid, bytes and steps. Plain SVG, because they follow every turn of the wheel: with Recharts for these and the lines
 * across, a turn takes 48 instead of 32 ms of the page's thread, a batch 71 instead of 65 and the first picture 1.66
 * instead of 1.34 s (five curves of 20,000 steps, Chromium 156). With its tooltip, legend, areas and responsive box too,
 * around the same path layer, the frame alone takes 12.6 instead of 3.4 ms a turn.
 */
const StepAxes = memo(function StepAxes({ area, window, ticks, bytes }: StepAxesProps) {
  const round = (value: number): number => Math.round(value * 10) / 10;
  return (
    <svg
      data-layer="axes"
      width={area.width}
      height={area.height}
      aria-hidden="true"
      fontSize={12}
      style={{ position: 'absolute', inset: 0 }}
    >
      {bytes.ticks.map((tick) => {
        const y = round(pixelY(area, tick, bytes.range ?? bytes.top));
        return (
          <g key={tick}>
            <line x1={area.left} x2={area.right} y1={y} y2={y} stroke="var(--zz-hairline)" />
            <text x={area.left - 10} y={y + 4} textAnchor="end" fill="var(--zz-muted)">
              {bytes.format(tick)}
            </text>
          </g>
        );
      })}
      <line x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} stroke="var(--zz-axis)" />
      {ticks.map(({ value, label }) => {
        const x = round(pixelX(area, value, window.to, window.from));
        return (
          <g key={value}>
            <line x1={x} x2={x} y1={area.bottom} y2={area.bottom + 4} stroke="var(--zz-axis)" />
            <text x={x} y={area.bottom + 19} textAnchor="middle" fill="var(--zz-muted)">
              {label}
            </text>
          </g>
        );
      })}
    </svg>
  );
});
