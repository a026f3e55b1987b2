import * as tf from '@tensorflow/tfjs-core';
import type { AddOp } from '../../../engine/ops/add.ts';
import { type Kernel, NO_PARAMETERS } from './kernel.ts';

export const addKernel: Kernel<AddOp> = {
  parameters: NO_PARAMETERS,
  forward: ({ inputs }) => ({ output: inputs.reduce((sum, input) => tf.add(sum, input)), aux: [] }),
  backward: ({ gradient, wants }) => ({
    inputs: wants.map((wanted) => (wanted ? gradient : null)),
    parameters: [],
  }),
};
