import { useId } from 'react';
import { linearAxis } from '../../../shared/charts/axis.ts';
import { placeBetween, upright } from '../../../shared/charts/curve-room.ts';
import { PlotLabels } from '../../../shared/charts/PlotLabels.tsx';
import { type PlotArea, pixelX, pixelY, plotArea } from '../../../shared/charts/plot-area.ts';
import { stepLine } from '../../../shared/charts/step-path.ts';
import { type TraceBand, traceAreas, type TraceLine, tracePoints } from './trace.ts';

export const TRACE_HEIGHT = 176;
const MARGIN = { left: 96, right: 24, top: 20, bottom: 28 } as const;

export const traceArea = (width: number): PlotArea => plotArea(width, TRACE_HEIGHT, MARGIN);

export interface Traced extends TraceLine {
  readonly bands: readonly TraceBand[];
  readonly peakFrame: number;
  /** Frame with which backward begins, where there is one. */
  readonly split?: number;
  readonly beside?: TraceLine;
}

export const traceEnd = ({ live, beside }: Traced): number => Math.max(live.length, beside?.live.length ?? 0);

export function Trace({ width, at, trace }: { trace: Traced; width: number; at: number }) {
  const clip = useId();
  const { live, color, bands, peakFrame, split, beside } = trace;
  const area = traceArea(width);
  const end = traceEnd(trace);
  const lines = [live, ...(beside === undefined ? [] : [beside.live])];
  const axis = linearAxis(0, Math.max(...lines.flat()), { parts: 4, least: 1 });
  const scale = { area, end, top: axis.top };
  const x = (frame: number): number => pixelX(area, frame, end);
  const y = (pebbles: number): number => pixelY(area, pebbles, axis.top);
  const peak = live[peakFrame]!;
  const labels = placeBetween(
    [{ id: 'peak', x: x(peakFrame + 0.5), y: y(peak), text: `peak ${peak}`, isMain: true }],
    [
      ...lines.map((one) => ({ points: tracePoints(one) })),
      upright(at + 0.5, axis.top),
      ...(split === undefined ? [] : [upright(split, axis.top)]),
    ],
    scale,
  );
  const passes =
    split === undefined
      ? [{ text: 'moves', from: 0, to: end }]
      : [
          { text: 'forward', from: 0, to: split },
          { text: 'backward', from: split, to: end },
        ];
  const line = { d: stepLine(tracePoints(live), scale), fill: 'none', stroke: color };
  const upRight = { y1: area.top, y2: area.bottom };
  return (
    <g>
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <line x1={area.left} x2={area.right} y1={y(tick)} y2={y(tick)} stroke="var(--zz-hairline)" />
          <text x={area.left - 8} y={y(tick) + 4} textAnchor="end" fill="var(--zz-muted)">
            {tick}
          </text>
        </g>
      ))}
      <text x={8} y={area.top - 4} fill="var(--zz-muted)">
        pebbles
      </text>
      {traceAreas(bands, at, scale).map(({ fill, d }) => (
        <path key={fill} d={d} fill={fill} />
      ))}
      {beside !== undefined && (
        <path
          d={stepLine(tracePoints(beside.live), scale)}
          fill="none"
          stroke={beside.color}
          strokeDasharray={beside.dash}
        />
      )}
      <path {...line} strokeOpacity={0.45} />
      <clipPath id={clip}>
        <rect x={0} y={0} width={x(at + 1)} height={TRACE_HEIGHT} />
      </clipPath>
      <path {...line} strokeWidth={2} clipPath={`url(#${clip})`} />
      <line x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} stroke="var(--zz-axis)" />
      {split !== undefined && (
        <line x1={x(split)} x2={x(split)} {...upRight} stroke="var(--zz-axis)" strokeDasharray="2 3" />
      )}
      {passes.map(({ text, from, to }) => (
        <text
          key={text}
          x={(x(from) + x(to)) / 2}
          y={area.bottom + 18}
          textAnchor="middle"
          fill="var(--zz-muted)"
        >
          {text}
        </text>
      ))}
      <g stroke="var(--zz-card)" strokeWidth={3} paintOrder="stroke">
        <PlotLabels labels={labels} />
      </g>
      <line x1={x(at + 0.5)} x2={x(at + 0.5)} {...upRight} stroke="var(--zz-ink)" />
      <circle cx={x(at + 0.5)} cy={y(live[at]!)} r={4} fill="var(--zz-ink)" stroke="var(--zz-card)" />
    </g>
  );
}
