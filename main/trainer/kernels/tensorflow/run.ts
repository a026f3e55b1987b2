import * as tf from '@tensorflow/tfjs-core';
import type { NodeJSKernelBackend } from '@tensorflow/tfjs-node-gpu/dist/nodejs_kernel_backend.js';
import type { TensorMetadata, TFEOpAttr } from '@tensorflow/tfjs-node-gpu/dist/tfjs_binding.js';
import { InternalError } from '../../../../engine/errors.ts';

/**
 * Calls TensorFlow's own operations directly, because TensorFlow.js does not expose the fused ones. The result is a
 * tensor like any other: counted, and disposed by the `tf.tidy` around it.
 */
const backend = (): NodeJSKernelBackend => tf.backend() as unknown as NodeJSKernelBackend;

/**
 * An operation whose output only another one reads: not counted as a tensor, and freed right after it was read, so that
 * the next one reuses its cached memory. `run` makes a tensor of it.
 */
class Part {
  readonly name: string;
  readonly inputs: readonly Operand[];
  readonly attributes: readonly TFEOpAttr[];
  constructor(name: string, inputs: readonly Operand[], attributes: readonly TFEOpAttr[]) {
    this.name = name;
    this.inputs = inputs;
    this.attributes = attributes;
  }
}

/** A tensor at its last read. */
class Last {
  readonly tensor: tf.Tensor;
  constructor(tensor: tf.Tensor) {
    this.tensor = tensor;
  }
}

export type Operand = tf.TensorInfo | Last | Part;

export const last = (tensor: tf.Tensor): Last => new Last(tensor);

export function part(name: string, inputs: readonly Operand[], attributes: readonly TFEOpAttr[] = []): Part {
  return new Part(name, inputs, attributes);
}

/** The tensor of a part; TensorFlow infers types from the inputs. */
export function run({ name, inputs, attributes }: Part): tf.Tensor {
  return backend()['createOutputTensor'](execute(name, inputs, attributes)) as tf.Tensor;
}

function execute(name: string, inputs: readonly Operand[], attributes: readonly TFEOpAttr[]): TensorMetadata {
  const { binding } = backend();
  const parts: number[] = [];
  try {
    const ids = inputs.map((input) => {
      if (!(input instanceof Part)) return idOf(input instanceof Last ? input.tensor : input);
      const { id } = execute(input.name, input.inputs, input.attributes);
      parts.push(id);
      return id;
    });
    const [output] = binding.executeOp(name, [...attributes], ids, 1);
    if (output === undefined) throw new InternalError(`${name} returned nothing`);
    return output;
  } finally {
    for (const id of parts) binding.deleteTensor(id);
    for (const input of inputs) if (input instanceof Last) input.tensor.dispose();
  }
}

function idOf(tensor: tf.TensorInfo): number {
  return backend()['getInputTensorIds']([tensor])[0] as number;
}

/** An operation of several outputs, or of none. */
export function runAll(
  name: string,
  inputs: readonly tf.TensorInfo[],
  outputs: number,
  attributes: readonly TFEOpAttr[] = [],
): tf.Tensor[] {
  return backend().executeMultipleOutputs(name, [...attributes], [...inputs], outputs) as tf.Tensor[];
}

const constants = new Map<string, tf.TensorInfo>();

/** A small host-side constant: scalars, shapes, paddings. Not counted as a tensor. */
function constant(values: readonly number[], shape: readonly number[], dtype: 'float32' | 'int32') {
  const key = `${dtype} ${shape} ${values}`;
  const known = constants.get(key);
  if (known !== undefined) return known;
  const data = dtype === 'float32' ? Float32Array.from(values) : Int32Array.from(values);
  const info = { dataId: backend().write(data, [...shape], dtype), shape: [...shape], dtype };
  constants.set(key, info);
  return info;
}

const scalars = new Map<number, tf.TensorInfo>();
export function scalar(value: number): tf.TensorInfo {
  const info = scalars.get(value) ?? constant([value], [], 'float32');
  scalars.set(value, info);
  return info;
}
export const integer = (value: number): tf.TensorInfo => constant([value], [], 'int32');
export const vector = (values: readonly number[]): tf.TensorInfo =>
  constant(values, [values.length], 'int32');
/** For operations that require an input but ignore it. */
export const nothing = (): tf.TensorInfo => constant([], [0], 'float32');
/** Elements before and after each axis, [rank, 2]. */
export const margins = (pairs: readonly (readonly [number, number])[]): tf.TensorInfo =>
  constant(pairs.flat(), [pairs.length, 2], 'int32');

export const flag = (name: string, value: boolean): TFEOpAttr => ({
  name,
  type: backend().binding.TF_ATTR_BOOL,
  value,
});
export const text = (name: string, value: string): TFEOpAttr => ({
  name,
  type: backend().binding.TF_ATTR_STRING,
  value,
});
export const whole = (name: string, value: number | readonly number[]): TFEOpAttr => ({
  name,
  type: backend().binding.TF_ATTR_INT,
  value: typeof value === 'number' ? value : [...value],
});
export const real = (name: string, value: number): TFEOpAttr => ({
  name,
  type: backend().binding.TF_ATTR_FLOAT,
  value,
});
export const float32 = (name: string): TFEOpAttr => ({
  name,
  type: backend().binding.TF_ATTR_TYPE,
  value: backend().binding.TF_FLOAT,
});
export const shapeOf = (name: string, value: readonly number[]): TFEOpAttr => ({
  name,
  type: backend().binding.TF_ATTR_SHAPE,
  value: [...value],
});

export function reshape(x: Operand, shape: readonly number[]): Part {
  return part('Reshape', [x, vector(shape)]);
}

/** The shape [rows, last axis]. */
export function asRows(x: tf.Tensor): tf.Tensor | Part {
  const width = x.shape.at(-1) ?? 1;
  return x.rank === 2 ? x : reshape(x, [x.size / width, width]);
}

/** The same for a tensor that is read more than once. */
export function rows(x: tf.Tensor): tf.Tensor {
  const matrix = asRows(x);
  return matrix instanceof Part ? run(matrix) : matrix;
}

/**
 * `a` times `b`, either one transposed in place, batched over all axes before the last two. Not the operation MatMul,
 * nor convolution gradients with explicit padding: the plain product of oneDNN behind those is slower, and breaks the
 * heap when a signal comes while it runs, as those of Node's profiler do.
 */
export function product(a: Operand, b: Operand, transposeA = false, transposeB = false): Part {
  const attributes = transposeA ? [flag('adj_x', true)] : [];
  return part('BatchMatMulV2', [a, b], transposeB ? [...attributes, flag('adj_y', true)] : attributes);
}

export const add = (a: Operand, b: Operand): Part => part('AddV2', [a, b]);
export const subtract = (a: Operand, b: Operand): Part => part('Sub', [a, b]);
export const multiply = (a: Operand, b: Operand): Part => part('Mul', [a, b]);

/** Mean over the last axis, which stays as 1. */
export const lastMean = (x: Operand): Part => part('Mean', [x, integer(-1)], [flag('keep_dims', true)]);
/** Sums over all axes but the last. */
export const columnSums = (x: Operand): Part => part('BiasAddGrad', [x]);
