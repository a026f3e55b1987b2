import { memo } from 'react';
import { placeLabels } from './place-labels.ts';
import { type PlotArea, pixelX, pixelY } from './plot-area.ts';
import { skylineOf } from './skyline.ts';
import type { Point, StepExtent } from './step-curves.ts';

/** A marked point of a curve. The most important first: labels that find no room are left out. */
export interface Mark {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly color: string;
}

export interface StepNotesProps {
  readonly area: PlotArea;
  readonly extent: StepExtent;
  readonly topBytes: number;
  readonly unit: string;
  readonly marks: readonly Mark[];
  /** What labels should not cover. */
  readonly curves: readonly { readonly points: readonly Point[] }[];
}

/** What is written over the curves: unit, passes, peaks. An SVG of its own, so that it lies on top. */
export const StepNotes = memo(function StepNotes(props: StepNotesProps) {
  const { area, extent, topBytes, unit, marks, curves } = props;
  const split = pixelX(area, extent.split, extent.end);
  const dots = marks.map((mark) => ({
    ...mark,
    x: pixelX(area, mark.x, extent.end),
    y: pixelY(area, mark.y, topBytes),
  }));
  const room = { left: area.left + 2, right: area.right + 12, top: area.top - 6, bottom: area.bottom };
  const skyline = skylineOf(
    curves.map(({ points }) => points),
    { area, end: extent.end, top: topBytes },
  );
  const labels = placeLabels(dots, room, skyline);
  return (
    <svg
      data-layer="notes"
      width={area.width}
      height={area.height}
      aria-hidden="true"
      style={{ position: 'absolute', inset: 0, pointerEvents: 'none', fontSize: 12 }}
    >
      <text x={area.left - 4} y={12} textAnchor="end" fill="var(--zz-muted)">
        {unit}
      </text>
      <line x1={split} x2={split} y1={4} y2={area.bottom} stroke="var(--zz-axis)" />
      <text x={split - 8} y={12} textAnchor="end" fill="var(--zz-muted)">
        forward
      </text>
      <text x={split + 8} y={12} textAnchor="start" fill="var(--zz-muted)">
        backward
      </text>
      {labels
        .filter(({ raised }) => raised)
        .map(({ id, x, y, box }) => (
          <line key={id} x1={x} x2={x} y1={box.bottom} y2={y} stroke="var(--zz-axis)" strokeDasharray="2 2" />
        ))}
      {dots.map((dot) => (
        <circle
          key={dot.id}
          cx={dot.x}
          cy={dot.y}
          r={3.5}
          fill={dot.color}
          stroke="var(--zz-card)"
          strokeWidth={1.5}
        />
      ))}
      {labels.map((label, rank) => (
        <g key={label.id}>
          <rect
            x={label.box.left - 3}
            y={label.box.top}
            width={label.box.right - label.box.left + 6}
            height={label.box.bottom - label.box.top + 1}
            rx={3}
            fill="var(--zz-card)"
            fillOpacity={0.82}
          />
          <text
            x={label.textX}
            y={label.textY}
            textAnchor={label.anchor}
            fill="var(--zz-ink)"
            fontWeight={rank === 0 ? 600 : 400}
          >
            {label.text}
          </text>
        </g>
      ))}
    </svg>
  );
});
