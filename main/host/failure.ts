import type { z } from 'zod';
import type { LabErrorCode, labErrors } from '../../app/contract/errors.ts';
import { BadInputError, InfeasibleError } from '../../engine/errors.ts';

type FailureOf<Code extends LabErrorCode> = {
  readonly code: Code;
  /** One sentence for people. */
  readonly message: string;
  readonly data: z.infer<(typeof labErrors)[Code]['data']>;
};

/** A typed failure as plain data, so that it can cross threads, processes and carriers unchanged. */
export type Failure = { [Code in LabErrorCode]: FailureOf<Code> }[LabErrorCode];

/** A failure on its way to the caller. */
export class LabFailure extends Error {
  override readonly name = 'LabFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Sorts a thrown value into bad input, infeasible, or internal error; a typed failure stays as it is. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof LabFailure) return error.failure;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof BadInputError) return { code: 'BAD_INPUT', message, data: { path: error.path } };
  if (error instanceof InfeasibleError) return { code: 'INFEASIBLE', message, data: { leastBytes: null } };
  const detail = error instanceof Error ? (error.stack ?? message) : message;
  return { code: 'INTERNAL', message: `Zigzag made a mistake: ${message}`, data: { detail } };
}

export function workerDied(worker: 'solver' | 'trainer' | 'history', reason: string): LabFailure {
  const message = `The ${worker} stopped unexpectedly (${reason}); the next request starts a new one.`;
  return new LabFailure({ code: 'WORKER_DIED', message, data: { worker, reason } });
}
