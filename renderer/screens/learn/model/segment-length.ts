import { paperCost } from '../../../../engine/paper/paper-cost.ts';
import { InternalError } from '../../../../engine/errors.ts';
import { chainGame } from './games.ts';
import { memoize } from './memoize.ts';
import { everyKth, playWithSegments } from './plays.ts';

/** A chain of N layers cut into segments of k layers, in tensors of equal size. */
export interface SegmentPoint {
  readonly k: number;
  readonly checkpoints: number;
  /** k + N/k. */
  readonly formula: number;
  /** Eq. 1: checkpoints + the largest segment between them. */
  readonly paperCost: number;
  /** The simulator's peak. */
  readonly peak: number;
}

export interface SegmentCurve {
  readonly points: readonly SegmentPoint[];
  /** Of the points of least simulated peak the one nearest to √N. */
  readonly best: SegmentPoint;
  /** All of these, by k. */
  readonly least: readonly SegmentPoint[];
}

/** Memory for every segment length from 1 to N; every peak is simulated. */
export const segmentCurve = memoize((layers: number): SegmentCurve => {
  const { tensors } = chainGame(layers).problem.view;
  const points = Array.from({ length: layers }, (_, i): SegmentPoint => {
    const k = i + 1;
    const checkpoints = everyKth(layers, k);
    const cost = paperCost(tensors, checkpoints);
    if (!cost.ok) throw new InternalError('every set of checkpoints cuts a chain');
    return {
      k,
      checkpoints: checkpoints.length,
      formula: k + layers / k,
      paperCost: cost.cost,
      peak: playWithSegments(layers, k).timeline.peakBytes,
    };
  });
  const peak = Math.min(...points.map((point) => point.peak));
  const least = points.filter((point) => point.peak === peak);
  const distance = ({ k }: SegmentPoint): number => Math.abs(k - Math.sqrt(layers));
  const best = least.reduce((near, point) => (distance(point) < distance(near) ? point : near));
  return { points, best, least };
}, 8);
