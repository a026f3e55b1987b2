import type { ParetoPoint } from '../../../../app/contract/pareto.ts';
import {
  type ComparedHead,
  COMPARISON_COLUMNS,
  comparisonLines,
} from '../../../../app/report/comparison-csv.ts';
import { leastFraction, type RecomputeBound } from '../../../../engine/bounds/recompute-bound.ts';
import { needsAt } from '../../../../engine/training-memory/held.ts';
import type { ShownMemory } from '../../../state/comparison/shown-memory.ts';
import type { StrategyRow } from '../../../state/comparison/rows.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import { type Axis, type ByteAxis, percentAxis, rangeOf } from '../../../shared/charts/axis.ts';
import { isShown, type PlotArea, pixelX, pixelY } from '../../../shared/charts/plot-area.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount, formatPercent, THIN } from '../../../shared/format/numbers.ts';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';

export interface PlanPoint {
  readonly id: string;
  /** `null` for a point of the front. */
  readonly strategy: string | null;
  readonly title: string;
  readonly color: string;
  /** All that the device holds, or the activations alone: what the chart shows. */
  readonly bytes: number;
  /** Peak of the activations alone, which a budget limits. */
  readonly peakBytes: number;
  /** Share of one forward that is done again. */
  readonly recompute: number;
  readonly overhead: number | null;
  readonly checkpoints: number;
  /** The least recompute proved of every schedule with this peak; null while that is not known. */
  readonly proved: number | null;
}

/** The bound of all that a device holds: of the activations and what lies beside them at every instant. */
export const boundBeside = (bound: RecomputeBound, bytes: number): RecomputeBound => ({
  ...bound,
  floorBytes: bound.floorBytes + bytes,
  lines: bound.lines.map((line) => ({ ...line, fixedBytes: line.fixedBytes + bytes })),
});

export function withProof(points: readonly PlanPoint[], bound: RecomputeBound | null): PlanPoint[] {
  return points.map((point) => ({
    ...point,
    proved: bound === null ? null : leastFraction(bound, point.bytes),
  }));
}

/** How far a point is from the proof, as a share of one forward; rounding of scaled bytes may leave it a little below. */
export const gapOf = ({ recompute, proved }: PlanPoint): number | null =>
  proved === null || !Number.isFinite(proved) ? null : Math.max(0, recompute - proved);

export function strategyPoints(rows: readonly StrategyRow[], memory: ShownMemory): PlanPoint[] {
  return rows.flatMap((row) => {
    const { identity, peakBytes, verdict, recomputeFraction, predictedOverhead, checkpoints } = row;
    const bytes = memory === 'device' ? verdict?.totalBytes : peakBytes;
    if (peakBytes === null || bytes == null || recomputeFraction === null) return [];
    return [
      {
        id: identity.name,
        strategy: identity.name,
        title: identity.title,
        color: colorOf(identity),
        bytes,
        peakBytes,
        recompute: recomputeFraction,
        overhead: predictedOverhead,
        checkpoints: checkpoints.length,
        proved: null,
      },
    ];
  });
}

/**
 * Points of the front at a batch; from another batch nearly proportional, until they are searched again.
 *
 * @param contextBytes of the device whose memory is shown; null for the activations alone
 */
export function paretoPoints(
  points: readonly ParetoPoint[],
  batch: number,
  wanted: number,
  contextBytes: number | null,
): PlanPoint[] {
  const color = colorOf(identityOf('budget'));
  const scaled = (bytes: number): number => (batch === wanted ? bytes : Math.ceil((bytes / batch) * wanted));
  return points.map((point) => ({
    id: `front-${point.peakBytes}`,
    strategy: null,
    title: 'Budget',
    color,
    bytes: contextBytes === null ? scaled(point.peakBytes) : needsAt(point.held, wanted, contextBytes),
    peakBytes: scaled(point.peakBytes),
    recompute: point.recomputeFraction,
    overhead: point.predictedOverhead,
    checkpoints: point.checkpoints,
    proved: null,
  }));
}

/**
 * Points of the search and strategies that no other beats, in the order given: a front that misses no known point. Of
 * equal ones the strategy's is taken, which has a name.
 */
export function knownFront(searched: readonly PlanPoint[], own: readonly PlanPoint[]): PlanPoint[] {
  const all = [...searched, ...own];
  return all.filter(
    (point, i) =>
      !all.some(
        (other, j) =>
          i !== j &&
          other.bytes <= point.bytes &&
          other.recompute <= point.recompute &&
          (other.bytes < point.bytes || other.recompute < point.recompute || j > i),
      ),
  );
}

/** More than everything twice over is drawn at the edge: one such plan would flatten all others. */
const MAX_RECOMPUTE = 2;

export function recomputeAxis(points: readonly PlanPoint[]): Axis {
  const within = points.map(({ recompute }) => recompute).filter((share) => share <= MAX_RECOMPUTE);
  return percentAxis(0, Math.max(0.1, ...within) * 1.02);
}

