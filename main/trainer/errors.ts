import type { Backend } from '../../app/contract/backends.ts';
import { BadInputError, CancelledError, InfeasibleError } from '../../engine/errors.ts';
import { failureFrom } from '../host/failure.ts';
import type { TrainerFailure } from './protocol.ts';

/** The device is out of memory, or the user's cap is reached. Nothing was corrupted; the next run works. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError';
  /** Bytes needed when it stopped; null if unknown. */
  readonly bytes: number | null;

  constructor(message: string, bytes: number | null) {
    super(message);
    this.bytes = bytes;
  }
}

/** Messages of libraries about lack of memory: TensorFlow's status RESOURCE_EXHAUSTED, V8's buffers. */
const NO_ROOM = /Invalid TF_Status: 8\b|OOM when allocating|Array buffer allocation failed/;

/** The same error, typed if it is a library's out-of-memory error. */
export function typedError(error: unknown): unknown {
  if (!(error instanceof Error) || !NO_ROOM.test(error.message)) return error;
  const [line = ''] = error.message.replace(/^Invalid TF_Status: 8\s*(Message: )?/, '').split('\n');
  return new OutOfMemoryError(
    `the device has no room (${line.slice(0, 160)}); choose a smaller batch or another strategy`,
    null,
  );
}

/** The GPU was reset, removed or taken away. This process cannot open it again; a new one can. */
export class DeviceLostError extends Error {
  override readonly name = 'DeviceLostError';

  constructor(reason: string) {
    super(`the GPU was lost (${reason}); the next run opens it again`);
  }
}

/** None of the tried backends works. */
export class NoBackendError extends BadInputError {
  /** Each with its obstacle. */
  readonly skipped: readonly string[];
  /** The first working backend on the processor, if a GPU was requested. */
  readonly onProcessor: Backend | null;

  constructor(skipped: readonly string[], onProcessor: Backend | null = null) {
    super(`no backend works here (${skipped.join('; ')})`, 'backend');
    this.skipped = skipped;
    this.onProcessor = onProcessor;
  }
}

/** Another run is in progress in this process. */
export class BusyError extends Error {
  override readonly name = 'BusyError';

  constructor() {
    super('a training run is in progress; wait until it ends or cancel it');
  }
}

/** Any error as the message that crosses the process boundary. */
export function failureOf(error: unknown): TrainerFailure {
  const message = error instanceof Error ? error.message : String(error);
  const detail = error instanceof Error ? (error.stack ?? message) : message;
  if (error instanceof OutOfMemoryError) {
    return { code: 'OUT_OF_MEMORY', message, data: { bytes: error.bytes } };
  }
  if (error instanceof NoBackendError) {
    const { skipped, onProcessor } = error;
    return { code: 'NO_BACKEND', message, skipped, onProcessor };
  }
  if (error instanceof BusyError) return { code: 'BUSY', message, data: {} };
  if (error instanceof CancelledError) return { code: 'CANCELLED', message };
  if (error instanceof BadInputError || error instanceof InfeasibleError) return failureFrom(error);
  const sentence = error instanceof DeviceLostError ? message : `the trainer failed: ${message}`;
  return { code: 'INTERNAL', message: sentence, data: { detail } };
}
