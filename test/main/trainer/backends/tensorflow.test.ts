import * as tf from '@tensorflow/tfjs-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { conv2d, maxPool } from '../../../../engine/ops/make.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { createRng } from '../../../../engine/rng.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { cpuBackend } from '../../../../main/trainer/backends/cpu.ts';
import { isMissing, tensorflowBackend } from '../../../../main/trainer/backends/tensorflow.ts';
import { offloadEverything } from '../../../support/offload.ts';
import { openDescent } from '../../../../main/trainer/descent.ts';
import { openTensorflowDescent } from '../../../../main/trainer/kernels/tensorflow/descent.ts';
import { backendTraits } from '../../../../main/trainer/kernels/traits.ts';
import { fillNormal } from '../../../../main/trainer/random.ts';
import { skippedFor } from '../../../support/skipped.ts';
import { KERNEL_CASES, type KernelCase } from '../kernel-cases.ts';
import { difference, randomArguments, runCase } from '../run-kernel.ts';
import { predictedBytes, scheduleOf, train } from '../training.ts';

const why = await tensorflowBackend.open().then(
  () => (backendTraits().fuses ? '' : 'TensorFlow was set up without fused operations'),
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
])('TensorFlow is not installed: %s if loading fails with %s', (missing, error) => {
  expect(isMissing(error)).toBe(missing);
});

/** Convolutions and max pools on both sides of every limit: more image than filter and less, any padding and stride. */
function randomImageCases(count: number): KernelCase[] {
  const rng = createRng(17);
  return Array.from({ length: count }, (_case, i) => {
    const [kh, kw] = [1 + rng.below(4), 1 + rng.below(4)];
    const window: [number, number] = [kh, kw];
    const stride: [number, number] = [1 + rng.below(3), 1 + rng.below(3)];
    const [channels, outputs] = [1 + rng.below(24), 1 + rng.below(60)];
    const input = [1 + rng.below(2), channels, kh + rng.below(7), kw + rng.below(7)];
    const isPool = i % 5 === 0;
    const padding: [number, number] = [
      rng.below(isPool ? Math.floor(kh / 2) + 1 : kh + 1),
      rng.below(isPool ? Math.floor(kw / 2) + 1 : kw + 1),
    ];
    const op = isPool
      ? maxPool(window, { stride, padding })
      : conv2d(outputs, window, { stride, padding, bias: i % 2 === 0 });
    return {
      name: `drawn ${op.kind} ${i}: ${input} by ${window}, stride ${stride}, padding ${padding}`,
      op,
      inputs: [input],
    };
  });
}

