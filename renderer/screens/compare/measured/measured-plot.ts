import { BAR_TITLES, PHASE_TITLES } from '../../../../app/report/explained.ts';
import type { BarName, ExplainedPhase, Explanation } from '../../../../engine/explain/explanation.ts';
import type { Phase } from '../../../../engine/explain/measured.ts';
import { type Axis, type ByteAxis, byteAxis } from '../../../shared/charts/axis.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import type { Point } from '../../../shared/charts/step-curves.ts';
import type { WaterfallRow } from '../../../shared/charts/WaterfallChart.tsx';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatChange } from '../../../shared/format/numbers.ts';
import type { PlotCurve } from '../../../shared/plot/PlotLine.tsx';

/** A part of the x axis: the phases lie one behind the other, each as wide as it is, whatever it holds. */
interface Section {
  readonly phase: Phase;
  readonly start: number;
  readonly width: number;
}

const WIDTHS: Readonly<Record<Phase, number>> = { forward: 1, backward: 1, optimizer: 0.4, unknown: 0 };

export interface MeasuredPlot {
  readonly x: Axis;
  readonly y: ByteAxis;
  readonly borders: readonly number[];
  readonly curves: readonly PlotCurve[];
  readonly peaks: readonly {
    readonly id: string;
    readonly x: number;
    readonly y: number;
    readonly text: string;
    readonly color: string;
  }[];
  /** A level where only the peak is known. */
  readonly level: { readonly y: number; readonly text: string } | null;
}

export const MEASURED_COLOR = 'var(--zz-ink)';
const RESERVED_COLOR = 'var(--zz-muted)';

export function measuredPlot({ phases, peaks }: Explanation, color: string): MeasuredPlot {
  const sections = sectionsOf(phases);
  const end = sections.reduce((most, { start, width }) => Math.max(most, start + width), 0);
  const unknown = phases.find(({ phase }) => phase === 'unknown');
  const predicted = joined(sections, phases, ({ predicted: values }) => values);
  const isWhole = (values: readonly number[]): Point[] => stairs(values, 0, end);
  const allocated =
    unknown === undefined ? joined(sections, phases, (one) => one.allocated) : isWhole(unknown.allocated);
  const reserved =
    unknown === undefined ? joined(sections, phases, (one) => one.reserved) : isWhole(unknown.reserved);
  const top = (points: readonly Point[]): Point | null =>
    points.reduce<Point | null>((best, point) => (best === null || point.y > best.y ? point : best), null);
  const [most, seen] = [top(predicted), top(allocated)];
  const isKnown = allocated.length > 0;
  return {
    x: {
      low: 0,
      top: end,
      // Nothing tells which part of the recording is which phase.
      ticks: unknown === undefined ? sections.map(({ start, width }) => start + width / 2) : [],
      format: (place) => {
        const section = sections.find(({ start, width }) => place >= start && place < start + width);
        return section === undefined ? '' : PHASE_TITLES[section.phase];
      },
    },
    y: byteAxis(
      Math.max(most?.y ?? 0, top(reserved)?.y ?? 0, peaks.measured.bytes, peaks.predicted.bytes) * 1.06,
    ),
    borders: unknown === undefined ? sections.slice(1).map(({ start }) => start) : [],
    curves: [
      {
        id: 'reserved',
        title: 'Reserved',
        color: RESERVED_COLOR,
        dash: '2 3',
        width: 1.5,
        points: reserved,
        isStair: true,
      },
      { id: 'predicted', title: 'Predicted', color, width: 1.25, points: predicted, isStair: true },
      {
        id: 'measured',
        title: 'Measured',
        color: MEASURED_COLOR,
        width: 2,
        points: allocated,
        isStair: true,
      },
    ].filter(({ points }) => points.length > 0),
    peaks: [
      ...(seen === null
        ? []
        : [{ id: 'measured', ...seen, text: `${formatBytes(seen.y)} measured`, color: MEASURED_COLOR }]),
      ...(most === null
        ? []
        : [{ id: 'predicted', ...most, text: `${formatBytes(most.y)} predicted`, color }]),
    ],
    level: isKnown
      ? null
      : { y: peaks.measured.bytes, text: `${formatBytes(peaks.measured.bytes)} measured peak` },
  };
}

