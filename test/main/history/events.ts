import type { ScaledSeries } from '../../../app/contract/results.ts';
import { type TrainEvent, type TrainRequest, trainRequestSchema } from '../../../app/contract/training.ts';

const STEPS = 6;
const series = (value: number): ScaledSeries => ({
  perSample: new Array<number>(STEPS).fill(value),
  fixed: new Array<number>(STEPS).fill(0),
});

export const requestOf = (part: Partial<TrainRequest> = {}): TrainRequest =>
  trainRequestSchema.parse({ model: 'tiny-residual', batch: 4, strategy: 'optimal', iterations: 3, ...part });

export const startEvent = (): TrainEvent => ({
  event: 'start',
  backend: 'wasm',
  backendReason: 'the first that works',
  device: 'WebAssembly',
  model: 'tiny-residual',
  batch: 4,
  input: 32,
  strategy: 'optimal',
  iterations: 3,
  stationaryBytes: 1000,
  predictedPeakBytes: 400,
  predictedOverhead: 0.3,
  recomputeFraction: 1,
  ids: ['a', 'b', 'c'],
  timeline: {
    kinds: [0, 0, 2, 1, 1, 1],
    vertices: [0, 1, 2, 2, 1, 0],
    backwardStart: 3,
    live: series(100),
    checkpoints: series(50),
    recomputed: series(20),
    gradients: series(20),
    auxiliaries: series(10),
  },
});

/** The events of one iteration; measured bytes are off the prediction by `off` in its second step. */
export const iterationEvents = (iteration: number, off = 0): TrainEvent[] => [
  { event: 'steps', iteration, from: 0, bytes: [400, 400 + off, 400, 400, 400, 400] },
  {
    event: 'iteration',
    iteration,
    ms: 10 + iteration,
    loss: 2 - iteration / 10,
    measuredPeakBytes: 400 + off,
    deviceBytes: 5000,
  },
];

export const overheadEvent: TrainEvent = {
  event: 'overhead',
  measured: 0.35,
  quartiles: [0.3, 0.4],
  predicted: 0.3,
  pairs: 2,
  planned: 2,
};

export const doneEvent = (iterations: number): TrainEvent => ({
  event: 'done',
  backend: 'wasm',
  strategy: 'optimal',
  predictedPeakBytes: 400,
  measuredPeakBytes: 400,
  stationaryBytes: 1000,
  iterationMs: Array.from({ length: iterations }, (_, i) => 10 + i),
  loss: Array.from({ length: iterations }, (_, i) => 2 - i / 10),
  medianMs: 11,
  quartilesMs: [10.5, 11.5],
});

export const wholeRun = (iterations = 3): TrainEvent[] => [
  startEvent(),
  ...Array.from({ length: iterations }, (_, i) => iterationEvents(i)).flat(),
  overheadEvent,
  doneEvent(iterations),
];
