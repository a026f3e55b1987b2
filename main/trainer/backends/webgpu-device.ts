import * as tf from '@tensorflow/tfjs-core';
import { DeviceLostError, formatBytes, OutOfMemoryError } from '../errors.ts';
import type { OpenBackend } from './backend.ts';

/** What is used of TensorFlow.js's backend object; its own types need the package at run time. */
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

/** Describes TensorFlow.js's current WebGPU device and listens to its failures; in Node and in a page alike. */
export function watchDevice(): OpenBackend {
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
  return {
    name: 'webgpu',
    device: `${name === '' ? 'unnamed GPU' : name}, buffers of at most ${formatBytes(device.limits.maxBufferSize)}`,
    isSoftware: /swiftshader|llvmpipe|lavapipe|software|microsoft basic render/i.test(name),
    memory() {
      const bytes = allocatedBytes();
      peakBytes = Math.max(peakBytes, bytes);
      return { allocatedBytes: bytes, peakBytes, limitBytes: null };
    },
    check() {
      if (failure === null) return;
      const error = failure;
      failure = null;
      throw error;
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

/** Bytes of all buffers, those kept for reuse included. */
function allocatedBytes(): number {
  return (tf.memory() as WebGpuMemory).numBytesAllocatedInGPU ?? 0;
}
