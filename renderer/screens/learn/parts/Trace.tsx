import { useId } from 'react';
import { linearAxis } from '../../../shared/charts/axis.ts';
import { placeBetween, upright } from '../../../shared/charts/curve-room.ts';
import { PlotLabels } from '../../../shared/charts/PlotLabels.tsx';
import { type PlotArea, pixelX, pixelY, plotArea } from '../../../shared/charts/plot-area.ts';
import { colorOf, type StrategyIdentity } from '../../../state/strategies/identity.ts';
import type { Play } from '../model/play.ts';
import { traceBands, tracePath, tracePoints } from './trace.ts';

export const TRACE_HEIGHT = 176;
const MARGIN = { left: 96, right: 24, top: 20, bottom: 28 } as const;

export const traceArea = (width: number): PlotArea => plotArea(width, TRACE_HEIGHT, MARGIN);

export interface Played {
  readonly play: Play;
  readonly identity: StrategyIdentity;
}

export interface TraceProps extends Played {
  readonly beside: Played | undefined;
  readonly width: number;
  readonly at: number;
}

export function Trace({ width, play, identity, beside, at }: TraceProps) {
  const clip = useId();
  const area = traceArea(width);
  const end = Math.max(play.frames.length, beside?.play.frames.length ?? 0);
  const axis = linearAxis(0, Math.max(play.timeline.peakBytes, beside?.play.timeline.peakBytes ?? 0), {
    parts: 4,
    least: 1,
  });
  const scale = { area, end, top: axis.top };
  const peak = play.timeline.peakBytes;
  const drawn = [play, ...(beside === undefined ? [] : [beside.play])].map((one) => ({
    points: tracePoints(one),
  }));
  const peakAt = { x: pixelX(area, play.peakFrame + 0.5, end), y: pixelY(area, peak, axis.top) };
  const labels = placeBetween(
    [{ id: 'peak', ...peakAt, text: `peak ${peak}`, isMain: true }],
    [...drawn, upright(at + 0.5, axis.top), upright(play.backwardFrame, axis.top)],
    scale,
  );
  const split = pixelX(area, play.backwardFrame, end);
  const line = { d: tracePath(play, scale), fill: 'none', stroke: colorOf(identity) };
  return (
    <g>
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={area.left}
            x2={area.right}
            y1={pixelY(area, tick, axis.top)}
            y2={pixelY(area, tick, axis.top)}
            stroke="var(--zz-hairline)"
          />
          <text
            x={area.left - 8}
            y={pixelY(area, tick, axis.top) + 4}
            textAnchor="end"
            fill="var(--zz-muted)"
          >
            {tick}
          </text>
        </g>
      ))}
      <text x={8} y={area.top - 4} fill="var(--zz-muted)">
        pebbles
      </text>
      {traceBands(play, at, scale).map(({ of, fill, d }) => (
        <path key={of} d={d} fill={fill} />
      ))}
      {beside !== undefined && (
        <path
          d={tracePath(beside.play, scale)}
          fill="none"
          stroke={colorOf(beside.identity)}
          strokeDasharray={beside.identity.dash}
        />
      )}
      <path {...line} strokeOpacity={0.45} />
      <clipPath id={clip}>
        <rect x={0} y={0} width={pixelX(area, at + 1, end)} height={TRACE_HEIGHT} />
      </clipPath>
      <path {...line} strokeWidth={2} clipPath={`url(#${clip})`} />
      <line x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} stroke="var(--zz-axis)" />
      <line
        x1={split}
        x2={split}
        y1={area.top}
        y2={area.bottom}
        stroke="var(--zz-axis)"
        strokeDasharray="2 3"
      />
      <text x={(area.left + split) / 2} y={area.bottom + 18} textAnchor="middle" fill="var(--zz-muted)">
        forward
      </text>
      <text x={(split + area.right) / 2} y={area.bottom + 18} textAnchor="middle" fill="var(--zz-muted)">
        backward
      </text>
      <g stroke="var(--zz-card)" strokeWidth={3} paintOrder="stroke">
        <PlotLabels labels={labels} />
      </g>
      <line
        x1={pixelX(area, at + 0.5, end)}
        x2={pixelX(area, at + 0.5, end)}
        y1={area.top}
        y2={area.bottom}
        stroke="var(--zz-ink)"
      />
      <circle
        cx={pixelX(area, at + 0.5, end)}
        cy={pixelY(area, play.frames[at]!.live, axis.top)}
        r={4}
        fill="var(--zz-ink)"
        stroke="var(--zz-card)"
      />
    </g>
  );
}
