import * as tf from '@tensorflow/tfjs-core';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { CancelledError } from '../../engine/errors.ts';
import type { Shape } from '../../engine/ops/operation.ts';
import { createProblem } from '../../engine/problem.ts';
import type { Control } from '../../engine/strategies/strategy.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import type { Backend, OpenBackend } from './backends/backend.ts';
import { chooseBackend } from './backends/choose.ts';
import type { BatchSource } from './data/batch.ts';
import { SyntheticImages } from './data/synthetic.ts';
import { formatBytes, OutOfMemoryError } from './errors.ts';
import { Executor, type NaiveSwitches } from './executor.ts';
import { ParameterStore, stationaryBytesOf } from './parameter-store.ts';
import { predict, scaledTimeline } from './prediction.ts';
import { SampleBatches } from './sample-batches.ts';

/** What does not travel with a request. */
export interface TrainingOptions {
  /** Those that this process can open, in the order of preference. */
  readonly backends: readonly Backend[];
  /** Where batches come from, for a source of this shape and so many logits; synthetic images when absent. */
  readonly data?: (source: Shape, outputs: number, seed: number) => BatchSource;
  readonly naive?: NaiveSwitches;
}

/**
 * A whole training run: builds the network, solves the strategy under profile `tfjs`, opens a backend and
 * executes the schedule once an iteration. Emits `start`, then for every iteration `steps` and
 * `iteration`, then `done`. Leaves nothing on the device, on failure too.
 *
 * @throws BadInputError, InfeasibleError, OutOfMemoryError; CancelledError at the next step after an abort
 */
export async function runTraining(
  request: TrainRequest,
  emit: (event: TrainEvent) => void,
  signal: AbortSignal,
  options: TrainingOptions,
): Promise<void> {
  const { model, batch, input, dropout, strategy, seed, budgetBytes } = request;
  const graph = buildModel(model, {
    batch,
    ...(input === undefined ? {} : { input }),
    ...(dropout === undefined ? {} : { dropout }),
  });
  const problem = createProblem(graph, 'tfjs');
  const strategyOptions = { seed, ...(budgetBytes === undefined ? {} : { budgetBytes }) };
  const prediction = predict(problem, strategy, strategyOptions, controlOf(signal));
  const stationaryBytes = stationaryBytesOf(graph);
  const neededBytes = stationaryBytes + prediction.timeline.peakBytes;
  requireRoom(neededBytes, request.memoryCapBytes ?? null, 'the cap');

  const { backend, reason } = await chooseBackend(request.backend, options.backends);
  if (signal.aborted) throw new CancelledError();
  requireRoom(neededBytes, backend.memory().limitBytes, `the ${backend.name} backend`);
  const source = graph.shapes[0] ?? [];
  const outputs = (graph.shapes.at(-1) ?? []).slice(1).reduce((product, extent) => product * extent, 1);
  const data = options.data?.(source, outputs, seed) ?? new SyntheticImages(source, outputs, seed);
  const before = tf.memory().numBytes;
  const store = new ParameterStore(graph, seed);
  try {
    const measuredStationary = tf.memory().numBytes - before;
    emit({
      event: 'start',
      backend: backend.name,
      backendReason: reason,
      device: backend.device,
      model: graph.name,
      batch,
      input: source[2] ?? 0,
      strategy,
      iterations: request.iterations,
      stationaryBytes: measuredStationary,
      predictedPeakBytes: prediction.timeline.peakBytes,
      predictedOverhead: prediction.overhead,
      recomputeFraction: prediction.timeline.recomputeFraction,
      ids: [...graph.ids],
      timeline: scaledTimeline(prediction, problem.memory, batch),
    });
    const executor = new Executor({
      problem,
      schedule: prediction.schedule,
      store,
      seed,
      check: () => backend.check(),
      ...(options.naive === undefined ? {} : { naive: options.naive }),
    });
    const totals = await iterate({
      request,
      executor,
      store,
      data,
      backend,
      stationaryBytes: measuredStationary,
      emit,
      signal,
    });
    emit({
      event: 'done',
      backend: backend.name,
      strategy,
      predictedPeakBytes: prediction.timeline.peakBytes,
      stationaryBytes: measuredStationary,
      ...totals,
    });
  } finally {
    store.dispose();
    backend.close();
  }
}

interface Run {
  readonly request: TrainRequest;
  readonly executor: Executor;
  readonly store: ParameterStore;
  readonly data: BatchSource;
  readonly backend: OpenBackend;
  readonly stationaryBytes: number;
  readonly emit: (event: TrainEvent) => void;
  readonly signal: AbortSignal;
}

async function iterate(
  run: Run,
): Promise<{ measuredPeakBytes: number; iterationMs: number[]; loss: number[] }> {
  const { request, executor, store, emit, signal } = run;
  const iterationMs: number[] = [];
  const losses: number[] = [];
  let measuredPeakBytes = 0;
  for (let iteration = 0; iteration < request.iterations; iteration++) {
    const batch = run.data.batch(iteration);
    const samples = new SampleBatches(iteration, emit);
    const started = performance.now();
    const loss = await executor.step(batch, iteration, {
      signal,
      onSample: (_step, bytes) => {
        samples.add(bytes);
        requireRoom(run.stationaryBytes + bytes, request.memoryCapBytes ?? null, 'the cap');
      },
    });
    store.descend(request);
    await store.settle();
    const ms = performance.now() - started;
    samples.flush();
    measuredPeakBytes = Math.max(measuredPeakBytes, samples.peakBytes);
    iterationMs.push(ms);
    losses.push(loss);
    emit({ event: 'iteration', iteration, ms, loss, measuredPeakBytes: samples.peakBytes });
  }
  return { measuredPeakBytes, iterationMs, loss: losses };
}

/** @throws OutOfMemoryError when more is needed than there is room for */
function requireRoom(bytes: number, limit: number | null, whose: string): void {
  if (limit === null || bytes <= limit) return;
  throw new OutOfMemoryError(
    `one step needs ${formatBytes(bytes)}, parameters and their gradients included, and ${whose} allows ${formatBytes(limit)}; choose a smaller batch, a smaller input or another strategy`,
    bytes,
  );
}

/** The engine's way to ask whether to go on. */
function controlOf(signal: AbortSignal): Control {
  return {
    tick: () => {
      if (signal.aborted) throw new CancelledError();
    },
  };
}
