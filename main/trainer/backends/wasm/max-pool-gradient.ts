import { backend_util, type TensorInfo } from '@tensorflow/tfjs-core';
import { allocate, input, valuesOf, type WasmKernelCall } from './heap.ts';

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
  const gradient = allocate(backend, shape);
  const xs = valuesOf(backend, x);
  const ys = valuesOf(backend, input(kernelCall, 'output'));
  const dys = valuesOf(backend, input(kernelCall, 'dy'));
  const dxs = valuesOf(backend, gradient);
  dxs.fill(0);
  const c = info.inChannels;
  const found = new Uint8Array(c);
  let out = 0;
  for (let n = 0; n < info.batchSize; n++) {
    for (let oh = 0; oh < info.outHeight; oh++) {
      const top = oh * info.strideHeight - info.padInfo.top;
      const rowEnd = Math.min(info.inHeight, top + info.filterHeight);
      for (let ow = 0; ow < info.outWidth; ow++) {
        const left = ow * info.strideWidth - info.padInfo.left;
        const columnEnd = Math.min(info.inWidth, left + info.filterWidth);
        found.fill(0);
        for (let ih = Math.max(0, top); ih < rowEnd; ih++) {
          for (let iw = Math.max(0, left); iw < columnEnd; iw++) {
            const at = ((n * info.inHeight + ih) * info.inWidth + iw) * c;
            for (let i = 0; i < c; i++) {
              if (found[i] === 0 && xs[at + i] === ys[out + i]) {
                found[i] = 1;
                dxs[at + i]! += dys[out + i]!;
              }
            }
          }
        }
        out += c;
      }
    }
  }
  return gradient;
}
