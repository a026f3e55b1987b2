import { z } from 'zod';
import { type RunContent, whole } from './recorded-run.ts';
import { medianMs } from './run-content.ts';
import { backendSchema, type TrainRequestInput } from './training.ts';

/** The part of a list's line that follows from a run's request and events; kept beside the run as JSON. */
export const derivedSchema = z.object({
  model: z.string(),
  batch: z.number(),
  /** Side of the input; null before it was known. */
  input: z.number().nullable(),
  strategy: z.string(),
  /** It made classic mistakes on purpose. */
  naive: z.boolean(),
  backend: backendSchema.nullable(),
  device: z.string().nullable(),
  iterations: whole,
  /** Iterations that ended. */
  done: whole,
  medianMs: z.number().nullable(),
  predictedPeakBytes: z.number().nullable(),
  measuredPeakBytes: z.number().nullable(),
  /** Measured in pairs, a share of 1. */
  overhead: z.number().nullable(),
  /** Result of a search for the largest batch. */
  largestBatch: z.number().nullable(),
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
