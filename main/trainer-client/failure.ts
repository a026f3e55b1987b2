import type { Backend } from '../../app/contract/backends.ts';
import { CancelledError } from '../../engine/errors.ts';
import { LabFailure } from '../host/failure.ts';
import type { TrainerFailure } from '../trainer/protocol.ts';

/** One run at a time. */
export function busy(): LabFailure {
  const message = 'Another training run is in progress; wait until it ends or cancel it.';
  return new LabFailure({ code: 'BUSY', message, data: {} });
}

/** None of the requested backends works in a process. */
export class NoBackendFailure extends LabFailure {
  /** All backends tried so far, each with its obstacle. */
  readonly skipped: readonly string[];
  /** A backend that works on the processor, if a GPU was requested. */
  readonly onProcessor: Backend | null;

  constructor({ message, skipped, onProcessor }: Extract<TrainerFailure, { code: 'NO_BACKEND' }>) {
    super({ code: 'BAD_INPUT', message, data: { path: 'backend' } });
    this.skipped = skipped;
    this.onProcessor = onProcessor;
  }
}

/** The error that ends a run's stream. */
export function errorOfTrainer(failure: TrainerFailure): Error {
  if (failure.code === 'NO_BACKEND') return new NoBackendFailure(failure);
  return failure.code === 'CANCELLED' ? new CancelledError() : new LabFailure(failure);
}
