import { backend_util, type TensorInfo } from '@tensorflow/tfjs-core';
import { addressOf, allocate, input, valuesOf, withScratch, type WasmKernelCall } from './heap.ts';
import { simd } from './simd.ts';

interface MaxPoolGradientAttributes {
  readonly filterSize: [number, number] | number;
  readonly strides: [number, number] | number;
  readonly pad: 'same' | 'valid' | number | backend_util.ExplicitPadding;
  readonly dimRoundingMode?: 'floor' | 'round' | 'ceil';
}

/**
 * Gradient of a max pool, [N, H, W, C]: each window's gradient goes to its first maximum. TensorFlow.js's
 * own kernel loses it where a window holds no positive number (it starts from the smallest positive one).
 */
export function maxPoolGradient(kernelCall: WasmKernelCall<MaxPoolGradientAttributes>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const { filterSize, strides, pad, dimRoundingMode } = attrs;
  const x = input(kernelCall, 'input');
  const shape = x.shape as [number, number, number, number];
  const info = backend_util.computePool2DInfo(shape, filterSize, strides, 1, pad, dimRoundingMode);
  const { inHeight, inWidth, inChannels, outHeight, outWidth, filterHeight, filterWidth } = info;
  const gradient = allocate(backend, shape);
  const [input_, output, dy, dx] = [x, input(kernelCall, 'output'), input(kernelCall, 'dy'), gradient].map(
    (tensor) => addressOf(backend, tensor),
  ) as [number, number, number, number];
  withScratch(backend, 4 * inChannels, (found) => {
    valuesOf(backend, gradient).fill(0);
    for (let n = 0; n < info.batchSize; n++) {
      const [above, below] = [inHeight * inWidth, outHeight * outWidth].map(
        (size) => 4 * n * size * inChannels,
      ) as [number, number];
      simd(backend).maxPoolGradient(
        ...[input_ + above, output + below, dy + below, dx + above, found, inHeight, inWidth, inChannels],
        ...[outHeight, outWidth, filterHeight, filterWidth, info.strideHeight, info.strideWidth],
        ...[info.padInfo.top, info.padInfo.left],
      );
    }
  });
  return gradient;
}
