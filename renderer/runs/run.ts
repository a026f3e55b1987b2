import type { LabFailureView } from '../../app/contract/client.ts';
import type { TrainEvent, TrainRequestInput } from '../../app/contract/training.ts';
import { type SizedTimeline, sizeTimeline } from '../shared/sized-timeline.ts';

export type StartEvent = Extract<TrainEvent, { event: 'start' }>;
export type OverheadEvent = Extract<TrainEvent, { event: 'overhead' }>;
export type RunOutcome = 'running' | 'done' | 'cancelled' | 'failed';

/** One training run of this session. The measured curve is one array for all iterations, written in place. */
export interface Run {
  readonly id: number;
  readonly request: TrainRequestInput;
  readonly outcome: RunOutcome;
  readonly failure: LabFailureView | null;
  readonly start: StartEvent | null;
  /** The prediction at the run's batch; `null` before the start. */
  readonly predicted: SizedTimeline | null;
  /** Measured bytes of every step, the latest iteration over the former ones. */
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
  /** First and third quartile after warm-up; `null` before the end. */
  readonly quartilesMs: readonly [number, number] | null;
  readonly loss: readonly number[];
  /** How far naive running statistics are from the right ones, a share; `null` where they are right. */
  readonly statisticsDrift: number | null;
  /** Measured in pairs with regular training, by the pairs so far; `null` where no pair was. */
  readonly overhead: OverheadEvent | null;
}

const NOTHING = new Float64Array(0);

export function newRun(id: number, request: TrainRequestInput): Run {
  return {
    id,
    request,
    outcome: 'running',
    failure: null,
    start: null,
    predicted: null,
    measured: NOTHING,
    known: 0,
    iteration: 0,
    position: 0,
    worst: { step: 0, bytes: 0 },
    measuredPeakBytes: null,
    deviceBytes: null,
    iterationMs: [],
    quartilesMs: null,
    loss: [],
    statisticsDrift: null,
    overhead: null,
  };
}

/** The run after one more event. */
export function afterEvent(run: Run, event: TrainEvent): Run {
  switch (event.event) {
    case 'start': {
      const predicted = sizeTimeline(event.timeline, event.batch);
      return { ...run, start: event, predicted, measured: new Float64Array(predicted.live.length) };
    }
    case 'steps':
      return afterSteps(run, event);
    case 'iteration':
      return {
        ...run,
        iterationMs: [...run.iterationMs, event.ms],
        loss: [...run.loss, event.loss],
        statisticsDrift: event.statisticsDrift ?? run.statisticsDrift,
        measuredPeakBytes: Math.max(run.measuredPeakBytes ?? 0, event.measuredPeakBytes),
        deviceBytes:
          event.deviceBytes == null ? run.deviceBytes : Math.max(run.deviceBytes ?? 0, event.deviceBytes),
      };
    case 'overhead':
      return { ...run, overhead: event };
    // Asked for on the command line only.
    case 'probe':
    case 'largest':
    case 'costs':
    case 'difference':
    case 'paused':
    // Shown by the iterations themselves.
    case 'progress':
      return run;
    case 'done':
      return {
        ...run,
        outcome: 'done',
        measuredPeakBytes: event.measuredPeakBytes,
        iterationMs: event.iterationMs,
        quartilesMs: event.quartilesMs ?? null,
        loss: event.loss,
      };
  }
}

function afterSteps(run: Run, event: Extract<TrainEvent, { event: 'steps' }>): Run {
  const { measured, predicted } = run;
  let { worst } = run;
  const end = Math.min(event.from + event.bytes.length, measured.length);
  for (let step = event.from; step < end; step++) {
    const bytes = event.bytes[step - event.from] ?? 0;
    measured[step] = bytes;
    const difference = bytes - (predicted?.live[step] ?? bytes);
    if (Math.abs(difference) > Math.abs(worst.bytes)) worst = { step, bytes: difference };
  }
  return {
    ...run,
    worst,
    known: Math.max(run.known, end),
    iteration: event.iteration,
    position: end,
  };
}

/** Median, so that the first iteration's warm-up does not count. */
export function medianMs(times: readonly number[]): number | null {
  if (times.length === 0) return null;
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
