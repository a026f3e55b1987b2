import * as tf from '@tensorflow/tfjs-core';
import { InternalError } from '../../engine/errors.ts';

/** A tensor's values outside the backend, with the data to rebuild the tensor. */
interface HostCopy {
  readonly values: tf.TypedArray;
  readonly shape: readonly number[];
  readonly dtype: tf.DataType;
}

/**
 * Tensors that a schedule has sent to host memory: values in JavaScript, which TensorFlow.js does not count. The source
 * of a copy may be disposed afterwards. If the backend runs on the processor, both are in the same machine's memory.
 */
export class HostCopies {
  readonly #copies = new Map<number, HostCopy>();

  /** Waits until the device has transferred the values. Tensors never change, so one copy is enough. */
  async send(v: number, tensor: tf.Tensor): Promise<void> {
    const { shape, dtype } = tensor;
    const values = await tensor.data();
    this.#copies.set(v, { values, shape, dtype });
  }

  /** A new tensor on the device, bit-identical to the one sent. The copy stays. */
  fetch(v: number): tf.Tensor {
    const copy = this.#copies.get(v);
    if (copy === undefined) throw new InternalError(`no copy of vertex ${v} was sent`);
    return tf.tensor(copy.values, [...copy.shape], copy.dtype);
  }

  release(v: number): void {
    this.#copies.delete(v);
  }

  get bytes(): number {
    let bytes = 0;
    for (const { values } of this.#copies.values()) bytes += values.byteLength;
    return bytes;
  }

  clear(): void {
    this.#copies.clear();
  }
}
