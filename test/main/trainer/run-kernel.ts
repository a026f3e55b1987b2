import * as tf from '@tensorflow/tfjs-core';
import type { Shape } from '../../../engine/ops/definition.ts';
import type { EmbeddingOp } from '../../../engine/ops/embedding.ts';
import type { Operation } from '../../../engine/ops/operation.ts';
import { definitionOf } from '../../../engine/ops/operation.ts';
import { createRng } from '../../../engine/rng.ts';
import { kernelOf } from '../../../main/trainer/kernels/registry.ts';
import { executionShape } from '../../../main/trainer/layout.ts';
import { fillNormal, mixSeed } from '../../../main/trainer/random.ts';
import type { KernelCase } from './kernel-cases.ts';

/** Values of a kernel's arguments, on the host. */
export interface Arguments {
  readonly inputs: readonly Float32Array[];
  readonly parameters: readonly Float32Array[];
  /** Gradient of the output. */
  readonly gradient: Float32Array;
}

export interface Results {
  readonly output: Float32Array;
  readonly aux: readonly Float32Array[];
  readonly inputGradients: readonly Float32Array[];
  readonly parameterGradients: readonly Float32Array[];
}

const SEED = 77;

function outputShapeOf(op: Operation, inputs: readonly Shape[]): Shape {
  return definitionOf(op).shape(op, inputs);
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}

export function randomArguments({ op, inputs }: KernelCase, seed: number): Arguments {
  const make = (part: number) => (shape: readonly number[], i: number) => {
    const values = new Float32Array(sizeOf(shape));
    fillNormal(values, 1, createRng(mixSeed(seed, part, i)));
    return values;
  };
  const specs = kernelOf(op, 'v').parameters(op, inputs);
  const tokens = (shape: Shape, i: number): Float32Array => {
    const rng = createRng(mixSeed(seed, 4, i));
    return Float32Array.from({ length: sizeOf(shape) }, () => rng.below((op as EmbeddingOp).count));
  };
  return {
    inputs: inputs.map(op.kind === 'embedding' ? tokens : make(1)),
    parameters: specs.map((spec, i) => make(2)(spec.shape, i)),
    gradient: make(3)(outputShapeOf(op, inputs), 0),
  };
}

/** Runs forward and backward on the current backend; nothing is left on it. */
export async function runCase(kernelCase: KernelCase, given: Arguments): Promise<Results> {
  const tensors = tf.tidy(() => compute(kernelCase, given));
  const values = async (tensor: tf.Tensor): Promise<Float32Array> => (await tensor.data<'float32'>()).slice();
  const results = {
    output: await values(tensors.output),
    aux: await Promise.all(tensors.aux.map(values)),
    inputGradients: await Promise.all(tensors.inputGradients.map(values)),
    parameterGradients: await Promise.all(tensors.parameterGradients.map(values)),
  };
  tf.dispose(tensors);
  return results;
}

function compute({ op, inputs, layouts }: KernelCase, given: Arguments) {
  const kernel = kernelOf(op, 'v');
  const outputShape = outputShapeOf(op, inputs);
  const keeps = definitionOf(op).keeps(op, 'tfjs', inputs, outputShape);
  const dtype = op.kind === 'embedding' ? 'int32' : 'float32';
  const xs = inputs.map((shape, i) =>
    tf.tensor(given.inputs[i]!, executionShape(shape, layouts?.inputs[i]), dtype),
  );
  const parameters = kernel
    .parameters(op, inputs)
    .map((spec, i) => tf.tensor(given.parameters[i]!, [...spec.shape]));
  const { output, aux } = kernel.forward({ op, inputs: xs, outputShape, parameters, seed: SEED });
  const gradients = kernel.backward({
    op,
    gradient: tf.tensor(given.gradient, executionShape(outputShape, layouts?.output)),
    inputs: xs.map((x, i) => (keeps.inputs.includes(i) ? x : null)),
    inputShapes: inputs,
    output: keeps.output ? output : null,
    outputShape,
    aux,
    parameters,
    seed: SEED,
    wants: inputs.map(() => true),
  });
  requireShape(output, executionShape(outputShape, layouts?.output));
  const charged = keeps.auxBytes + keeps.fixedAuxBytes;
  const actual = 4 * aux.reduce((sum, tensor) => sum + tensor.size, 0);
  if (actual !== charged) throw new Error(`keeps ${actual} bytes of auxiliaries, not ${charged}`);
  // Tokens have no gradient.
  const inputGradients = gradients.inputs.flatMap((gradient, i) => {
    if (gradient === null) return [];
    requireShape(gradient, xs[i]!.shape);
    return [gradient];
  });
  for (const [i, gradient] of gradients.parameters.entries()) requireShape(gradient, parameters[i]!.shape);
  return { output, aux: [...aux], inputGradients, parameterGradients: [...gradients.parameters] };
}

function requireShape(tensor: tf.Tensor, shape: readonly number[]): void {
  if (String(tensor.shape) !== String(shape)) throw new Error(`got the shape ${tensor.shape}, not ${shape}`);
}

/** Largest difference over the largest value. */
export function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let worst = 0;
  let scale = 1e-3;
  for (let i = 0; i < a.length; i++) {
    const d = Math.abs(a[i]! - b[i]!);
    if (!(d <= worst)) worst = d;
    scale = Math.max(scale, Math.abs(b[i]!));
  }
  return worst / scale;
}

/** Σ gradient · output, in double precision: a scalar whose derivatives are what backward returns. */
export function weighted(results: Results, given: Arguments): number {
  let sum = 0;
  for (let i = 0; i < results.output.length; i++) sum += results.output[i]! * given.gradient[i]!;
  return sum;
}
