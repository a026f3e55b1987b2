import * as tf from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';

/** The arguments that TensorFlow.js hands to a kernel of this backend. */
export interface WasmKernelCall<Attributes> {
  readonly inputs: tf.NamedTensorInfoMap;
  readonly backend: BackendWasm;
  readonly attrs: Attributes;
}

/** The values of a tensor in place. Invalid after the next allocation, which may move the heap. */
export function valuesOf(backend: BackendWasm, info: tf.TensorInfo): Float32Array {
  return backend.typedArrayFromHeap(info) as Float32Array;
}

export function allocate(backend: BackendWasm, shape: readonly number[]): tf.TensorInfo {
  return backend.makeOutput([...shape], 'float32');
}

/** Address of a tensor, in bytes from the start of the heap. */
export function addressOf(backend: BackendWasm, info: tf.TensorInfo): number {
  return (backend as unknown as { getMemoryOffset(id: object): number }).getMemoryOffset(info.dataId);
}

interface HeapModule {
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  readonly HEAPU8: Uint8Array;
}

/**
 * Allocates bytes of the heap while the function runs and passes it their address; counted and guarded like tensors.
 */
export function withScratch(backend: BackendWasm, bytes: number, use: (at: number) => void): void {
  const { wasm } = backend as unknown as { readonly wasm: HeapModule };
  const at = wasm._malloc(bytes) >>> 0;
  try {
    use(at);
  } finally {
    wasm._free(at);
  }
}

/** Whole numbers on the heap. Invalid after the next allocation. */
export function intsAt(backend: BackendWasm, at: number, count: number): Int32Array {
  const { wasm } = backend as unknown as { readonly wasm: HeapModule };
  return new Int32Array(wasm.HEAPU8.buffer, at, count);
}

/** Floats on the heap. Invalid after the next allocation. */
export function floatsAt(backend: BackendWasm, at: number, count: number): Float32Array {
  const { wasm } = backend as unknown as { readonly wasm: HeapModule };
  return new Float32Array(wasm.HEAPU8.buffer, at, count);
}

export function release(backend: BackendWasm, info: tf.TensorInfo): void {
  backend.disposeData(info.dataId);
}

export function input(call: { readonly inputs: tf.NamedTensorInfoMap }, name: string): tf.TensorInfo {
  const info = call.inputs[name];
  if (info === undefined) throw new Error(`the kernel lacks its input ${name}`);
  return info;
}

/** Another kernel of this backend, called on tensor infos: no tape, no tensors, no counting. */
export function call(
  backend: BackendWasm,
  name: string,
  inputs: tf.NamedTensorInfoMap,
  attributes: object,
): tf.TensorInfo {
  const config = tf.getKernel(name, 'wasm');
  const output = config.kernelFunc({ inputs, backend, attrs: attributes as tf.NamedAttrMap });
  return output as tf.TensorInfo;
}

/** The same storage under another shape. */
export function reshaped(info: tf.TensorInfo, shape: readonly number[]): tf.TensorInfo {
  return { dataId: info.dataId, shape: [...shape], dtype: info.dtype };
}
