import * as tf from '@tensorflow/tfjs-core';
import { InternalError } from '../../../engine/errors.ts';
import type { Shape } from '../../../engine/ops/definition.ts';
import type { Operation } from '../../../engine/ops/operation.ts';

/** Initial value of a tensor that lives for the whole run. */
export type Initial = 'zeros' | 'ones' | { readonly normal: number };

/** A trained parameter or a running statistic. Shapes are those of execution (layout.ts). */
export interface StationarySpec {
  readonly shape: readonly number[];
  readonly initial: Initial;
}

export interface ForwardCall<O extends Operation = Operation> {
  readonly op: O;
  /** In the order of the operation, in the execution layout. */
  readonly inputs: readonly tf.Tensor[];
  /** The engine's shape of the output. */
  readonly outputShape: Shape;
  readonly parameters: readonly tf.Tensor[];
  /** Derived from the run, the iteration and the vertex, so a recompute gets the same seed. */
  readonly seed: number;
}

export interface Forwarded {
  readonly output: tf.Tensor;
  /** Auxiliaries that the profile `tfjs` charges, if it charges any. */
  readonly aux: readonly tf.Tensor[];
}

export interface BackwardCall<O extends Operation = Operation> {
  readonly op: O;
  /** Gradient of the output. */
  readonly gradient: tf.Tensor;
  /** The inputs that the profile keeps; null for others, so that no kernel can use them. */
  readonly inputs: readonly (tf.Tensor | null)[];
  /** The engine's shapes of the inputs. */
  readonly inputShapes: readonly Shape[];
  /** The output, if the profile keeps it. */
  readonly output: tf.Tensor | null;
  readonly outputShape: Shape;
  readonly aux: readonly tf.Tensor[];
  readonly parameters: readonly tf.Tensor[];
  readonly seed: number;
  /** Inputs whose gradients are wanted; the source's never is. */
  readonly wants: readonly boolean[];
}

export interface Gradients {
  /**
   * One contribution per input; null if not wanted. It may be the output's gradient itself, or one tensor for several
   * inputs: the executor copies if needed.
   */
  readonly inputs: readonly (tf.Tensor | null)[];
  /** As many as there are parameters. */
  readonly parameters: readonly tf.Tensor[];
}

/**
 * How one kind of operation runs. Both functions are called inside `tf.tidy`: they may leave temporaries behind, but
 * must return tensors of their own. Deterministic.
 */
export interface Kernel<O extends Operation = Operation> {
  parameters(op: O, inputs: readonly Shape[]): readonly StationarySpec[];
  forward(call: ForwardCall<O>): Forwarded;
  backward(call: BackwardCall<O>): Gradients;
  /** Running statistics, if the operation has them. */
  readonly statistics?: RunningStatistics<O>;
}

export interface RunningStatistics<O extends Operation> {
  specs(op: O, inputs: readonly Shape[]): readonly StationarySpec[];
  /** The next values, after the first forward of a step. */
  update(op: O, aux: readonly tf.Tensor[], inputs: readonly Shape[], old: readonly tf.Tensor[]): tf.Tensor[];
}

export const NO_PARAMETERS = (): readonly StationarySpec[] => [];

/** Runs a kernel of the backend by name, past the checks of the public function (and its gradient tape). */
export function runKernel(name: string, inputs: Record<string, tf.Tensor>, attributes: object): tf.Tensor {
  return tf.engine().runKernel(name, inputs, attributes as tf.NamedAttrMap) as tf.Tensor;
}

/** The same for a kernel with several results. */
export function runKernels(
  name: string,
  inputs: Record<string, tf.Tensor>,
  attributes: object,
): readonly tf.Tensor[] {
  return tf.engine().runKernel(name, inputs, attributes as tf.NamedAttrMap) as tf.Tensor[];
}

/** A tensor that the profile must keep. */
export function kept(tensor: tf.Tensor | null | undefined, what: string): tf.Tensor {
  if (tensor == null) throw new InternalError(`backward needs ${what}, which the profile does not keep`);
  return tensor;
}

/** A new tensor with the same values (`tf.clone` would share the storage). */
export function copyOf(tensor: tf.Tensor): tf.Tensor {
  return tf.mul(tensor, 1);
}
