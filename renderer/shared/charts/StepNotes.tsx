import { memo } from 'react';
import { roomBetween } from './curve-room.ts';
import { leaderOf, type LabelWish, type PlacedLabel, placeLabels } from './place-labels.ts';
import { type PlotArea, pixelX, pixelY } from './plot-area.ts';
import type { Point } from './step-curves.ts';
import { type StepExtent, type StepWindow, wholeOf } from './step-window.ts';

/** A marked point of a curve. The most important first: labels that find no room are left out. */
export interface Mark {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly color: string;
}

/** What a device has for the curves; a line across where it is in view. */
export interface ByteLimit {
  readonly bytes: number;
  readonly text: string;
}

export interface StepNotesProps {
  readonly area: PlotArea;
  readonly extent: StepExtent;
  /** The part in view; all of it where nothing is said. */
  readonly window?: StepWindow;
  readonly topBytes: number;
  readonly unit: string;
  readonly marks: readonly Mark[];
  readonly limit?: ByteLimit | undefined;
  /** What labels must not cover. */
  readonly curves: readonly { readonly points: readonly Point[] }[];
}

const LETTER = 6.8;
const PASS_WIDTH = 72;

/** What is written over the curves: unit, passes, peaks, the device. An SVG of its own, so that it lies on top. */
export const StepNotes = memo(function StepNotes(props: StepNotesProps) {
  const { area, extent, topBytes, unit, marks, limit, curves } = props;
  const { window = wholeOf(extent) } = props;
  const { from, to } = window;
  const dots = marks
    .filter(({ x }) => x >= from && x <= to)
    .map((mark) => ({ ...mark, x: pixelX(area, mark.x, to, from), y: pixelY(area, mark.y, topBytes) }));
  const line = limit !== undefined && limit.bytes <= topBytes ? pixelY(area, limit.bytes, topBytes) : null;
  const lineAcross: Point[] = [
    { x: from, y: limit?.bytes ?? 0 },
    { x: to, y: limit?.bytes ?? 0 },
  ];
  const betweenPasses: Point[] = [
    { x: extent.split, y: 0 },
    { x: extent.split, y: topBytes },
  ];
  const isSplitInView = extent.split > from && extent.split < to;
  const drawn = [
    ...curves.map(({ points }) => points),
    ...(line === null ? [] : [lineAcross]),
    ...(isSplitInView ? [betweenPasses] : []),
  ];
  const room = roomBetween(drawn, {
    area,
    from,
    end: to,
    top: topBytes,
  });
  const inner = { left: area.left + 2, right: area.right + 12, top: area.top - 6, bottom: area.bottom };
  const labels = placeLabels(dots, inner, room);
  const lineLabel = line === null ? null : placeOnLine(limit?.text ?? '', line, area, room, labels);
  const edgeNote = limit === undefined || lineLabel !== null ? null : edgeText(limit, line !== null);
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
      <Passes
        area={area}
        extent={extent}
        window={window}
        right={area.right - (edgeNote?.length ?? 0) * LETTER}
      />
      {line !== null && (
        <line
          data-limit=""
          x1={area.left}
          x2={area.right}
          y1={line}
          y2={line}
          stroke="var(--zz-ink)"
          strokeDasharray="2 3"
        />
      )}
      {lineLabel !== null && (
        <text x={lineLabel.textX} y={lineLabel.textY} textAnchor="middle" fill="var(--zz-ink)">
          {lineLabel.text}
        </text>
      )}
      {edgeNote !== null && (
        <text x={area.right + 16} y={12} textAnchor="end" fill="var(--zz-muted)">
          {edgeNote}
        </text>
      )}
      {labels.map((label) => {
        const leader = leaderOf(label);
        return (
          leader !== null && (
            <line
              key={label.id}
              x1={leader.left}
              x2={leader.right}
              y1={leader.top}
              y2={leader.bottom}
              stroke="var(--zz-axis)"
              strokeDasharray="2 2"
            />
          )
        );
      })}
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
      {labels.map((label) => (
        <text
          key={label.id}
          data-label={label.id}
          x={label.textX}
          y={label.textY}
          textAnchor={label.anchor}
          fill="var(--zz-ink)"
          fontWeight={label.id === marks[0]?.id ? 600 : 400}
        >
          {label.text}
        </text>
      ))}
    </svg>
  );
});

interface PassesProps extends Pick<StepNotesProps, 'area' | 'extent'> {
  readonly window: StepWindow;
  /** Where other text begins. */
  readonly right: number;
}

/** Which pass is where: a hairline between the two, or the name of the one in view. */
function Passes({ area, extent, window, right }: PassesProps) {
  const split = pixelX(area, extent.split, window.to, window.from);
  const hasForward = split - PASS_WIDTH >= area.left;
  const hasBackward = split + PASS_WIDTH <= right;
  const isInView = split >= area.left && split <= area.right;
  return (
    <>
      {isInView && <line x1={split} x2={split} y1={4} y2={area.bottom} stroke="var(--zz-axis)" />}
      {hasForward && (
        <text
          x={isInView ? split - 8 : area.left + 8}
          y={12}
          textAnchor={isInView ? 'end' : 'start'}
          fill="var(--zz-muted)"
        >
          forward
        </text>
      )}
      {hasBackward && (
        <text x={Math.max(split, area.left) + 8} y={12} textAnchor="start" fill="var(--zz-muted)">
          backward
        </text>
      )}
    </>
  );
}

const edgeText = ({ text }: ByteLimit, isInView: boolean): string =>
  isInView ? `${text}, the dotted line` : `${text}, above`;

/** Room for the device's name over its line, from the right; under it where curves are above. */
function placeOnLine(
  text: string,
  line: number,
  area: PlotArea,
  room: (box: LabelBox) => boolean,
  labels: readonly PlacedLabel[],
): (LabelWish & { textX: number; textY: number }) | null {
  const half = (text.length * LETTER) / 2;
  for (let x = area.right - half; x >= area.left + half; x -= 16) {
    for (const textY of [line - 6, line + 16]) {
      const box = { left: x - half, right: x + half, top: textY - 11, bottom: textY + 1 };
      const isFree = labels.every(
        ({ box: other }) =>
          other.left > box.right ||
          other.right < box.left ||
          other.top > box.bottom ||
          other.bottom < box.top,
      );
      if (box.top >= area.top - 8 && isFree && room(box))
        return { id: 'limit', x, y: line, text, textX: x, textY };
    }
  }
  return null;
}

type LabelBox = PlacedLabel['box'];
