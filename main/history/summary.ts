import type { z } from 'zod';
import { runSummarySchema } from '../../app/contract/history.ts';
import { medianMs, type RunContent } from '../../app/contract/run-content.ts';
import type { TrainRequest } from '../../app/contract/training.ts';

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

export function derive(request: TrainRequest, run: RunContent): Derived {
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

/** What is small and changes while a run goes on, as JSON. */
export const factsOf = (run: RunContent) => ({
  iteration: run.iteration,
  position: run.position,
  worst: run.worst,
  measuredPeakBytes: run.measuredPeakBytes,
  deviceBytes: run.deviceBytes,
  quartilesMs: run.quartilesMs,
  overhead: run.overhead,
  costs: run.costs,
  difference: run.difference,
  probes: run.probes,
  largest: run.largest,
});
