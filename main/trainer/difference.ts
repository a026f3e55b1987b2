import type { TrainEvent } from '../../app/contract/training.ts';
import { createProblem } from '../../engine/problem.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import type { Schedule } from '../../engine/schedule/schedule.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { Executor } from './executor.ts';
import { ParameterStore } from './parameter-store.ts';
import { predictSchedule } from './prediction.ts';
import type { MeasurementContext } from './measurement-context.ts';

/** The requested batch and its half; one and two for a single sample. */
export function differenceBatches(batch: number): readonly [number, number] {
  return batch === 1 ? [1, 2] : [Math.floor(batch / 2), batch];
}

/** A schedule at one batch size. */
export interface SizedProblem {
  readonly batch: number;
  readonly problem: Problem;
  readonly peakBytes: number;
}

/** One schedule fits every batch size: they differ in shapes only. */
export function sized(graph: Graph, batch: number, schedule: Schedule): SizedProblem {
  const problem = createProblem(graph, 'tfjs');
  return { batch, problem, peakBytes: predictSchedule(problem, schedule).timeline.peakBytes };
}

/**
 * The measurement of paper 001, section 5: one iteration at each of two batch sizes. Both include what does not depend
 * on the batch (parameters, the library, the driver), so their difference is the memory of samples.
 *
 * @throws CancelledError, OutOfMemoryError
 */
export async function measureDifference(
  [small, large]: readonly [SizedProblem, SizedProblem],
  schedule: Schedule,
  context: MeasurementContext,
): Promise<Extract<TrainEvent, { event: 'difference' }>> {
  context.progress.begin('difference', 2);
  const first = await measureOne(small, schedule, 0, context);
  const second = await measureOne(large, schedule, 1, context);
  const samples = large.batch - small.batch;
  const knows = first.deviceBytes !== null && second.deviceBytes !== null;
  return {
    event: 'difference',
    batches: [small.batch, large.batch],
    peakBytes: [first.peakBytes, second.peakBytes],
    deviceBytes: knows ? [first.deviceBytes, second.deviceBytes] : [null, null],
    perSampleBytes: (second.peakBytes - first.peakBytes) / samples,
    predictedPerSampleBytes: (large.peakBytes - small.peakBytes) / samples,
  };
}

async function measureOne(
  { problem }: SizedProblem,
  schedule: Schedule,
  done: number,
  { dataOf, backend, seed, supervision, progress }: MeasurementContext,
): Promise<{ readonly peakBytes: number; readonly deviceBytes: number | null }> {
  const store = new ParameterStore(problem.graph, seed);
  let peakBytes = 0;
  let deviceBytes = 0;
  try {
    const executor = new Executor({ problem, schedule, store, seed, backend, supervision });
    await executor.step(dataOf(problem.graph).batch(0), 0, {
      onShare: (share) => progress.at(done + share),
      onSample: (_step, bytes) => {
        peakBytes = Math.max(peakBytes, bytes);
        deviceBytes = Math.max(deviceBytes, backend.memory().allocatedBytes ?? 0);
      },
    });
  } finally {
    store.dispose();
  }
  const after = backend.memory().allocatedBytes;
  // If released buffers are kept for reuse, the device counts the highest need so far, not the current one.
  return { peakBytes, deviceBytes: after === null || after >= deviceBytes ? null : deviceBytes };
}
