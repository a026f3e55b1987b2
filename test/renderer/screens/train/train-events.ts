import type { TrainEvent } from '../../../../app/contract/training.ts';
import type { ScaledTimeline } from '../../../../app/contract/results.ts';
import { eventsOf, experimentOf } from '../../support/fake-lab.ts';

function timelineOf(strategy: string): ScaledTimeline {
  for (const event of eventsOf(experimentOf({ strategies: [strategy], profile: 'tfjs' }))) {
    if (event.type === 'row' && event.timeline !== null) return event.timeline;
  }
  throw new Error(`${strategy} has no timeline`);
}

const TIMELINE = timelineOf('chen-sqrt');
const BATCH = 4;
const LIVE = TIMELINE.live.fixed.map((fixed, i) => fixed + BATCH * (TIMELINE.live.perSample[i] ?? 0));
const PEAK = Math.max(...LIVE);

/** Steps of the schedule that these events are about. */
export const STEPS = LIVE.length;

export function startEvent(): TrainEvent {
  return {
    event: 'start',
    backend: 'wasm',
    backendReason: 'tensorflow is not installed',
    device: 'WebAssembly',
    model: 'tiny-residual',
    batch: BATCH,
    input: 32,
    strategy: 'chen-sqrt',
    iterations: 3,
    stationaryBytes: 1000,
    predictedPeakBytes: PEAK,
    predictedOverhead: 0.3,
    recomputeFraction: 1,
    ids: TIMELINE.vertices.map((vertex) => `v${vertex}`),
    timeline: TIMELINE,
  };
}

/** Measured as predicted, `off` bytes apart. */
export function stepsEvent(iteration: number, from: number, count: number, off = 0): TrainEvent {
  return {
    event: 'steps',
    iteration,
    from,
    bytes: LIVE.slice(from, from + count).map((bytes) => bytes + off),
  };
}

export function iterationEvent(iteration: number, ms: number, loss: number): TrainEvent {
  return { event: 'iteration', iteration, ms, loss, measuredPeakBytes: PEAK };
}

export function doneEvent(iterationMs: number[]): TrainEvent {
  return {
    event: 'done',
    backend: 'wasm',
    strategy: 'chen-sqrt',
    predictedPeakBytes: PEAK,
    measuredPeakBytes: PEAK,
    stationaryBytes: 1000,
    iterationMs,
    loss: iterationMs.map((_, i) => 2 - i / 10),
  };
}
