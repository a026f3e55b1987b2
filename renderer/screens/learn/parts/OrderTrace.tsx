import type { Pebbling } from '../../../../engine/pebbling/pebbles.ts';
import { linearAxis } from '../../../shared/charts/axis.ts';
import { pixelX, pixelY } from '../../../shared/charts/plot-area.ts';
import { stepLine } from '../../../shared/charts/step-path.ts';
import { traceArea } from './Trace.tsx';

interface OrderTraceProps {
  readonly width: number;
  readonly play: Pebbling;
  readonly beside: Pebbling;
  readonly at: number;
}

const steps = ({ live }: Pebbling): { x: number; y: number }[] => [
  ...Array.from(live, (y, x) => ({ x, y })),
  { x: live.length, y: live.at(-1) ?? 0 },
];

export function OrderTrace({ width, play, beside, at }: OrderTraceProps) {
  const area = traceArea(width);
  const end = play.live.length;
  const axis = linearAxis(0, Math.max(play.peakBytes, beside.peakBytes), { parts: 4, least: 1 });
  const scale = { area, end, top: axis.top };
  const y = (value: number): number => pixelY(area, value, axis.top);
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
      {Array.from(play.live.subarray(0, at + 1), (value, i) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a move is its index
          key={i}
          x={pixelX(area, i, end)}
          width={pixelX(area, i + 1, end) - pixelX(area, i, end)}
          y={y(value)}
          height={y(0) - y(value)}
          fill="var(--zz-hold-checkpoints)"
        />
      ))}
      <path
        d={stepLine(steps(beside), scale)}
        fill="none"
        stroke="var(--zz-muted)"
        strokeDasharray="2 3"
        strokeWidth={1.5}
      />
      <path d={stepLine(steps(play), scale)} fill="none" stroke="var(--zz-ink)" strokeWidth={1.5} />
      <line x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} stroke="var(--zz-axis)" />
      <text
        x={pixelX(area, play.peakMove + 0.5, end)}
        y={y(play.peakBytes) - 6}
        textAnchor="middle"
        fill="var(--zz-ink)"
        stroke="var(--zz-card)"
        strokeWidth={3}
        paintOrder="stroke"
        fontWeight={600}
      >
        peak {play.peakBytes}
      </text>
      <text x={area.right} y={area.bottom + 18} textAnchor="end" fill="var(--zz-muted)">
        moves
      </text>
    </g>
  );
}
