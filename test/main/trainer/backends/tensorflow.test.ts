import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createProblem } from '../../../../engine/problem.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { cpuBackend } from '../../../../main/trainer/backends/cpu.ts';
import { isMissing, tensorflowBackend } from '../../../../main/trainer/backends/tensorflow.ts';
import { skippedFor } from '../../../support/skipped.ts';
import { KERNEL_CASES } from '../kernel-cases.ts';
import { difference, randomArguments, runCase } from '../run-kernel.ts';
import { predictedBytes, scheduleOf, train } from '../training.ts';

const why = await tensorflowBackend.open().then(
  () => '',
  (error: Error) => `${error.message.replace(/\.$/, '')}; npm run setup:tensorflow builds TensorFlow`,
);

test.each([
  [
    true,
    Object.assign(new Error("Cannot find module '@tensorflow/tfjs-node'"), { code: 'MODULE_NOT_FOUND' }),
  ],
  [true, new Error('The Node.js native addon module (tfjs_binding.node) can not be found at path: /a/b.')],
  [false, Object.assign(new Error("Cannot find module 'left-pad'"), { code: 'MODULE_NOT_FOUND' })],
  [false, new Error('libcudart.so.11.0: cannot open shared object file')],
  [false, 'no error at all'],
])('nobody added TensorFlow: %s where loading ends with %s', (missing, error) => {
  expect(isMissing(error)).toBe(missing);
});

describe.skipIf(why !== '')(`tensorflow${skippedFor(why)}`, () => {
  beforeAll(async () => {
    await cpuBackend.open();
  });

  test.each(KERNEL_CASES)('$name: computes what cpu computes', async (kernelCase) => {
    const given = randomArguments(kernelCase, 3);
    await tf.setBackend('cpu');
    const expected = await runCase(kernelCase, given);
    await tf.setBackend('tensorflow');
    const actual = await runCase(kernelCase, given);
    expect(difference(actual.output, expected.output)).toBeLessThan(1e-4);
    for (const [i, gradient] of expected.inputGradients.entries()) {
      expect(difference(actual.inputGradients[i]!, gradient), `input ${i}`).toBeLessThan(1e-4);
    }
    for (const [i, gradient] of expected.parameterGradients.entries()) {
      expect(difference(actual.parameterGradients[i]!, gradient), `parameter ${i}`).toBeLessThan(1e-4);
    }
  });

  test('predicted bytes equal measured bytes, and recompute does not change the training', async () => {
    await tf.setBackend('tensorflow');
    const problem = createProblem(buildModel('tiny-residual', { batch: 4, input: 8 }), 'tfjs');
    const regular = await train(problem, scheduleOf(problem, 'regular')!, 2);
    const schedule = scheduleOf(problem, 'optimal')!;
    const actual = await train(problem, schedule, 2);
    expect(actual.samples[0]).toEqual(predictedBytes(problem, schedule));
    expect(difference(actual.loss, regular.loss)).toBeLessThan(1e-5);
    for (const [i, values] of actual.values.entries()) {
      expect(difference(values, regular.values[i]!), `values ${i}`).toBeLessThan(1e-3);
    }
  });
});
