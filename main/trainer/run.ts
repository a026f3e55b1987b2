import * as tf from '@tensorflow/tfjs-core';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { CancelledError } from '../../engine/errors.ts';
import type { Shape } from '../../engine/ops/operation.ts';
import { createProblem } from '../../engine/problem.ts';
import type { Control } from '../../engine/strategies/strategy.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import type { Backend } from './backends/backend.ts';
import { chooseBackend } from './backends/choose.ts';
import type { BatchSource } from './data/batch.ts';
import { SyntheticImages } from './data/synthetic.ts';
import { formatBytes, OutOfMemoryError, typedError } from './errors.ts';
import { Executor } from './executor.ts';
import { iterate } from './iterate.ts';
import { ParameterStore, stationaryBytesOf } from './parameter-store.ts';
import { measurePaired } from './paired.ts';
import { PauseGate } from './pause-gate.ts';
import { predict, scaledTimeline } from './prediction.ts';
import { StatisticsReference } from './statistics-reference.ts';

/** What does not travel with a request. */
export interface TrainingOptions {
  /** Those that this process can open, in the order of preference. */
  readonly backends: readonly Backend[];
  /** Where the run holds while it is paused. */
  readonly gate?: PauseGate;
  /** Where batches come from, for a source of this shape and so many logits; synthetic images when absent. */
  readonly data?: (source: Shape, outputs: number, seed: number) => BatchSource;
}

/**
 * A whole training run: builds the network, solves the strategy under profile `tfjs`, opens a backend and
 * executes the schedule once an iteration. Emits `start`, then for every iteration `steps` and
 * `iteration`, then `overhead` for every pair that was asked for, then `done`. Leaves nothing on the device, on failure too.
 *
 * @throws BadInputError, InfeasibleError, OutOfMemoryError; CancelledError at the next step after an abort
 */
export async function runTraining(
  request: TrainRequest,
  emit: (event: TrainEvent) => void,
  signal: AbortSignal,
  options: TrainingOptions,
): Promise<void> {
  const { model, batch, input, dropout, strategy, seed, budgetBytes, checkpoints } = request;
  const { gate = new PauseGate() } = options;
  const graph = buildModel(model, {
    batch,
    ...(input === undefined ? {} : { input }),
    ...(dropout === undefined ? {} : { dropout }),
  });
  const problem = createProblem(graph, 'tfjs');
  const strategyOptions = {
    seed,
    ...(budgetBytes === undefined ? {} : { budgetBytes }),
    ...(checkpoints === undefined ? {} : { checkpoints }),
  };
  const prediction = predict(problem, strategy, strategyOptions, controlOf(signal));
  const neededBytes = stationaryBytesOf(graph) + prediction.timeline.peakBytes;
  requireRoom(neededBytes, request.memoryCapBytes ?? null, 'the cap');
  const regular =
    request.pairs === undefined ? null : predict(problem, 'regular', strategyOptions, controlOf(signal));
  // Pairs hold what the regular iteration needs, which is why another strategy was chosen, often.
  const pairedBytes = regular === null ? 0 : stationaryBytesOf(graph) + regular.timeline.peakBytes;
  requireRoom(pairedBytes, request.memoryCapBytes ?? null, 'the cap', REGULAR_STEP);

  const { backend, reason } = await chooseBackend(request.backend, options.backends);
  let store: ParameterStore | null = null;
  let reference: StatisticsReference | null = null;
  try {
    if (signal.aborted) throw new CancelledError();
    requireRoom(neededBytes, backend.memory().limitBytes, `the ${backend.name} backend`);
    requireRoom(pairedBytes, backend.memory().limitBytes, `the ${backend.name} backend`, REGULAR_STEP);
    const source = graph.shapes[0] ?? [];
    const outputs = (graph.shapes.at(-1) ?? []).slice(1).reduce((product, extent) => product * extent, 1);
    const data = options.data?.(source, outputs, seed) ?? new SyntheticImages(source, outputs, seed);
    const before = tf.memory().numBytes;
    store = new ParameterStore(graph, seed);
    const stationaryBytes = tf.memory().numBytes - before;
    const predictedPeakBytes = prediction.timeline.peakBytes;
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
      stationaryBytes,
      predictedPeakBytes,
      predictedOverhead: prediction.overhead,
      recomputeFraction: prediction.timeline.recomputeFraction,
      ids: [...graph.ids],
      timeline: scaledTimeline(prediction, problem.memory, batch),
    });
    if (request.naiveStatistics === true) reference = new StatisticsReference(store, graph.size);
    const executor = new Executor({
      problem,
      schedule: prediction.schedule,
      store,
      seed,
      check: () => backend.check(),
      gate,
      ...(reference === null ? {} : { reference }),
      naive: {
        statistics: request.naiveStatistics === true,
        dropout: request.naiveDropout === true,
      },
    });
    const watch = (bytes: number): void => {
      requireRoom(stationaryBytes + bytes, request.memoryCapBytes ?? null, 'the cap');
    };
    const deviceBytes = (): number | null => backend.memory().allocatedBytes;
    const totals = await iterate({
      request,
      executor,
      store,
      data,
      emit,
      watch,
      deviceBytes,
      reference,
      gate,
      signal,
    });
    if (regular !== null && request.pairs !== undefined) {
      store.dispose();
      await measurePaired(problem, regular.schedule, prediction.schedule, data, backend, {
        pairs: request.pairs,
        warmUp: 1,
        seed,
        gate,
        signal,
        onPair: ({ overhead, quartiles, regularMs }) =>
          emit({
            event: 'overhead',
            measured: overhead,
            quartiles: [...quartiles],
            predicted: prediction.overhead,
            pairs: regularMs.length,
            planned: request.pairs ?? 0,
          }),
      });
    }
    emit({ event: 'done', backend: backend.name, strategy, predictedPeakBytes, stationaryBytes, ...totals });
  } catch (error) {
    throw typedError(error);
  } finally {
    reference?.dispose();
    store?.dispose();
    backend.close();
  }
}

const REGULAR_STEP = 'one regular step, against which pairs measure,';

/** @throws OutOfMemoryError when more is needed than there is room for */
function requireRoom(bytes: number, limit: number | null, whose: string, step = 'one step'): void {
  if (limit === null || bytes <= limit) return;
  throw new OutOfMemoryError(
    `${step} needs ${formatBytes(bytes)}, parameters and their gradients included, and ${whose} allows ${formatBytes(limit)}; choose a smaller batch, a smaller input or another strategy`,
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
