import * as tf from '@tensorflow/tfjs-core';
import { BadInputError, CancelledError, InfeasibleError } from '../../../engine/errors.ts';
import { formatBytes } from '../../../engine/bytes.ts';
import { DeviceLostError, OutOfMemoryError } from '../errors.ts';
import type { OpenBackend } from './backend.ts';

/** The used part of TensorFlow.js's backend object, whose own types need the package at run time. */
interface WebGpuInternals {
  readonly device: GPUDevice;
  ensureCommandEncoderReady(): void;
  endComputePassEncoder(): void;
  submitQueue(): void;
  readonly adapterInfo: {
    readonly vendor?: string;
    readonly architecture?: string;
    readonly description?: string;
  };
}

interface WebGpuMemory {
  readonly numBytesAllocatedInGPU?: number;
}

const LOSS_IS_TOLD_MS = 500;
const EMULATED = /swiftshader|llvmpipe|lavapipe|software|microsoft basic render/i;

/** Describes TensorFlow.js's current WebGPU device and listens to its failures; in Node and in a page alike. */
export function watchDevice(): OpenBackend {
  // Otherwise small tensors from the host are computed on the processor, with other last bits than on the device.
  tf.env().set('WEBGPU_CPU_FORWARD', false);
  const internals = tf.backend() as unknown as WebGpuInternals;
  const { device, adapterInfo } = internals;
  let failure: Error | null = null;
  let peakBytes = 0;
  device.addEventListener('uncapturederror', (event) => {
    const { error } = event as GPUUncapturedErrorEvent;
    const isMemory = error.constructor.name === 'GPUOutOfMemoryError';
    failure ??= isMemory
      ? new OutOfMemoryError(
          `the GPU has no room for another buffer (${formatBytes(allocatedBytes())} allocated); choose a smaller batch or another strategy`,
          allocatedBytes(),
        )
      : new Error(`WebGPU refused a command: ${error.message}`);
  });
  void device.lost.then((info) => {
    failure ??= new DeviceLostError(info.message === '' ? info.reason : info.message);
  });
  const name = [adapterInfo.vendor, adapterInfo.architecture, adapterInfo.description]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const check = (): void => {
    if (failure === null) return;
    const error = failure;
    failure = null;
    throw error;
  };
  return {
    name: 'webgpu',
    device: `${name === '' ? 'unnamed GPU' : name}, buffers of at most ${formatBytes(device.limits.maxBufferSize)}`,
    runsOn: EMULATED.test(name) ? 'emulated' : 'gpu',
    memory() {
      const bytes = allocatedBytes();
      peakBytes = Math.max(peakBytes, bytes);
      return { allocatedBytes: bytes, peakBytes, limitBytes: null };
    },
    check,
    async explain(error) {
      if (!isUnexplained(error)) return error;
      // Calls that wait for a lost device fail before the loss is reported.
      await Promise.race([device.lost, new Promise((resolve) => setTimeout(resolve, LOSS_IS_TOLD_MS))]);
      try {
        check();
        return error;
      } catch (cause) {
        return cause;
      }
    },
    async finish() {
      internals.ensureCommandEncoderReady();
      internals.endComputePassEncoder();
      internals.submitQueue();
      await device.queue.onSubmittedWorkDone();
    },
    close: () => undefined,
  };
}

/** True for an error that a failed device may have caused, unlike a cancelled run or a bad request. */
function isUnexplained(error: unknown): boolean {
  return !(
    error instanceof CancelledError ||
    error instanceof BadInputError ||
    error instanceof InfeasibleError ||
    error instanceof OutOfMemoryError ||
    error instanceof DeviceLostError
  );
}

/** Bytes of all buffers, those kept for reuse included. */
function allocatedBytes(): number {
  return (tf.memory() as WebGpuMemory).numBytesAllocatedInGPU ?? 0;
}
