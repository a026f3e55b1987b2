import * as tf from '@tensorflow/tfjs-core';
import { runKernel } from './kernels/kernel.ts';
import { backendTraits } from './kernels/traits.ts';

export interface SgdOptions {
  readonly learningRate: number;
  readonly momentum: number;
}

/** The change of one parameter by a training step. */
export interface Descending {
  readonly parameter: tf.Tensor;
  readonly velocity: tf.Tensor;
}

/**
 * Stochastic gradient descent with momentum as PyTorch's: velocity = momentum * velocity + gradient.
 * Takes over parameter and velocity, and hands back what takes their place.
 */
export interface Descent {
  step(old: Descending, gradient: tf.Tensor): Descending;
  end(): void;
}

/** On any backend. */
export function openDescent({ learningRate, momentum }: SgdOptions): Descent {
  return {
    step(old, gradient) {
      if (backendTraits().fuses) {
        const parameter = runKernel('ZigzagDescent', { ...old, gradient }, { learningRate, momentum });
        old.parameter.dispose();
        return { parameter, velocity: old.velocity };
      }
      // Frees each temporary early: parameters can take a large part of the device's memory.
      const velocity = replaced(old.velocity, momentum, (kept) => tf.add(kept, gradient));
      const change = tf.mul(velocity, learningRate);
      const parameter = tf.sub(old.parameter, change);
      tf.dispose([old.parameter, change]);
      return { parameter, velocity };
    },
    end: () => undefined,
  };
}

/** `next(old * factor)`; disposes the old tensor and the product. */
function replaced(old: tf.Tensor, factor: number, next: (scaled: tf.Tensor) => tf.Tensor): tf.Tensor {
  const scaled = tf.mul(old, factor);
  old.dispose();
  const result = next(scaled);
  scaled.dispose();
  return result;
}