export const isBeyond = (point: PlanPoint, axis: Axis): boolean => point.recompute > axis.top;

/** Above a part of the axis only strategies are drawn, at its upper edge. */
export const isInView = (point: PlanPoint, axis: Axis): boolean =>
  isBeyond(point, axis)
    ? axis.range === undefined || point.strategy !== null
    : isShown(point.recompute, rangeOf(axis));

export const bytesAcross = (axis: ByteAxis): Axis => ({
  ...axis,
  format: (bytes) => `${axis.format(bytes)}${bytes === axis.ticks.at(-1) ? `${THIN}${axis.unit}` : ''}`,
});

/** Points beyond the axis are drawn on its upper edge. */
export function pixelOf(
  point: PlanPoint,
  area: PlotArea,
  end: number,
  axis: Axis,
): { readonly x: number; readonly y: number } {
  return {
    x: pixelX(area, point.bytes, end),
    y: isBeyond(point, axis) ? area.top - 8 : pixelY(area, point.recompute, rangeOf(axis)),
  };
}

/**
 * The front as a step line: from a point's memory on its recompute is the least, until the next point's
 * memory is there.
 */
export function paretoSteps(front: readonly PlanPoint[], end: number): { x: number; y: number }[] {
  const ascending = [...front].sort((a, b) => a.bytes - b.bytes);
  const steps = ascending.map(({ bytes, recompute }) => ({ x: bytes, y: recompute }));
  const last = steps.at(-1);
  return last === undefined ? [] : [...steps, { x: Math.max(end, last.x), y: last.y }];
}

/** A plan without recomputation has no checkpoints, because it keeps everything. */
export const sayKept = ({ recompute, checkpoints }: PlanPoint): string =>
  recompute === 0 ? 'everything kept' : `${formatCount(checkpoints)} tensors kept`;

export function sayPoint(point: PlanPoint): string {
  const { title, bytes, recompute, overhead } = point;
  const time = overhead === null ? '' : `, ${formatPercent(overhead)} more time`;
  return `${title}: ${formatBytes(bytes)}, ${formatPercent(recompute)} recomputed${time}, ${sayKept(point)}${sayGap(gapOf(point))}`;
}

function sayGap(gap: number | null): string {
  if (gap === null) return '';
  if (gap === 0) return ', proved optimal';
  // Rounded up, so that the sentence is true.
  const points = Math.ceil(gap * 1000 - 1e-9) / 10;
  return `, at most ${points} ${points === 1 ? 'point' : 'points'} above the lower bound`;
}

export function paretoTable(points: readonly PlanPoint[]): ChartTable {
  return {
    caption: 'Memory and recompute of every plan',
    columns: ['Plan', 'Memory', 'Recompute', 'More time, predicted', 'Lower bound', 'Gap, points'],
    rows: points.map((point, i) => [
      point.strategy === null ? `front ${i + 1}` : point.title,
      formatBytes(point.bytes),
      formatPercent(point.recompute),
      point.overhead === null ? null : formatPercent(point.overhead),
      ...provedCells(point),
    ]),
  };
}

function provedCells(point: PlanPoint): [string | null, string | null] {
  const gap = gapOf(point);
  if (gap === null || point.proved === null) return [null, null];
  return [formatPercent(point.proved), (Math.ceil(gap * 1000 - 1e-9) / 10).toFixed(1)];
}

export function comparisonTable(
  head: ComparedHead,
  rows: readonly StrategyRow[],
  front: readonly PlanPoint[],
  bound: RecomputeBound | null,
): ChartTable {
  const proved = (bytes: number | null): number | null =>
    bound === null || bytes === null ? null : leastFraction(bound, bytes);
  const strategies = rows.map((row) => ({
    strategy: row.identity.name,
    reason: row.state === 'solved' ? null : (row.reason ?? 'not solved'),
    peakBytes: row.peakBytes,
    lowerBoundBytes: row.lowerBoundBytes,
    paperCostBytes: row.paperCostBytes,
    recomputeFraction: row.recomputeFraction,
    predictedOverhead: row.predictedOverhead,
    checkpoints: row.state === 'solved' ? row.checkpoints.length : null,
    steps: row.sized?.live.length ?? null,
    solveMs: row.solveMs,
    claim: row.claim,
    recomputeBoundFraction: proved(
      row.peakBytes === null ? null : Math.max(row.peakBytes, row.budgetBytes ?? 0),
    ),
  }));
  const points = front.map((point) => ({
    strategy: 'budget (front)',
    reason: null,
    peakBytes: point.peakBytes,
    lowerBoundBytes: null,
    paperCostBytes: null,
    recomputeFraction: point.recompute,
    predictedOverhead: point.overhead,
    checkpoints: point.checkpoints,
    steps: null,
    solveMs: null,
    claim: null,
    recomputeBoundFraction: proved(point.peakBytes),
  }));
  return {
    caption: 'Strategies and front',
    columns: COMPARISON_COLUMNS,
    rows: comparisonLines(head, [...strategies, ...points]),
  };
}
