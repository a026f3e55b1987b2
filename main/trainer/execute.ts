import * as tf from '@tensorflow/tfjs-core';
import type { TrainEvent } from '../../app/contract/training.ts';
import type { ChosenBackend } from './backends/choose.ts';
import { measureDifference } from './difference.ts';
import { Executor } from './executor.ts';
import { iterate, type Totals } from './iterate.ts';
import { measurePaired } from './paired.ts';
import { ParameterStore } from './parameter-store.ts';
import { scaledTimeline } from './prediction.ts';
import type { MeasurementContext } from './measurement-context.ts';
import { type MemoryLimit, requireFits } from './memory-limit.ts';
import { StatisticsReference } from './statistics-reference.ts';
import { overheadByTimes, type StepTimes } from './step-times.ts';
import type { Task, Work } from './task.ts';

export interface Execution {
  readonly task: Task;
  readonly work: Work;
  /** Times used to solve the plan; null for FLOPs. */
  readonly times: StepTimes | null;
  readonly context: MeasurementContext;
  /** Reason for this backend, and the GPU that it leaves unused. */
  readonly chosen: Pick<ChosenBackend, 'reason' | 'unusedGpu'>;
  readonly cap: MemoryLimit;
  readonly emit: (event: TrainEvent) => void;
}

/** Executes a task, from `start` to `done` (run.ts). */
export async function execute(execution: Execution): Promise<void> {
  const { task, work, context, emit } = execution;
  const { stationaryBytes, totals } = await train(execution);
  await measurePairs(execution);
  if (work.sizes !== null) emit(await measureDifference(work.sizes, work.main.schedule, context));
  emit({
    event: 'done',
    backend: context.backend.name,
    strategy: task.request.strategy,
    predictedPeakBytes: work.main.timeline.peakBytes,
    stationaryBytes,
    ...totals,
  });
}

async function train(
  execution: Execution,
): Promise<{ readonly stationaryBytes: number; readonly totals: Totals }> {
  const { task, work, context, cap, emit } = execution;
  const { request, problem } = task;
  const { backend, seed, supervision, progress } = context;
  const before = tf.memory().numBytes;
  const store = new ParameterStore(problem.graph, seed);
  let reference: StatisticsReference | null = null;
  try {
    const stationaryBytes = tf.memory().numBytes - before;
    emit(startEvent(execution, stationaryBytes));
    if (request.naiveStatistics === true) reference = new StatisticsReference(store, problem.graph.size);
    const executor = new Executor({
      problem,
      schedule: work.main.schedule,
      store,
      seed,
      backend,
      supervision,
      ...(reference === null ? {} : { reference }),
      naive: {
        statistics: request.naiveStatistics === true,
        dropout: request.naiveDropout === true,
      },
    });
    const totals = await iterate({
      request,
      executor,
      store,
      data: context.dataOf(problem.graph),
      emit,
      watch: (bytes) => requireFits(stationaryBytes + bytes, cap),
      deviceBytes: () => backend.memory().allocatedBytes,
      reference,
      progress,
      supervision,
    });
    return { stationaryBytes, totals };
  } finally {
    reference?.dispose();
    store.dispose();
  }
}

function startEvent({ task, work, times, context, chosen }: Execution, stationaryBytes: number): TrainEvent {
  const { request, problem } = task;
  const { schedule, timeline, overhead } = work.main;
  return {
    event: 'start',
    backend: context.backend.name,
    backendReason: chosen.reason,
    ...(chosen.unusedGpu === undefined ? {} : { unusedGpu: chosen.unusedGpu }),
    device: context.backend.device,
    model: problem.graph.name,
    batch: request.batch,
    // The width, and height, of an image; the sequence length for tokens.
    input: problem.graph.shapes[0]?.at(-1) ?? 0,
    strategy: request.strategy,
    iterations: request.iterations,
    stationaryBytes,
    predictedPeakBytes: timeline.peakBytes,
    predictedOverhead: overhead,
    ...(times === null ? {} : { predictedOverheadMeasuredCosts: overheadByTimes(schedule, times) }),
    recomputeFraction: timeline.recomputeFraction,
    ids: [...problem.graph.ids],
    timeline: scaledTimeline(work.main, problem.memory, request.batch),
  };
}

async function measurePairs({ task, work, times, context, emit }: Execution): Promise<void> {
  const { pairs } = task.request;
  if (pairs === undefined || work.regular === null) return;
  const { main, regular } = work;
  const { backend, dataOf, ...rest } = context;
  const data = dataOf(task.problem.graph);
  await measurePaired(task.problem, regular.schedule, main.schedule, data, backend, {
    ...rest,
    pairs,
    warmUp: 1,
    onPair: ({ overhead, quartiles, interval, regularMs }) =>
      emit({
        event: 'overhead',
        measured: overhead,
        quartiles: [...quartiles],
        interval: interval === null ? null : [...interval],
        predicted: main.overhead,
        ...(times === null ? {} : { predictedMeasuredCosts: overheadByTimes(main.schedule, times) }),
        pairs: regularMs.length,
        planned: pairs,
      }),
  });
}
