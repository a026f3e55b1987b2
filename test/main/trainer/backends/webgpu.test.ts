import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { findSwiftShader, NO_SOFTWARE_GPU } from '../../../../app/start/chromium.mjs';
import { createProblem } from '../../../../engine/problem.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { cpuBackend } from '../../../../main/trainer/backends/cpu.ts';
import { webgpuBackend } from '../../../../main/trainer/backends/webgpu.ts';
import { SyntheticImages } from '../../../../main/trainer/data/synthetic.ts';
import { DeviceLostError } from '../../../../main/trainer/errors.ts';
import { measureStepTimes } from '../../../../main/trainer/step-times.ts';
import { offloadEverything } from '../../../support/offload.ts';
import { skippedFor } from '../../../support/skipped.ts';
import { KERNEL_CASES } from '../kernel-cases.ts';
import { difference, randomArguments, runCase } from '../run-kernel.ts';
import { predictedBytes, predictedHostBytes, scheduleOf, train } from '../training.ts';

const swiftShader = findSwiftShader();
const why = swiftShader === undefined ? NO_SOFTWARE_GPU : '';

describe.skipIf(why !== '')(`webgpu on SwiftShader${skippedFor(why)}`, () => {
  beforeAll(async () => {
    process.env['VK_ICD_FILENAMES'] = swiftShader;
    await cpuBackend.open();
    const backend = await webgpuBackend.open();
    expect(backend.runsOn).toBe('emulated');
    expect(backend.device).toMatch(/swiftshader/i);
  });

  test.each(KERNEL_CASES)('$name: computes what cpu computes', async (kernelCase) => {
    const given = randomArguments(kernelCase, 3);
    await tf.setBackend('cpu');
    const expected = await runCase(kernelCase, given);
    await tf.setBackend('webgpu');
    const actual = await runCase(kernelCase, given);
    expect(difference(actual.output, expected.output)).toBeLessThan(1e-4);
    for (const [i, gradient] of expected.inputGradients.entries()) {
      expect(difference(actual.inputGradients[i]!, gradient), `input ${i}`).toBeLessThan(1e-4);
    }
    for (const [i, gradient] of expected.parameterGradients.entries()) {
      expect(difference(actual.parameterGradients[i]!, gradient), `parameter ${i}`).toBeLessThan(1e-4);
    }
  });

  test.each([
    ['tiny-residual', 8],
    ['tiny-transformer-fused', 5],
  ] as const)(
    '%s: predicted bytes equal measured, and recompute does not change the loss',
    async (model, input) => {
      await tf.setBackend('webgpu');
      const problem = createProblem(buildModel(model, { batch: 2, input }), 'tfjs');
      const regular = await train(problem, scheduleOf(problem, 'regular')!, 2);
      const schedule = scheduleOf(problem, 'optimal')!;
      const actual = await train(problem, schedule, 2);
      expect(actual.samples[0]).toEqual(predictedBytes(problem, schedule));
      expect(actual.loss).toEqual(regular.loss);
      expect(actual.values).toEqual(regular.values);
    },
  );

  test.each([
    ['tiny-residual', 8],
    ['tiny-transformer-fused', 5],
  ] as const)(
    '[M18] [M19] [M20] %s: tensors return from host memory bit-identical, bytes as predicted',
    async (model, input) => {
      await tf.setBackend('webgpu');
      const problem = createProblem(buildModel(model, { batch: 2, input }), 'tfjs');
      const plain = scheduleOf(problem, 'regular')!;
      const regular = await train(problem, plain, 2);
      const schedule = offloadEverything(problem, plain);
      const actual = await train(problem, schedule, 2);
      expect(actual.samples[0]).toEqual(predictedBytes(problem, schedule));
      expect(actual.host).toEqual(predictedHostBytes(problem, schedule));
      expect(actual.loss).toEqual(regular.loss);
      expect(actual.values).toEqual(regular.values);
    },
  );

  test('times every operation, although kernels are queued', async () => {
    const backend = await webgpuBackend.open();
    const problem = createProblem(buildModel('chain-4', { batch: 2, input: 16 }), 'tfjs');
    const data = new SyntheticImages(problem.graph.shapes[0]!, 10, 1);
    const { firstMs, againMs, backwardMs } = await measureStepTimes(problem, data, backend, {
      iterations: 1,
      seed: 1,
    });
    for (const ms of [firstMs, againMs, backwardMs]) {
      expect(ms).toHaveLength(problem.graph.size);
      expect(Math.min(...ms.slice(1))).toBeGreaterThan(0);
    }
  });

  // Last: nothing works after it.
  test('a lost device is a typed error', async () => {
    const backend = await webgpuBackend.open();
    expect(() => backend.check()).not.toThrow();
    const { device } = tf.backend() as unknown as { readonly device: GPUDevice };
    device.destroy();
    await device.lost;
    await vi.waitFor(() => expect(() => backend.check()).toThrow(DeviceLostError));
  });
});
