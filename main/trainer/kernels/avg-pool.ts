import * as tf from '@tensorflow/tfjs-core';
import type { Shape } from '../../../engine/ops/definition.ts';
import type { PoolOp } from '../../../engine/ops/pool.ts';
import { copyOf, type Kernel, kept, NO_PARAMETERS, runKernel } from './kernel.ts';
import { explicitPadding, isPadded, reachPadding } from './window.ts';

/**
 * Average pool with PyTorch's divisors. Backends disagree on padding, so the input is padded first and the kernel
 * averages whole windows only. If a window's divisor is not its size (uncounted padding, a last window in ceil mode),
 * the result is scaled.
 */
export const avgPoolKernel: Kernel<PoolOp> = {
  parameters: NO_PARAMETERS,
  forward({ op, inputs, outputShape }) {
    const x = kept(inputs[0], 'its input');
    const [n = 1, h = 1, w = 1, c = 1] = x.shape;
    const inputShape = [n, c, h, w];
    const padding = reachPadding(op, inputShape, outputShape);
    const padded = isPadded(padding) ? tf.pad(x, explicitPadding(padding)) : x;
    const scale = divisorScale(op, inputShape, outputShape);
    const mean = averagePool(padded, op.kernel, op.stride);
    return { output: scale === null ? mean : tf.mul(mean, scale), aux: [] };
  },
  backward({ op, gradient, inputShapes, outputShape, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const [n = 1, c = 1, h = 1, w = 1] = inputShapes[0] ?? [];
    const [top, bottom, left, right] = reachPadding(op, [n, c, h, w], outputShape);
    const scale = divisorScale(op, [n, c, h, w], outputShape);
    const dy = scale === null ? gradient : tf.mul(gradient, scale);
    const mirrored = mirroredPadding(op, [top, bottom, left, right]);
    if (mirrored !== null) {
      const padded = isPadded(mirrored) ? tf.pad(dy, explicitPadding(mirrored)) : dy;
      return { inputs: [averagePool(padded, op.kernel, op.stride)], parameters: [] };
    }
    const padded: [number, number, number, number] = [n, h + top + bottom, w + left + right, c];
    const dx = averagePoolGradient(dy, padded, op.kernel, op.stride);
    const whole = !isPadded([top, bottom, left, right]);
    return { inputs: [whole ? dx : tf.slice(dx, [0, top, left, 0], [n, h, w, c])], parameters: [] };
  },
};

/**
 * At stride 1 the gradient of an average pool is the same pool over the padded gradient, which every
 * backend does faster than its gradient kernel: the padding for that, or null elsewhere.
 */
function mirroredPadding(
  { kernel, stride }: PoolOp,
  [top, bottom, left, right]: readonly [number, number, number, number],
): readonly [number, number, number, number] | null {
  if (stride[0] !== 1 || stride[1] !== 1) return null;
  const mirrored = [
    kernel[0] - 1 - top,
    kernel[0] - 1 - bottom,
    kernel[1] - 1 - left,
    kernel[1] - 1 - right,
  ] as const;
  return mirrored.every((extent) => extent >= 0) ? mirrored : null;
}

/** Mean over windows without padding. A window of one element copies. */
export function averagePool(x: tf.Tensor, kernel: readonly number[], stride: readonly number[]): tf.Tensor {
  if ([...kernel, ...stride].every((extent) => extent === 1)) return copyOf(x);
  return runKernel('AvgPool', { x }, { filterSize: [...kernel], strides: [...stride], pad: 'valid' });
}

/** Gradient of `averagePool` by its input of the given shape, [N, H, W, C]. */
export function averagePoolGradient(
  dy: tf.Tensor,
  inputShape: readonly [number, number, number, number],
  kernel: readonly number[],
  stride: readonly number[],
): tf.Tensor {
  if ([...kernel, ...stride].every((extent) => extent === 1)) return copyOf(dy);
  // The kernel reads nothing of its input but the shape.
  const input = tf.fill([...inputShape], 0);
  return runKernel(
    'AvgPoolGrad',
    { dy, input },
    { filterSize: [...kernel], strides: [...stride], pad: 'valid' },
  );
}

/** Window size / divisor for every place of the output, [1, H, W, 1]; null if all are 1. */
function divisorScale(op: PoolOp, input: Shape, output: Shape): tf.Tensor | null {
  const [down, along] = [0, 1].map((axis) => {
    const [before, after] = axis === 0 ? [op.padding[0], op.padding[1]] : [op.padding[2], op.padding[3]];
    const extent = input[axis + 2] ?? 1;
    const kernel = op.kernel[axis] ?? 1;
    return Array.from({ length: output[axis + 2] ?? 1 }, (_place, i) => {
      const start = i * (op.stride[axis] ?? 1) - before;
      // Elements past the stated padding never count.
      const end = Math.min(start + kernel, extent + after);
      const counted = op.countIncludePad ? end - start : Math.min(end, extent) - Math.max(start, 0);
      return kernel / counted;
    });
  }) as [number[], number[]];
  if (down.every((share) => share === 1) && along.every((share) => share === 1)) return null;
  const values = down.flatMap((vertical) => along.map((horizontal) => vertical * horizontal));
  return tf.tensor(values, [1, down.length, along.length, 1]);
}
