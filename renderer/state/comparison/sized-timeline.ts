import type { ScaledSeries, ScaledTimeline } from '../../../app/contract/results.ts';
import { type StepAxis, stepAxis } from '../../shared/charts/step-axis.ts';

/** Holders of the live bytes, in the order in which the areas are stacked. */
export const HOLDERS = ['input', 'checkpoints', 'recomputed', 'gradients', 'auxiliaries'] as const;
export type Holder = (typeof HOLDERS)[number];

export const HOLDER_TITLES: Readonly<Record<Holder, string>> = {
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
}

const sized = new WeakMap<ScaledTimeline, SizedTimeline>();
const axes = new WeakMap<ScaledTimeline, StepAxis>();

/** Bytes of a series at a batch size: the solver's answer, scaled (O(steps), no new solution). */
export function sizeSeries(series: ScaledSeries, batch: number): Float64Array {
  const { fixed, perSample } = series;
  const bytes = new Float64Array(perSample.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (fixed[i] ?? 0) + batch * (perSample[i] ?? 0);
  return bytes;
}

/** The last batch size of each timeline is remembered: the chart, the table and the headline share it. */
export function sizeTimeline(timeline: ScaledTimeline, batch: number): SizedTimeline {
  const known = sized.get(timeline);
  if (known?.batch === batch) return known;
  const axis = axes.get(timeline) ?? stepAxis(timeline.kinds, timeline.backwardStart);
  axes.set(timeline, axis);
  const live = sizeSeries(timeline.live, batch);
  let peakStep = 0;
  for (let t = 1; t < live.length; t++) if ((live[t] ?? 0) > (live[peakStep] ?? 0)) peakStep = t;
  const result = { timeline, batch, axis, live, peakStep, peakBytes: live[peakStep] ?? 0 };
  sized.set(timeline, result);
  return result;
}

/** Saved activations at the end of the first forward. */
export const bytesAfterForward = ({ live, timeline }: SizedTimeline): number =>
  live[timeline.backwardStart - 1] ?? live[0] ?? 0;

/** Bytes in host memory at each step; null where the plan sends nothing. */
export function hostBytes({ timeline, batch }: SizedTimeline): Float64Array | null {
  return timeline.host === undefined ? null : sizeSeries(timeline.host, batch);
}

export const hostBytesAt = ({ timeline, batch }: SizedTimeline, step: number): number =>
  (timeline.host?.fixed[step] ?? 0) + batch * (timeline.host?.perSample[step] ?? 0);

/** Bytes by holder at one step; the sum is `live[step]`. */
export function holdersAt(at: SizedTimeline, step: number): Readonly<Record<Holder, number>> {
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
  return { input: Math.max(0, (at.live[step] ?? 0) - others), ...parts };
}
