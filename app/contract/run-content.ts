import type { ScaledSeries } from './results.ts';
import type { TrainEvent } from './training.ts';

type EventOf<Name extends TrainEvent['event']> = Extract<TrainEvent, { event: Name }>;
export type StartEvent = EventOf<'start'>;
export type OverheadEvent = EventOf<'overhead'>;
export type CostsEvent = EventOf<'costs'>;
export type DifferenceEvent = EventOf<'difference'>;
export type ProbeEvent = EventOf<'probe'>;
export type LargestEvent = EventOf<'largest'>;

/**
 * What a training run has told so far. The host folds a run's events into it to keep them, a page to draw
 * them, so that a run looks the same live and reopened. Its series are written in place: a run of a
 * hundred thousand iterations must not copy them at each one.
 */
export interface RunContent {
  readonly start: StartEvent | null;
  /** Measured live bytes of every step, the latest iteration over the former ones. */
  readonly measured: Float64Array;
  /** Steps measured in any iteration: from the first one, without holes. */
  readonly known: number;
  /** Where the latest iteration is. */
  readonly iteration: number;
  readonly position: number;
  /** Step with the largest difference between measured and predicted bytes, over all iterations. */
  readonly worst: { readonly step: number; readonly bytes: number };
  readonly measuredPeakBytes: number | null;
  /** The most that the device itself reported; `null` where it cannot tell. */
  readonly deviceBytes: number | null;
  readonly iterationMs: readonly number[];
  readonly loss: readonly number[];
  /** How far naive running statistics are from the right ones after each iteration, shares; else empty. */
  readonly drift: readonly number[];
  /** First and third quartile of the iterations after warm-up; `null` before the end. */
  readonly quartilesMs: readonly [number, number] | null;
  /** Measured in pairs with regular training, by the pairs so far; `null` where no pair was. */
  readonly overhead: OverheadEvent | null;
  /** Times of single operations on this device, where the plan was made by them. */
  readonly costs: CostsEvent | null;
  /** Memory at two batch sizes. */
  readonly difference: DifferenceEvent | null;
  /** Batches tried in the search for the largest, in order. */
  readonly probes: readonly ProbeEvent[];
  readonly largest: LargestEvent | null;
}

const NOTHING = new Float64Array(0);

export const emptyContent = (): RunContent => ({
  start: null,
  measured: NOTHING,
  known: 0,
  iteration: 0,
  position: 0,
  worst: { step: 0, bytes: 0 },
  measuredPeakBytes: null,
  deviceBytes: null,
  iterationMs: [],
  loss: [],
  drift: [],
  quartilesMs: null,
  overhead: null,
  costs: null,
  difference: null,
  probes: [],
  largest: null,
});

/** Whether an event is the last of a run that came to its end. */
export const isLast = ({ event }: TrainEvent): boolean => event === 'done' || event === 'largest';

/** The run after one more event: a new object that shares the former one's series, which have grown. */
export function afterEvent<Run extends RunContent>(run: Run, event: TrainEvent): Run {
  return { ...run, ...changes(run, event) };
}

function changes(run: RunContent, event: TrainEvent): Partial<RunContent> {
  switch (event.event) {
    case 'start':
      return { start: event, measured: new Float64Array(event.timeline.kinds.length) };
    case 'steps':
      return afterSteps(run, event);
    case 'iteration':
      return {
        iterationMs: grown(run.iterationMs, event.ms),
        loss: grown(run.loss, event.loss),
        drift: event.statisticsDrift === undefined ? run.drift : grown(run.drift, event.statisticsDrift),
        measuredPeakBytes: Math.max(run.measuredPeakBytes ?? 0, event.measuredPeakBytes),
        deviceBytes:
          event.deviceBytes == null ? run.deviceBytes : Math.max(run.deviceBytes ?? 0, event.deviceBytes),
      };
    case 'overhead':
      return { overhead: event };
    case 'costs':
      return { costs: event };
    case 'difference':
      return { difference: event };
    case 'probe':
      return { probes: [...run.probes, event] };
    case 'largest':
      return { largest: event };
    case 'done':
      return {
        measuredPeakBytes: event.measuredPeakBytes,
        quartilesMs: event.quartilesMs ?? null,
        iterationMs: event.iterationMs,
        loss: event.loss,
      };
    // What a run is doing just now is nothing to keep.
    case 'progress':
    case 'paused':
      return {};
  }
}

function afterSteps(run: RunContent, event: EventOf<'steps'>): Partial<RunContent> {
  const { measured, start } = run;
  let { worst } = run;
  const end = Math.min(event.from + event.bytes.length, measured.length);
  for (let step = event.from; step < end; step++) {
    const bytes = event.bytes[step - event.from] ?? 0;
    measured[step] = bytes;
    const difference = start === null ? 0 : bytes - bytesAt(start.timeline.live, step, start.batch);
    if (Math.abs(difference) > Math.abs(worst.bytes)) worst = { step, bytes: difference };
  }
  return { worst, known: Math.max(run.known, end), iteration: event.iteration, position: end };
}

/** Bytes of one step at a batch size. */
export const bytesAt = ({ fixed, perSample }: ScaledSeries, step: number, batch: number): number =>
  (fixed[step] ?? 0) + batch * (perSample[step] ?? 0);

function grown(values: readonly number[], value: number): readonly number[] {
  (values as number[]).push(value);
  return values;
}

/** Median, so that the first iteration's warm-up does not count. */
export function medianMs(times: readonly number[]): number | null {
  if (times.length === 0) return null;
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
