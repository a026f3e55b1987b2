import type { RunContent } from './recorded-run.ts';
import type { ScaledSeries } from './results.ts';
import type { TrainEventOf, TrainEvent } from './training.ts';

/** Failure of a run without a last event. */
export const INCOMPLETE = 'The run ended before it was complete.';

/** True for the last event of a completed run. */
export const isLast = ({ event }: TrainEvent): boolean => event === 'done' || event === 'largest';

/**
 * The run after one more event. The host folds a run's events so to keep them, a page to draw them, so that a
 * run looks the same live and reopened. It is a new object that shares the previous one's series, which are
 * written in place: a run of a hundred thousand iterations must not copy them at each one.
 */
export function afterEvent<Run extends RunContent>(run: Run, event: TrainEvent): Run {
  return { ...run, ...changes(run, event) };
}

function changes(run: RunContent, event: TrainEvent): Partial<RunContent> {
  switch (event.event) {
    case 'start':
      return { start: event };
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
    // Progress is not stored.
    case 'progress':
    case 'paused':
      return {};
  }
}

function afterSteps(run: RunContent, event: TrainEventOf<'steps'>): Partial<RunContent> {
  const { start } = run;
  if (start === null) return {};
  const measured = run.measured as number[];
  let { worst } = run;
  const end = Math.min(event.from + event.bytes.length, start.timeline.kinds.length);
  for (let step = event.from; step < end; step++) {
    const bytes = event.bytes[step - event.from] ?? 0;
    measured[step] = bytes;
    const difference = bytes - bytesAt(start.timeline.live, step, start.batch);
    if (Math.abs(difference) > Math.abs(worst.bytes)) worst = { step, bytes: difference };
  }
  return { worst, iteration: event.iteration, position: end };
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
