import type { Backend } from '../../app/contract/backends.ts';
import { BadInputError, CancelledError, InfeasibleError } from '../../engine/errors.ts';
import { failureFrom } from '../host/failure.ts';
import type { TrainerFailure } from './protocol.ts';

/** The device, or the cap that the user set, has no room. Nothing was corrupted; the next run works. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError';
  /** Bytes that were needed when it stopped; null when nobody can tell. */
  readonly bytes: number | null;

  constructor(message: string, bytes: number | null) {
    super(message);
    this.bytes = bytes;
  }
}

/** How libraries below say that there is no room: TensorFlow's status RESOURCE_EXHAUSTED, V8's buffers. */
const NO_ROOM = /Invalid TF_Status: 8\b|OOM when allocating|Array buffer allocation failed/;

/** The same error, typed when it is a library's way to say that there is no room. */
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

/** None of the backends that were tried works. */
export class NoBackendError extends BadInputError {
  /** Each with what stood in its way. */
  readonly skipped: readonly string[];
  /** The first that does work, but on the processor, where a GPU was asked for. */
  readonly onProcessor: Backend | null;

  constructor(skipped: readonly string[], onProcessor: Backend | null = null) {
    super(`no backend works here (${skipped.join('; ')})`, 'backend');
    this.skipped = skipped;
    this.onProcessor = onProcessor;
  }
}

/** Another run is under way in this process. */
export class BusyError extends Error {
  override readonly name = 'BusyError';

  constructor() {
    super('a training run is under way; cancel it or wait for its end');
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
