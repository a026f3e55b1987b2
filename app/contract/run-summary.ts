import type { z } from 'zod';
import { runSummarySchema } from './history.ts';
import { medianMs, type RunContent } from './run-content.ts';
import type { TrainRequestInput } from './training.ts';

/** The part of a list's line that follows from a run's request and events; kept beside the run as JSON. */
export const derivedSchema = runSummarySchema.pick({
  model: true,
  batch: true,
  input: true,
  strategy: true,
  naive: true,
  backend: true,
  device: true,
  iterations: true,
  done: true,
  medianMs: true,
  predictedPeakBytes: true,
  measuredPeakBytes: true,
  overhead: true,
  largestBatch: true,
});

export type Derived = z.infer<typeof derivedSchema>;

/** @param request of the run, with or without what is usual */
export function derive(
  request: TrainRequestInput,
  run: Pick<RunContent, 'start' | 'iterationMs' | 'measuredPeakBytes' | 'overhead' | 'largest'>,
): Derived {
  const { start } = run;
  return {
    model: request.model,
    batch: request.batch,
    input: start?.input ?? request.input ?? null,
    strategy: request.strategy,
    naive: request.naiveStatistics === true || request.naiveDropout === true,
    backend: start?.backend ?? request.backend ?? null,
    device: start?.device ?? null,
    iterations: request.iterations,
    done: run.iterationMs.length,
    medianMs: medianMs(run.iterationMs),
    predictedPeakBytes: start?.predictedPeakBytes ?? null,
    measuredPeakBytes: run.measuredPeakBytes,
    overhead: run.overhead?.measured ?? null,
    largestBatch: run.largest?.batch ?? null,
  };
}
