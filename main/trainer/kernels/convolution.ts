import * as tf from '@tensorflow/tfjs-core';
import type { Pair } from '../../../engine/ops/definition.ts';
import { kept, runKernel } from './kernel.ts';
import * as tensorflow from './tensorflow/convolution.ts';
import { backendTraits } from './traits.ts';
import type { ConvolutionGeometry, ExplicitPadding } from './window.ts';

function attributes(geometry: ConvolutionGeometry, dilation: Pair, pad: unknown): object {
  return { strides: [...geometry.stride], pad, dataFormat: 'NHWC', dilations: [...dilation] };
}

/** TensorFlow's products are faster than its convolutions for this shape, [N, H, W, C]. */
function isDeep(shape: readonly number[], geometry: ConvolutionGeometry): boolean {
  return backendTraits().ownOperations && tensorflow.isDeep(shape, geometry);
}

/** [N, H, W, C] by a filter [KH, KW, C, K], or [KH, KW, C, 1] depthwise. */
export function runConvolution(x: tf.Tensor, filter: tf.Tensor, geometry: ConvolutionGeometry): tf.Tensor {
  if (isDeep(tensorflow.outputShape(x, filter, geometry), geometry))
    return tensorflow.convolve(x, filter, geometry);
  const name = geometry.depthwise ? 'DepthwiseConv2dNative' : 'Conv2D';
  return runKernel(name, { x, filter }, attributes(geometry, geometry.dilation, geometry.padding));
}

export function inputGradient(
  dy: tf.Tensor,
  filter: tf.Tensor,
  inputShape: readonly number[],
  geometry: ConvolutionGeometry,
): tf.Tensor {
  if (isDeep(inputShape, geometry) && tensorflow.hasOwnInputGradient(filter.shape, geometry))
    return tensorflow.inputGradient(dy, filter, inputShape, geometry);
  const plan = gradientPlan(geometry);
  const [, [top, bottom], [left, right]] = plan.done;
  const [n = 1, h = 1, w = 1, c = 1] = inputShape;
  const gradient = runKernel(
    geometry.depthwise ? 'DepthwiseConv2dNativeBackpropInput' : 'Conv2DBackpropInput',
    { dy, filter: plan.spread ? spreadTaps(filter, geometry.dilation) : filter },
    { ...plan.attributes, inputShape: [n, h + top + bottom, w + left + right, c] },
  );
  return plan.done === NO_PADDING ? gradient : tf.slice(gradient, [0, top, left, 0], [n, h, w, c]);
}

export function filterGradient(
  x: tf.Tensor,
  dy: tf.Tensor,
  filterShape: readonly number[],
  geometry: ConvolutionGeometry,
): tf.Tensor {
  if (isDeep(dy.shape, geometry)) return tensorflow.filterGradient(x, dy, filterShape, geometry);
  const plan = gradientPlan(geometry);
  const gradient = runKernel(
    geometry.depthwise ? 'DepthwiseConv2dNativeBackpropFilter' : 'Conv2DBackpropFilter',
    { x: plan.done === NO_PADDING ? x : tf.pad(x, plan.done), dy },
    {
      ...plan.attributes,
      filterShape: plan.spread ? spreadShape(filterShape, geometry.dilation) : [...filterShape],
    },
  );
  return plan.spread ? gatherTaps(gradient, filterShape, geometry.dilation) : gradient;
}

const NO_PADDING: ExplicitPadding = [
  [0, 0],
  [0, 0],
  [0, 0],
  [0, 0],
];

/** Attributes of a gradient kernel, and the extra work for backends that do not accept them. */
function gradientPlan(geometry: ConvolutionGeometry) {
  const { dilatedGradients, padsFirst } = backendTraits();
  /** The filter is spread to its whole extent, with zeros between the taps. */
  const spread = !dilatedGradients && geometry.dilation.some((extent) => extent > 1);
  const isPadded = geometry.padding.some((pair) => pair[0] + pair[1] > 0);
  return {
    spread,
    /** Padding done before the kernel. */
    done: padsFirst && isPadded ? geometry.padding : NO_PADDING,
    attributes: attributes(
      geometry,
      spread ? [1, 1] : geometry.dilation,
      padsFirst ? 'valid' : geometry.padding,
    ),
  };
}

function spreadShape([kh = 1, kw = 1, ...rest]: readonly number[], dilation: Pair): number[] {
  return [(kh - 1) * dilation[0] + 1, (kw - 1) * dilation[1] + 1, ...rest];
}

/** A dilated filter as a larger plain one: zeros between the taps. */
function spreadTaps(filter: tf.Tensor, dilation: Pair): tf.Tensor {
  const [kh = 1, kw = 1, c = 1, k = 1] = filter.shape;
  const [height, width] = dilation;
  const padding: [number, number][] = [
    [0, 0],
    [0, height - 1],
    [0, 0],
    [0, (width - 1) * c * k],
  ];
  const padded = tf.pad(tf.reshape(filter, [kh, 1, kw, c * k]), padding);
  const whole = tf.reshape(padded, [kh * height, kw * width, c, k]);
  return tf.slice(whole, [0, 0, 0, 0], spreadShape(filter.shape, dilation));
}

/** The opposite: every dilation-th tap of a larger filter's gradient. */
function gatherTaps(gradient: tf.Tensor, shape: readonly number[], dilation: Pair): tf.Tensor {
  const [kh = 1, kw = 1] = shape;
  const rows = Int32Array.from({ length: kh }, (_row, i) => i * dilation[0]);
  const columns = Int32Array.from({ length: kw }, (_column, i) => i * dilation[1]);
  const byRow = tf.gather(gradient, tf.tensor1d(rows, 'int32'), 0);
  return tf.gather(kept(byRow, 'the taps'), tf.tensor1d(columns, 'int32'), 1);
}
