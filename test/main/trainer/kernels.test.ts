import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { createRng } from '../../../engine/rng.ts';
import { cpuBackend } from '../../../main/trainer/backends/cpu.ts';
import { wasmBackend } from '../../../main/trainer/backends/wasm.ts';
import { fillNormal } from '../../../main/trainer/random.ts';
import { KERNEL_CASES, type KernelCase } from './kernel-cases.ts';
import { type Arguments, difference, randomArguments, runCase, weighted } from './run-kernel.ts';

beforeAll(async () => {
  await wasmBackend.open();
  await cpuBackend.open();
});

test.each(KERNEL_CASES)(
  'backward is the derivative of forward, on the cpu backend $name',
  async (kernelCase) => {
    await tf.setBackend('cpu');
    const given = randomArguments(kernelCase, 1);
    const { inputGradients, parameterGradients } = await runCase(kernelCase, given);
    for (const [i, gradient] of inputGradients.entries()) {
      await expectDerivative(kernelCase, given, 'inputs', i, gradient);
    }
    for (const [i, gradient] of parameterGradients.entries()) {
      await expectDerivative(kernelCase, given, 'parameters', i, gradient);
    }
  },
);

/** Compares a directional derivative with its central difference, along a random direction. */
async function expectDerivative(
  kernelCase: KernelCase,
  given: Arguments,
  kind: 'inputs' | 'parameters',
  index: number,
  gradient: Float32Array,
): Promise<void> {
  const direction = new Float32Array(gradient.length);
  fillNormal(direction, 1, createRng(5 + index));
  // Small against the distances between random values, so that few maxima and signs change.
  const step = 1e-3;
  const moved = async (sign: number): Promise<number> => {
    const values = given[kind].map((array, i) =>
      i === index ? array.map((value, j) => value + sign * step * direction[j]!) : array,
    );
    const changed = { ...given, [kind]: values };
    return weighted(await runCase(kernelCase, changed), given);
  };
  const numeric = ((await moved(1)) - (await moved(-1))) / (2 * step);
  let exact = 0;
  let scale = 0;
  for (let i = 0; i < gradient.length; i++) {
    exact += gradient[i]! * direction[i]!;
    scale += (gradient[i]! * direction[i]!) ** 2;
  }
  expect(Math.abs(numeric - exact) / Math.sqrt(scale), `${kind} ${index}`).toBeLessThan(0.02);
}

test.each(KERNEL_CASES)('wasm computes what cpu computes $name', async (kernelCase) => {
  const given = randomArguments(kernelCase, 2);
  await tf.setBackend('cpu');
  const expected = await runCase(kernelCase, given);
  await tf.setBackend('wasm');
  const before = tf.memory();
  const allocated = (await wasmBackend.open()).memory().allocatedBytes;
  const actual = await runCase(kernelCase, given);
  expect(tf.memory().numBytes).toBe(before.numBytes);
  expect(tf.memory().numDataBuffers).toBe(before.numDataBuffers);
  // Allocations of kernels that TensorFlow.js does not count.
  expect((await wasmBackend.open()).memory().allocatedBytes).toBe(allocated);
  expect(difference(actual.output, expected.output)).toBeLessThan(1e-5);
  for (const [i, aux] of expected.aux.entries()) {
    expect(difference(actual.aux[i]!, aux), `aux ${i}`).toBeLessThan(1e-5);
  }
  for (const [i, gradient] of expected.inputGradients.entries()) {
    expect(difference(actual.inputGradients[i]!, gradient), `input ${i}`).toBeLessThan(2e-5);
  }
  for (const [i, gradient] of expected.parameterGradients.entries()) {
    expect(difference(actual.parameterGradients[i]!, gradient), `parameter ${i}`).toBeLessThan(2e-5);
  }
});