describe.skipIf(why !== '')(`tensorflow${skippedFor(why)}`, () => {
  beforeAll(async () => {
    await cpuBackend.open();
  });

  const fused = tf
    .getKernelsForBackend('tensorflow')
    .filter(({ kernelName }) => kernelName.startsWith('Zigzag'));
  const withFused = (isFused: boolean): void => {
    for (const kernel of fused) {
      if (tf.getKernel(kernel.kernelName, 'tensorflow') != null)
        tf.unregisterKernel(kernel.kernelName, 'tensorflow');
      if (isFused) tf.registerKernel(kernel);
    }
  };
  afterEach(() => withFused(true));
  /** As the setup builds it now, and as an earlier one did. */
  const BOTH = [
    { operations: 'fused operations', isFused: true },
    { operations: 'TensorFlow’s own alone', isFused: false },
  ];

  test.each(
    BOTH.flatMap((both) => KERNEL_CASES.map((kernelCase) => ({ ...both, ...kernelCase, kernelCase }))),
  )('$name, by $operations: computes what cpu computes', async ({ kernelCase, isFused }) => {
    const given = randomArguments(kernelCase, 3);
    await tf.setBackend('cpu');
    const expected = await runCase(kernelCase, given);
    await tf.setBackend('tensorflow');
    withFused(isFused);
    expect(backendTraits().fuses).toBe(isFused);
    const actual = await runCase(kernelCase, given);
    expect(difference(actual.output, expected.output)).toBeLessThan(1e-4);
    for (const [i, gradient] of expected.inputGradients.entries()) {
      expect(difference(actual.inputGradients[i]!, gradient), `input ${i}`).toBeLessThan(1e-4);
    }
    for (const [i, gradient] of expected.parameterGradients.entries()) {
      expect(difference(actual.parameterGradients[i]!, gradient), `parameter ${i}`).toBeLessThan(1e-4);
    }
  });

  test.each(randomImageCases(60))('$name: computes what cpu computes', async (kernelCase) => {
    const given = randomArguments(kernelCase, 4);
    await tf.setBackend('cpu');
    const expected = await runCase(kernelCase, given);
    await tf.setBackend('tensorflow');
    const before = tf.memory();
    const actual = await runCase(kernelCase, given);
    expect(tf.memory().numBytes).toBe(before.numBytes);
    expect(tf.memory().numTensors).toBe(before.numTensors);
    expect(difference(actual.output, expected.output)).toBeLessThan(1e-4);
    expect(difference(actual.inputGradients[0]!, expected.inputGradients[0]!)).toBeLessThan(1e-4);
    for (const [i, gradient] of expected.parameterGradients.entries()) {
      expect(difference(actual.parameterGradients[i]!, gradient), `parameter ${i}`).toBeLessThan(1e-4);
    }
    // A recompute gives the same bits.
    const again = await runCase(kernelCase, given);
    expect(again.output).toEqual(actual.output);
    expect(again.inputGradients).toEqual(actual.inputGradients);
  });

  test('descends like other backends, and changes no shared tensor', async () => {
    await tf.setBackend('tensorflow');
    const before = tf.memory();
    const options = { learningRate: 0.1, momentum: 0.9 };
    const values = (seed: number): Float32Array => {
      const array = new Float32Array(12);
      fillNormal(array, 1, createRng(seed));
      return array;
    };
    const descend = async (open: typeof openDescent) => {
      const [parameter, velocity, gradient] = [1, 2, 3].map((seed) => tf.tensor(values(seed), [3, 4]));
      let state = { parameter: parameter!, velocity: velocity! };
      const holds: tf.Tensor[] = [];
      for (let i = 0; i < 3; i++) {
        holds.push(state.parameter.clone());
        const descent = open(options);
        state = descent.step(state, gradient!);
        descent.end();
      }
      const all = [...holds, state.parameter, state.velocity];
      const results = await Promise.all(all.map((tensor) => tensor.data()));
      tf.dispose([...all, gradient!]);
      return results;
    };
    const expected = await descend(openDescent);
    const actual = await descend(openTensorflowDescent);
    for (const [i, result] of actual.entries()) expect(difference(result, expected[i]!)).toBeLessThan(1e-6);
    expect(actual[0]).toEqual(values(1));
    expect(tf.memory().numTensors).toBe(before.numTensors);
    expect(tf.memory().numBytes).toBe(before.numBytes);
  });

  const NETWORKS = [
    { model: 'tiny-residual', size: { batch: 4, input: 8 } },
    { model: 'tiny-transformer', size: { batch: 4, input: 6, dropout: 0.2 } },
    { model: 'tiny-transformer-fused', size: { batch: 4, input: 6 } },
    { model: 'tiny-unet', size: { batch: 4, input: 8 } },
  ];
  test.each(BOTH.flatMap((both) => NETWORKS.map((network) => ({ ...both, ...network }))))(
    '$model, by $operations: predicted bytes equal measured bytes, and recompute does not change the training',
    async ({ model, size, isFused }) => {
      await tf.setBackend('tensorflow');
      withFused(isFused);
      const problem = createProblem(buildModel(model, size), 'tfjs');
      const regular = await train(problem, scheduleOf(problem, 'regular')!, 2);
      const offloaded = offloadEverything(problem, scheduleOf(problem, 'regular')!);
      for (const schedule of [scheduleOf(problem, 'optimal')!, scheduleOf(problem, 'live')!, offloaded]) {
        const actual = await train(problem, schedule, 2);
        for (const samples of actual.samples) expect(samples).toEqual(predictedBytes(problem, schedule));
        // Every kernel that is used here gives the same bits for the same inputs.
        expect(actual.loss).toEqual(regular.loss);
        expect(actual.values).toEqual(regular.values);
      }
    },
  );
});
