import { paperCost } from '../../../../engine/paper/paper-cost.ts';
import { InternalError } from '../../../../engine/errors.ts';
import { chainGame } from './games.ts';
import { memoize } from './memoize.ts';
import { NO_PEBBLE } from './play.ts';
import { everyKth, playWithSegments } from './plays.ts';

export interface SegmentPoint {
  readonly k: number;
  readonly checkpoints: number;
  /** k + N/k. */
  readonly formula: number;
  /** Eq. 1: checkpoints + the largest segment between them. */
  readonly paperCost: number;
  readonly peak: number;
}

export interface SegmentCurve {
  readonly points: readonly SegmentPoint[];
  /** The point of least simulated peak that is nearest to √N. */
  readonly best: SegmentPoint;
  readonly least: readonly SegmentPoint[];
}

export interface PeakParts {
  readonly input: 0 | 1;
  readonly checkpoints: number;
  /** Activations that are no checkpoints: those of a segment. */
  readonly segment: number;
  readonly gradients: number;
}

export function peakParts(layers: number, k: number): PeakParts {
  const { frames, peakFrame } = playWithSegments(layers, k);
  const { pebbles, gradients } = frames[peakFrame]!;
  const kept = new Set(everyKth(layers, k));
  let [input, checkpoints, segment]: [0 | 1, number, number] = [0, 0, 0];
  pebbles.forEach((pebble, v) => {
    if (pebble === NO_PEBBLE) return;
    if (v === 0) input = 1;
    else if (kept.has(v)) checkpoints += 1;
    else segment += 1;
  });
  return { input, checkpoints, segment, gradients: gradients.reduce((sum, one) => sum + one, 0) };
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
