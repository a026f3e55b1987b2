import { memo } from 'react';
import { level, roomBetween, upright } from './curve-room.ts';
import { PlotLabels } from './PlotLabels.tsx';
import { placeLabels, placeOnLine } from './place-labels.ts';
import { isShown, type PlotArea, pixelX, pixelY, topOf, type Values } from './plot-area.ts';
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

/** Bytes of a device; a line across where it is in view. */
export interface ByteLimit {
  readonly bytes: number;
  readonly text: string;
}

export interface StepNotesProps {
  readonly area: PlotArea;
  readonly extent: StepExtent;
  readonly window?: StepWindow;
  readonly topBytes: Values;
  readonly unit: string;
  readonly axisName?: string | undefined;
  readonly marks: readonly Mark[];
  readonly limit?: ByteLimit | undefined;
  /** Labels must not cover these. */
  readonly curves: readonly { readonly points: readonly Point[] }[];
}

const LETTER = 6.8;
const PASS_WIDTH = 72;
const PASS_GAP = 8;
const TEXT_BOTTOM = 16;

/** Text over the curves, in an SVG of its own so that it lies on top. */
export const StepNotes = memo(function StepNotes(props: StepNotesProps) {
  const { area, extent, topBytes, unit, axisName, marks, limit, curves } = props;
  const { window = wholeOf(extent) } = props;
  const { from, to } = window;
  const axisTitle = `${axisName ?? ''} (${unit})`;
  const titleEnd = axisName === undefined ? area.left : axisTitle.length * LETTER;
  const dots = marks
    .filter(({ x, y }) => x >= from && x <= to && isShown(y, topBytes))
    .map((mark, i) => ({
      ...mark,
      x: pixelX(area, mark.x, to, from),
      y: pixelY(area, mark.y, topBytes),
      isMain: i === 0,
    }));
  const line =
    limit !== undefined && isShown(limit.bytes, topBytes) ? pixelY(area, limit.bytes, topBytes) : null;
  const isSplitInView = extent.split > from && extent.split < to;
  const drawn = [
    ...curves,
    ...(line === null ? [] : [level(limit?.bytes ?? 0, to, from)]),
    ...(isSplitInView ? [upright(extent.split, topOf(topBytes))] : []),
  ];
  const room = roomBetween(drawn, { area, from, end: to, top: topBytes });
  const inner = { left: area.left + 2, right: area.right + 12, top: area.top - 6, bottom: area.bottom };
  const labels = placeLabels(dots.filter(isFirstThere), inner, room);
  const lineLabel = line === null ? null : placeOnLine(limit?.text ?? '', line, area, room, labels);
  const edgeNote =
    limit === undefined || lineLabel !== null || (line === null && limit.bytes < topOf(topBytes))
      ? null
      : edgeText(limit, line !== null, area.right + 16 - titleEnd);
  return (
    <svg
      data-layer="notes"
      width={area.width}
      height={area.height}
      aria-hidden="true"
      style={{ position: 'absolute', inset: 0, pointerEvents: 'none', fontSize: 12 }}
    >
      {axisName === undefined ? (
        <text data-unit="" x={area.left - 4} y={12} textAnchor="end" fill="var(--zz-muted)">
          {unit}
        </text>
      ) : (
        <text data-unit="" x={0} y={12} fill="var(--zz-muted)">
          {axisTitle}
        </text>
      )}
      <Passes
        left={Math.max(area.left, titleEnd)}
        area={area}
        extent={extent}
        window={window}
        right={edgeNote === null ? area.right : area.right + 16 - edgeNote.length * LETTER}
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
      {lineLabel !== null && <PlotLabels labels={[lineLabel]} />}
      {edgeNote !== null && (
        <text x={area.right + 16} y={12} textAnchor="end" fill="var(--zz-muted)">
          {edgeNote}
        </text>
      )}
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
      <PlotLabels labels={labels} />
    </svg>
  );
});

/** Two strategies of the same curve have one label at their peak. */
const isFirstThere = ({ x, y }: Point, at: number, all: readonly Point[]): boolean =>
  all.findIndex((other) => Math.abs(other.x - x) < 1 && Math.abs(other.y - y) < 1) === at;

interface PassesProps extends Pick<StepNotesProps, 'area' | 'extent'> {
  readonly window: StepWindow;
  /** Ends of the room for names. */
  readonly left: number;
  readonly right: number;
}

/** A hairline between the passes, or the name of the one in view. */
function Passes({ area, extent, window, left, right }: PassesProps) {
  const split = pixelX(area, extent.split, window.to, window.from);
  const isInView = split >= area.left && split <= area.right;
  const hasForward = split - PASS_WIDTH >= left && (isInView ? split - 8 <= right : true);
  const hasBackward = split + PASS_WIDTH <= right;
  return (
    <>
      {isInView && (
        <line
          x1={split}
          x2={split}
          y1={split <= right ? 4 : TEXT_BOTTOM}
          y2={area.bottom}
          stroke="var(--zz-axis)"
        />
      )}
      {hasForward && (
        <text
          x={isInView ? split - 8 : left + 8}
          y={12}
          textAnchor={isInView ? 'end' : 'start'}
          fill="var(--zz-muted)"
        >
          forward
        </text>
      )}
      {hasBackward && (
        <text x={Math.max(split, left) + 8} y={12} textAnchor="start" fill="var(--zz-muted)">
          backward
        </text>
      )}
    </>
  );
}

/** The longest text that leaves the axis its title; null where none does. */
function edgeText({ text }: ByteLimit, isInView: boolean, room: number): string | null {
  const texts = isInView ? [`${text}, the dotted line`, text] : [`${text}, above`];
  return texts.find((one) => one.length * LETTER + PASS_GAP <= room) ?? null;
}