function sectionsOf(phases: readonly ExplainedPhase[]): Section[] {
  let start = 0;
  return phases.flatMap(({ phase }) => {
    const width = WIDTHS[phase];
    if (width === 0) return [];
    const section = { phase, start, width };
    start += width;
    return [section];
  });
}

function joined(
  sections: readonly Section[],
  phases: readonly ExplainedPhase[],
  of: (phase: ExplainedPhase) => readonly number[],
): Point[] {
  return sections.flatMap(({ phase, start, width }) => {
    const own = phases.find((one) => one.phase === phase);
    return own === undefined ? [] : stairs(of(own), start, width);
  });
}

function stairs(values: readonly number[], start: number, width: number): Point[] {
  const last = values.at(-1);
  if (last === undefined) return [];
  const points = values.map((y, i): Point => ({ x: start + (width * i) / values.length, y }));
  return [...points, { x: start + width, y: last }];
}

const FILLS: Readonly<Record<BarName, string>> = {
  theory: 'var(--zz-neutral)',
  activations: 'var(--zz-hold-recomputed)',
  weights: 'var(--zz-hold-input)',
  copies: 'var(--zz-hold-input)',
  gradients: 'var(--zz-hold-gradients)',
  optimizer: 'var(--zz-hold-input)',
  loss: 'var(--zz-hold-auxiliaries)',
  workspace: 'var(--zz-hold-auxiliaries)',
  rounding: 'var(--zz-hold-checkpoints)',
  fragmentation: 'var(--zz-hold-checkpoints)',
  unexplained: 'none',
};

/** The bars as they are drawn: what is zero has none, but Eq. 2 and what is unexplained always do. */
export function explainedRows({ bars, measuredBytes }: Explanation, total: string): WaterfallRow[] {
  return [
    ...bars
      .filter(({ name, bytes }) => bytes !== 0 || name === 'theory' || name === 'unexplained')
      .map(({ name, bytes, from }) => ({
        id: name,
        title: BAR_TITLES[name],
        bytes,
        from,
        fill: FILLS[name],
        isTotal: name === 'theory',
        isOpen: name === 'unexplained',
      })),
    { id: 'total', title: total, bytes: measuredBytes, from: 0, fill: 'var(--zz-ink)', isTotal: true },
  ];
}

export function explainedTable(
  { bars, measuredBytes }: Explanation,
  caption: string,
  total: string,
): ChartTable {
  return {
    caption,
    columns: ['Part', 'Bytes', 'Sum so far', 'By'],
    rows: [
      ...bars.map(({ name, bytes, from, by }) => [
        BAR_TITLES[name],
        bytes,
        from + bytes,
        by === 'left' ? 'nobody' : by,
      ]),
      [total, measuredBytes, measuredBytes, 'measured'],
    ],
  };
}

export function phasesTable({ phases }: Explanation, caption: string): ChartTable {
  return {
    caption,
    columns: ['Phase', 'Predicted bytes', 'Measured bytes'],
    rows: phases.map(({ phase, predictedBytes, measuredBytes }) => [
      PHASE_TITLES[phase],
      predictedBytes,
      measuredBytes,
    ]),
  };
}

export function curvesData({ phases }: Explanation, caption: string): ChartTable {
  return {
    caption,
    columns: ['phase', 'series', 'part', 'parts', 'bytes'],
    rows: phases.flatMap(({ phase, predicted, allocated, reserved }) =>
      Object.entries({ predicted, allocated, reserved }).flatMap(([series, values]) =>
        values.map((bytes, part) => [phase, series, part, values.length, bytes]),
      ),
    ),
  };
}

/** `forward 104 MiB (−6.4 %), backward 148 MiB (−3.2 %)`: measured against predicted. */
export function sayPhases({ phases }: Explanation): string {
  return phases
    .flatMap(({ phase, predictedBytes, measuredBytes }) =>
      measuredBytes === null || predictedBytes === null
        ? []
        : [
            `${PHASE_TITLES[phase].toLowerCase()} ${formatBytes(measuredBytes)} (${formatChange(measuredBytes / predictedBytes - 1)})`,
          ],
    )
    .join(', ');
}
