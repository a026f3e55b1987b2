import type { Padding, Pair, Shape } from '../../../engine/ops/definition.ts';

/** TensorFlow.js's explicit padding of [N, H, W, C]. */
export type ExplicitPadding = [[number, number], [number, number], [number, number], [number, number]];

/** The common part of the three kernels of one convolution. */
export interface ConvolutionGeometry {
  readonly depthwise: boolean;
  readonly stride: Pair;
  readonly dilation: Pair;
  readonly padding: ExplicitPadding;
}

/**
 * Padding that makes windows of the given size and stride yield exactly the output's extent: what the
 * operation states at the top and left; at the bottom and right as much as the last window reaches,
 * which is more than stated in ceil mode and less where the windows leave a rest.
 *
 * @param input [N, C, H, W]
 * @param output [N, C, H, W]
 * @param dilation of the window's taps
 */
export function reachPadding(
  window: { readonly kernel: Pair; readonly stride: Pair; readonly padding: Padding },
  input: Shape,
  output: Shape,
  dilation: Pair = [1, 1],
): readonly [top: number, bottom: number, left: number, right: number] {
  const after = (axis: 0 | 1, before: number): number => {
    const reach = (window.kernel[axis] - 1) * dilation[axis] + 1;
    const extent = ((output[axis + 2] ?? 1) - 1) * window.stride[axis] + reach;
    return Math.max(0, extent - (input[axis + 2] ?? 1) - before);
  };
  const [top, , left] = window.padding;
  return [top, after(0, top), left, after(1, left)];
}

export function explicitPadding([top, bottom, left, right]: readonly [
  number,
  number,
  number,
  number,
]): ExplicitPadding {
  return [
    [0, 0],
    [top, bottom],
    [left, right],
    [0, 0],
  ];
}

export function isPadded(padding: readonly number[]): boolean {
  return padding.some((extent) => extent > 0);
}
