import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import type { BatchSource } from './data/batch.ts';
import type { Executor } from './executor.ts';
import { quantile } from './paired.ts';
import type { ParameterStore } from './parameter-store.ts';
import type { Progress } from './progress.ts';
import { SampleBatches } from './sample-batches.ts';
import type { StatisticsReference } from './statistics-reference.ts';
import type { Supervision } from './supervision.ts';

export interface Iteration {
  readonly request: TrainRequest;
  readonly executor: Executor;
  readonly store: ParameterStore;
  readonly data: BatchSource;
  readonly emit: (event: TrainEvent) => void;
  /** Called with the live bytes of every sample; throw to stop the run. */
  readonly watch: (bytes: number) => void;
  /** Bytes that the device reports now; null if it cannot. */
  readonly deviceBytes: () => number | null;
  /** Vertex whose running statistics are wrong on purpose. */
  readonly reference: StatisticsReference | null;
  readonly progress: Progress;
  readonly supervision: Supervision;
}

export interface Totals {
  readonly measuredPeakBytes: number;
  readonly iterationMs: number[];
  readonly loss: number[];
  readonly medianMs: number | null;
  readonly quartilesMs: [number, number] | null;
}

/** Warm-up iterations. */
const WARM_UP = 1;

/** Trains the requested number of iterations, each with its `steps` and `iteration` events. */
export async function iterate(run: Iteration): Promise<Totals> {
  const { request, executor, store, emit, watch, progress } = run;
  const { gate } = run.supervision;
  const iterationMs: number[] = [];
  const losses: number[] = [];
  let measuredPeakBytes = 0;
  progress.begin('iterations', request.iterations);
  for (let iteration = 0; iteration < request.iterations; iteration++) {
    const batch = run.data.batch(iteration);
    const samples = new SampleBatches(iteration, emit);
    let deviceBytes: number | null = null;
    const ask = (): void => {
      const now = run.deviceBytes();
      if (now !== null) deviceBytes = Math.max(deviceBytes ?? 0, now);
    };
    const started = gate.now();
    const loss = await executor.step(batch, iteration, {
      onShare: (share) => progress.at(iteration + share),
      onSample: (_step, bytes) => {
        samples.add(bytes);
        watch(bytes);
        ask();
      },
    });
    store.descend(request);
    await store.settle();
    const ms = gate.now() - started;
    samples.flush();
    measuredPeakBytes = Math.max(measuredPeakBytes, samples.peakBytes);
    iterationMs.push(ms);
    losses.push(loss);
    emit({
      event: 'iteration',
      iteration,
      ms,
      loss,
      measuredPeakBytes: samples.peakBytes,
      deviceBytes,
      ...(run.reference === null ? {} : { statisticsDrift: await run.reference.drift() }),
    });
  }
  const warm = iterationMs.slice(WARM_UP);
  return {
    measuredPeakBytes,
    iterationMs,
    loss: losses,
    medianMs: warm.length === 0 ? null : quantile(warm, 0.5),
    quartilesMs: warm.length === 0 ? null : [quantile(warm, 0.25), quantile(warm, 0.75)],
  };
}
