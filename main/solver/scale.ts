import type { ScaledSeries, ScaledTimeline } from '../../app/contract/results.ts';
import { InternalError } from '../../engine/errors.ts';
import type { Schedule } from '../../engine/schedule/schedule.ts';
import type { Timeline } from '../../engine/simulate/simulate.ts';

/**
 * The timeline of a schedule as a function of the batch. All bytes of a step are fixed or proportional to the batch, so
 * simulations at batch 1 and 2 determine both parts, in exact integers.
 *
 * @param one the timeline of `schedule` at batch 1
 * @param two the same at batch 2
 */
export function scaledTimeline(schedule: Schedule, one: Timeline, two: Timeline): ScaledTimeline {
  if (one.live.length !== two.live.length || one.backwardStart !== two.backwardStart) {
    throw new InternalError('a schedule has another shape at another batch');
  }
  return {
    kinds: Array.from(schedule.kinds),
    vertices: Array.from(schedule.vertices),
    backwardStart: one.backwardStart,
    live: affine(one.live, two.live),
    checkpoints: affine(one.checkpoints, two.checkpoints),
    recomputed: affine(one.recomputed, two.recomputed),
    gradients: affine(one.gradients, two.gradients),
    auxiliaries: affine(one.auxiliaries, two.auxiliaries),
    ...(one.host === undefined || two.host === undefined
      ? {}
      : { host: affine(one.host.bytes, two.host.bytes) }),
  };
}

/** The line through the values at 1 and 2. */
export function affine(one: Float64Array, two: Float64Array): ScaledSeries {
  return {
    perSample: Array.from(one, (bytes, i) => (two[i] ?? 0) - bytes),
    fixed: Array.from(one, (bytes, i) => 2 * bytes - (two[i] ?? 0)),
  };
}
