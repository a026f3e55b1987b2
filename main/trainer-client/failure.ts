import { CancelledError } from '../../engine/errors.ts';
import { type Failure, LabFailure } from '../host/failure.ts';
import type { TrainerFailure } from '../trainer/protocol.ts';

/** The error that a run's stream ends in. */
export function errorOfTrainer(failure: TrainerFailure): Error {
  return failure.code === 'CANCELLED' ? new CancelledError() : new LabFailure(typed(failure));
}

/** The trainer's flat failures in the contract's form. */
function typed(failure: Exclude<TrainerFailure, { code: 'CANCELLED' }>): Failure {
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
