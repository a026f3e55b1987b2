import type { Backend as BackendName } from '../../../app/contract/backends.ts';

/** The device's own count, beside TensorFlow.js's; null if it has none. */
export interface DeviceMemory {
  /** Bytes allocated on the device now, temporaries and caches included. */
  readonly allocatedBytes: number | null;
  /** The most so far. */
  readonly peakBytes: number | null;
  /** Capacity of the device. */
  readonly limitBytes: number | null;
}

/** `emulated`: a GPU that the processor imitates, slower than `wasm`, so never chosen by itself. */
export type RunsOn = 'gpu' | 'processor' | 'emulated';

/** A backend that TensorFlow.js runs on now. */
export interface OpenBackend {
  readonly name: BackendName;
  /** The device, for people: a name, then facts after commas. */
  readonly device: string;
  readonly runsOn: RunsOn;
  /** Why it runs on the processor though it could use a GPU, as a phrase; absent where there is nothing to say. */
  readonly withoutGpu?: string;
  memory(): DeviceMemory;
  /** @throws OutOfMemoryError or BackendLostError when the device failed since the last call */
  check(): void;
  /** The device's failure behind an error that it caused, where it had one in the meantime; else that error. */
  explain?(error: unknown): Promise<unknown>;
  /** Resolves when the device has done all it was told; absent where kernels run when they are called. */
  finish?(): Promise<void>;
  close(): void;
}

/** One way to run tensors. */
export interface Backend {
  readonly name: BackendName;
  /**
   * Loads it and makes it TensorFlow.js's current backend.
   * @throws BackendUnavailableError with one phrase that says what stood in the way
   */
  open(): Promise<OpenBackend>;
}

/** This machine or installation lacks the backend; the message is a phrase like `not installed`. */
export class BackendUnavailableError extends Error {
  override readonly name = 'BackendUnavailableError';
}
