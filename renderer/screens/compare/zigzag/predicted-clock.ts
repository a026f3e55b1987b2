import type { Experiment } from '../../../../app/contract/experiment.ts';
import type { ScaledTimeline } from '../../../../app/contract/results.ts';
import { type DeviceSpeed, stepSeconds } from '../../../../engine/limits/throughput.ts';
import { BACKWARD } from '../../../../engine/schedule/schedule.ts';
import { chosenDevice } from '../../../state/experiment/device.ts';
import { readSettings, speedOf } from '../../../state/experiment/limits-settings.ts';
import type { SizedTimeline } from '../../../state/comparison/sized-timeline.ts';
import type { NetworkResults } from '../../../state/comparison/comparison.ts';
import type { StrategyRow } from '../../../state/comparison/rows.ts';

type Work = Pick<NetworkResults, 'flopsPerSample' | 'backwardFlopsPerSample'>;

export const hasWork = ({ flopsPerSample }: Work): boolean => flopsPerSample.some((flops) => flops > 0);

/** How fast the experiment's device is taken to be, as on the Limits screen at its first settings. */
export const predictedSpeed = (experiment: Experiment): DeviceSpeed =>
  speedOf(chosenDevice(experiment), readSettings({}));

/**
 * Milliseconds at which each operation of a schedule starts, and the end of the last: a fixed time for each and
 * a rate for its FLOPs (`stepSeconds`). Time O(steps).
 */
export function predictedClock(
  { kinds, vertices }: Pick<ScaledTimeline, 'kinds' | 'vertices'>,
  operations: ArrayLike<number>,
  batch: number,
  work: Work,
  speed: DeviceSpeed,
): Float64Array {
  const clock = new Float64Array(operations.length + 1);
  for (let i = 0; i < operations.length; i++) {
    const step = operations[i] ?? 0;
    const flops = kinds[step] === BACKWARD ? work.backwardFlopsPerSample : work.flopsPerSample;
    const flopsPerSample = flops[vertices[step] ?? 0] ?? 0;
    clock[i + 1] = (clock[i] ?? 0) + 1000 * stepSeconds({ operations: 1, flopsPerSample }, speed, batch);
  }
  return clock;
}

/**
 * The clock of a row: where its plan sends something over a link, as the lab replayed it with the waits for copies
 * (engine/offload/step-times.ts), in milliseconds too.
 */
export function clockOf(
  { copies }: Pick<StrategyRow, 'copies'>,
  { timeline, axis, batch }: SizedTimeline,
  work: Work,
  speed: DeviceSpeed,
): Float64Array {
  const { operations } = axis;
  const times = copies?.times ?? null;
  if (times === null || times.startMs.length !== timeline.kinds.length) {
    return predictedClock(timeline, operations, batch, work, speed);
  }
  const clock = new Float64Array(operations.length + 1);
  operations.forEach((step, i) => {
    clock[i] = times.startMs[step] ?? 0;
  });
  clock[operations.length] = times.stepMs;
  return clock;
}

export function withClocks(rows: readonly StrategyRow[], work: Work, speed: DeviceSpeed): StrategyRow[] {
  const timed = (row: StrategyRow, sized: SizedTimeline): SizedTimeline => ({
    ...sized,
    axis: { ...sized.axis, clock: clockOf(row, sized, work, speed) },
  });
  return rows.map((row) => (row.sized === null ? row : { ...row, sized: timed(row, row.sized) }));
}
