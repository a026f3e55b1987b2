import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import type { NodeJSKernelBackend } from '@tensorflow/tfjs-node-gpu/dist/nodejs_kernel_backend.js';
import type { TFEOpAttr } from '@tensorflow/tfjs-node-gpu/dist/tfjs_binding.js';
import { nothing } from '../../kernels/tensorflow/run.ts';

/** Version of the operations of native/operations.cc; a setup of another version is not used. */
export const OPERATIONS_VERSION = 1;

/** An operation of native/operations.cc, under whose name the kernels call it. */
interface Fused {
  /** In the order of the operation; an omitted input has no element. */
  readonly inputs: readonly string[];
  readonly outputs: number;
  readonly numbers?: readonly string[];
  readonly flags?: readonly string[];
}

const FUSED: Readonly<Record<string, Fused>> = {
  ZigzagGelu: { inputs: ['x'], outputs: 1 },
  ZigzagGeluGradient: { inputs: ['dy', 'x'], outputs: 1 },
  ZigzagReluGradient: { inputs: ['dy', 'y'], outputs: 1 },
  ZigzagDivide: { inputs: ['x'], outputs: 1, numbers: ['by'] },
  ZigzagDescent: {
    inputs: ['parameter', 'velocity', 'gradient'],
    outputs: 1,
    numbers: ['momentum', 'learningRate'],
  },
  ZigzagLayerNorm: { inputs: ['x', 'scale', 'shift'], outputs: 3, numbers: ['epsilon'] },
  ZigzagLayerNormGradient: { inputs: ['x', 'dy', 'scale', 'mean', 'inverse'], outputs: 3 },
  ZigzagChannelSum: { inputs: ['x'], outputs: 1 },
  ZigzagSoftmax: { inputs: ['x'], outputs: 1 },
  ZigzagSoftmaxGradient: { inputs: ['y', 'dy'], outputs: 1 },
  ZigzagHideLater: { inputs: ['x'], outputs: 1, numbers: ['hidden'] },
  ZigzagAttentionShares: { inputs: ['x'], outputs: 2, numbers: ['divisor'], flags: ['causal'] },
  ZigzagAttentionSharesAgain: {
    inputs: ['x', 'logarithms'],
    outputs: 1,
    numbers: ['divisor'],
    flags: ['causal'],
  },
  ZigzagAttentionScoresGradient: { inputs: ['p', 'dp', 'slopes'], outputs: 1, numbers: ['divisor'] },
  ZigzagLinear: { inputs: ['x', 'weight', 'bias'], outputs: 1, flags: ['transposed'] },
  ZigzagLinearGradient: {
    inputs: ['x', 'dy', 'weight'],
    outputs: 3,
    flags: ['wanted', 'bias', 'transposed'],
  },
  ZigzagHeadProduct: {
    inputs: ['a', 'b'],
    outputs: 1,
    flags: ['headsA', 'headsB', 'headsOut', 'transposeA', 'transposeB'],
  },
};

let known = false;

/**
 * Registers kernels that are one operation each, if the setup built them.
 *
 * @param folder of `npm run setup:tensorflow`
 * @returns true if they exist in this version
 */
export function registerFused(folder: string): boolean {
  try {
    const load = createRequire(import.meta.url);
    const library = join(folder, 'operations', 'zigzag_operations.node');
    const { version } = load(library) as { readonly version: unknown };
    if (version !== OPERATIONS_VERSION) return false;
  } catch {
    // Built before these operations existed; TensorFlow's own compute the same.
    return false;
  }
  if (known) return true;
  known = true;
  for (const [name, fused] of Object.entries(FUSED)) {
    tf.registerKernel({
      kernelName: name,
      backendName: 'tensorflow',
      kernelFunc: (call) =>
        execute(name, fused, {
          inputs: call.inputs ?? {},
          attributes: (call.attrs ?? {}) as Readonly<Record<string, unknown>>,
        }),
    });
  }
  return true;
}

function execute(
  name: string,
  { inputs, outputs, numbers = [], flags = [] }: Fused,
  given: { readonly inputs: tf.NamedTensorInfoMap; readonly attributes: Readonly<Record<string, unknown>> },
): tf.TensorInfo | tf.TensorInfo[] {
  const backend = tf.backend() as unknown as NodeJSKernelBackend;
  const { binding } = backend;
  const attributes: TFEOpAttr[] = [];
  for (const number of numbers)
    attributes.push({ name: number, type: binding.TF_ATTR_FLOAT, value: given.attributes[number] as number });
  for (const flag of flags)
    attributes.push({ name: flag, type: binding.TF_ATTR_BOOL, value: given.attributes[flag] === true });
  const tensors = inputs.map((input) => given.inputs[input] ?? nothing()) as tf.Tensor[];
  return outputs === 1
    ? backend.executeSingleOutput(name, attributes, tensors)
    : backend.executeMultipleOutputs(name, attributes, tensors, outputs);
}
