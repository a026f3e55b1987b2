import { CancelledError } from '../../engine/errors.ts';
import { type Failure, LabFailure } from '../host/failure.ts';
import type { TrainerFailure } from '../trainer/protocol.ts';

/** One run at a time. */
export function busy(): LabFailure {
  const message = 'Another training run is in progress; wait until it ends or cancel it.';
  return new LabFailure({ code: 'BUSY', message, data: {} });
}

/** None of the backends that a process was asked to try works there. */
export class NoBackendFailure extends LabFailure {
  /** All that were tried so far, with what stood in the way of each. */
  readonly skipped: readonly string[];

  constructor(message: string, skipped: readonly string[]) {
    super({ code: 'BAD_INPUT', message, data: { path: 'backend' } });
    this.skipped = skipped;
  }
}

/** The error that a run's stream ends in. */
export function errorOfTrainer(failure: TrainerFailure): Error {
  if (failure.code === 'NO_BACKEND') return new NoBackendFailure(failure.message, failure.skipped);
  return failure.code === 'CANCELLED' ? new CancelledError() : new LabFailure(typed(failure));
}

/** The trainer's flat failures in the contract's form. */
function typed(failure: Exclude<TrainerFailure, { code: 'CANCELLED' | 'NO_BACKEND' }>): Failure {
  const { message } = failure;
  switch (failure.code) {
    case 'BAD_INPUT':
      return { code: failure.code, message, data: { path: failure.path } };
    case 'INFEASIBLE':
      return { code: failure.code, message, data: { leastBytes: failure.leastBytes } };
    case 'OUT_OF_MEMORY':
      return { code: failure.code, message, data: { bytes: failure.bytes } };
    case 'BUSY':
      return { code: failure.code, message, data: {} };
    case 'INTERNAL':
      return { code: failure.code, message, data: { detail: failure.detail } };
  }
}
