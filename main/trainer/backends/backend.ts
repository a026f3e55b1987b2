import type { Backend as BackendName } from '../../../app/contract/backends.ts';

/** The device's own count, in addition to TensorFlow.js's; null if it has none. */
export interface DeviceMemory {
  /** Bytes allocated on the device now, temporaries and caches included. */
  readonly allocatedBytes: number | null;
  /** Highest value so far. */
  readonly peakBytes: number | null;
  /** Capacity of the device. */
  readonly limitBytes: number | null;
}

/** `emulated`: a GPU emulated by the processor. It is slower than `wasm`, so it is used only on request. */
export type RunsOn = 'gpu' | 'processor' | 'emulated';

/** A backend that TensorFlow.js runs on now. */
export interface OpenBackend {
  readonly name: BackendName;
  /** The device, for people: a name, then facts after commas. */
  readonly device: string;
  readonly runsOn: RunsOn;
  /** A phrase on why it runs on the processor although a GPU exists; absent without such a reason. */
  readonly withoutGpu?: string;
  memory(): DeviceMemory;
  /** @throws OutOfMemoryError or BackendLostError if the device failed since the last call */
  check(): void;
  /** The device failure that caused an error, if one occurred; else the error itself. */
  explain?(error: unknown): Promise<unknown>;
  /** Resolves when the device has finished all work; absent if kernels run synchronously. */
  finish?(): Promise<void>;
  close(): void;
}

/** One way to compute with tensors. */
export interface Backend {
  readonly name: BackendName;
  /**
   * Loads it and makes it TensorFlow.js's current backend.
   * @throws BackendUnavailableError with one phrase on the obstacle
   */
  open(): Promise<OpenBackend>;
}

/** This machine or installation lacks the backend; the message is a phrase like `not installed`. */
export class BackendUnavailableError extends Error {
  override readonly name = 'BackendUnavailableError';
}
