import type { ScaledSeries, ScaledTimeline } from '../../../app/contract/results.ts';
import { type StepAxis, stepAxis } from '../../shared/charts/step-axis.ts';

/** Holders of the live bytes, in the order in which the areas are stacked. */
export const HOLDERS = ['input', 'checkpoints', 'recomputed', 'gradients', 'auxiliaries'] as const;
export type Holder = (typeof HOLDERS)[number];

/** Beside the activations, below them: what never changes, then what comes and goes. */
const DEVICE_HOLDERS = ['constant', 'weightGradients', 'passing'] as const;
export type DeviceHolder = Holder | (typeof DEVICE_HOLDERS)[number];

/** Holders of a curve, in the order in which the areas are stacked. */
export const holdersOf = ({ device }: Pick<SizedTimeline, 'device'>): readonly DeviceHolder[] =>
  device === undefined ? HOLDERS : [...DEVICE_HOLDERS, ...HOLDERS];

export const HOLDER_TITLES: Readonly<Record<DeviceHolder, string>> = {
  constant: 'Weights, optimizer, context',
  weightGradients: 'Weight gradients',
  passing: 'Loss, copies, workspace',
  input: 'Input batch',
  checkpoints: 'Kept activations',
  recomputed: 'Recomputed',
  gradients: 'Gradients',
  auxiliaries: 'Auxiliaries',
};

export interface SizedTimeline {
  readonly timeline: ScaledTimeline;
  readonly batch: number;
  readonly axis: StepAxis;
  readonly live: Float64Array;
  readonly peakBytes: number;
  readonly peakStep: number;
  /** The device's memory, when the curve shows all of it; absent when it shows the activations alone. */
  readonly device?: OnDevice;
}

/** Device memory beside the activations of a step. An instant that is no step is shown at the step before it. */
export interface OnDevice {
  readonly activations: Float64Array;
  /** Held at every instant of every plan, with the context. */
  readonly constantBytes: number;
  /** Gradients of weights that are not there throughout, at each step. */
  readonly gradients: Float64Array;
  readonly loss: ShownAt;
  readonly optimizer: ShownAt;
}

/** An instant between the steps. */
export interface ShownAt {
  /** The step that shows it; null where that step holds more itself. */
  readonly step: number | null;
  readonly activations: number;
}

const sized = new WeakMap<ScaledTimeline, SizedTimeline>();
const axes = new WeakMap<ScaledTimeline, StepAxis>();

/** Bytes of a series at a batch size, above a base: the solver's answer, scaled (O(steps), no new solution). */
export function sizeSeries(series: ScaledSeries, batch: number, base = 0): Float64Array {
  const { fixed, perSample } = series;
  const bytes = new Float64Array(perSample.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = base + (fixed[i] ?? 0) + batch * (perSample[i] ?? 0);
  return bytes;
}

/** The last batch size of each timeline is remembered: the chart, the table and the headline share it. */
export function sizeTimeline(timeline: ScaledTimeline, batch: number): SizedTimeline {
  const known = sized.get(timeline);
  if (known?.batch === batch) return known;
  const axis = axes.get(timeline) ?? stepAxis(timeline.kinds, timeline.backwardStart);
  axes.set(timeline, axis);
  const live = sizeSeries(timeline.live, batch);
  const peakStep = peakStepOf(live);
  const result = { timeline, batch, axis, live, peakStep, peakBytes: live[peakStep] ?? 0 };
  sized.set(timeline, result);
  return result;
}

export function peakStepOf(live: Float64Array): number {
  let peakStep = 0;
  let peak = live[0] ?? 0;
  for (let t = 1; t < live.length; t++) {
    if (live[t]! <= peak) continue;
    peak = live[t]!;
    peakStep = t;
  }
  return peakStep;
}

/** Saved activations at the end of the first forward. */
export function bytesAfterForward({ live, device, timeline }: SizedTimeline): number {
  const activations = device?.activations ?? live;
  return activations[timeline.backwardStart - 1] ?? activations[0] ?? 0;
}

/** Bytes in host memory at each step; null where the plan sends nothing. */
export function hostBytes({ timeline, batch }: SizedTimeline): Float64Array | null {
  return timeline.host === undefined ? null : sizeSeries(timeline.host, batch);
}

export const hostBytesAt = ({ timeline, batch }: SizedTimeline, step: number): number =>
  (timeline.host?.fixed[step] ?? 0) + batch * (timeline.host?.perSample[step] ?? 0);

/** Bytes by holder at one step; the sum is `live[step]`. */
export function holdersAt(at: SizedTimeline, step: number): Readonly<Record<DeviceHolder, number>> {
  const { device } = at;
  if (device === undefined)
    return { constant: 0, weightGradients: 0, passing: 0, ...activationsAt(at, step, at.live[step] ?? 0) };
  const { activations, constantBytes, gradients, loss, optimizer } = device;
  const own = activationsAt(at, step, activations[step] ?? 0);
  const held =
    step === optimizer.step
      ? { ...NO_ACTIVATIONS, input: optimizer.activations }
      : step === loss.step
        ? { ...own, checkpoints: own.checkpoints - ((activations[step] ?? 0) - loss.activations) }
        : own;
  const weightGradients = gradients[step] ?? 0;
  const known = HOLDERS.reduce((sum, holder) => sum + held[holder], constantBytes + weightGradients);
  return { constant: constantBytes, weightGradients, passing: (at.live[step] ?? 0) - known, ...held };
}

const NO_ACTIVATIONS = { input: 0, checkpoints: 0, recomputed: 0, gradients: 0, auxiliaries: 0 };

function activationsAt(at: SizedTimeline, step: number, live: number): Record<Holder, number> {
  const bytes = (series: ScaledSeries): number =>
    (series.fixed[step] ?? 0) + at.batch * (series.perSample[step] ?? 0);
  const { timeline } = at;
  const parts = {
    checkpoints: bytes(timeline.checkpoints),
    recomputed: bytes(timeline.recomputed),
    gradients: bytes(timeline.gradients),
    auxiliaries: bytes(timeline.auxiliaries),
  };
  const others = parts.checkpoints + parts.recomputed + parts.gradients + parts.auxiliaries;
  return { input: Math.max(0, live - others), ...parts };
}
