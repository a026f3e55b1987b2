import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { createRng } from '../../../engine/rng.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { cpuBackend } from '../../../main/trainer/backends/cpu.ts';
import { wasmBackend } from '../../../main/trainer/backends/wasm.ts';
import { randomNetwork } from '../../support/problems.ts';
import { randomSchedule, withHeldGradients } from '../../support/random-schedules.ts';
import { difference } from './run-kernel.ts';
import { addsAlike, predictedBytes, scheduleOf, train, expectValues } from './training.ts';

const ITERATIONS = 3;

const EVERY = STRATEGIES.map((strategy) => strategy.name);
const MADE_OF_SEGMENTS = STRATEGIES.filter(({ reads }) => reads.checkpointing === 'takes').map(
  ({ name }) => name,
);
const SOME = ['memory-poor', 'chen-greedy', 'articulation', 'optimal', 'live'];

const NETWORKS = [
  { name: 'a chain', model: 'chain-9', input: 6, strategies: EVERY },
  { name: 'a residual network with batch norm', model: 'tiny-residual', input: 8, strategies: EVERY },
  { name: 'a network with dropout', model: 'tiny-dropout', input: 8, strategies: EVERY },
  { name: 'a transformer with dropout', model: 'tiny-transformer', input: 6, dropout: 0.2, strategies: SOME },
  { name: 'fused attention', model: 'tiny-transformer-fused', input: 6, dropout: 0.2, strategies: SOME },
  { name: 'a U-Net', model: 'tiny-unet', input: 8, strategies: SOME },
];

beforeAll(async () => {
  await cpuBackend.open();
  await wasmBackend.open();
});

describe('[M1] predicted bytes equal measured bytes, and training does not depend on the schedule', () => {
  for (const { name, model, input, dropout, strategies } of NETWORKS) {
    const options = { batch: 4, input, ...(dropout === undefined ? {} : { dropout }) };
    const problem = createProblem(buildModel(model, options), 'tfjs');
    const regular = scheduleOf(problem, 'regular')!;
    const schedules = strategies.map((strategy) => [strategy, scheduleOf(problem, strategy)] as const);
    const reentrant = MADE_OF_SEGMENTS.filter((strategy) => strategies.includes(strategy)).map((strategy) => {
      const schedule = scheduleOf(problem, strategy, { checkpointing: 'reentrant' });
      return [`${strategy}, reentrant`, schedule] as const;
    });
    const drawn = Array.from({ length: 4 }, (_, i) => {
      return [`drawn at random, seed ${i}`, randomSchedule(createRng(i), problem)] as const;
    });
    const applicable = [...schedules, ...reentrant, ...drawn].filter(([, schedule]) => schedule !== null);

    test.each(applicable)(`${name}: %s`, async (_strategy, schedule) => {
      await tf.setBackend('wasm');
      const expected = await train(problem, regular, ITERATIONS);
      const actual = await train(problem, schedule!, ITERATIONS);
      const predicted = predictedBytes(problem, schedule!);
      for (const samples of actual.samples) expect(samples).toEqual(predicted);
      expect(actual.loss).toEqual(expected.loss);
      // Gradients of three iterations, then parameters and running statistics.
      expect(actual.values).toEqual(expected.values);
    });
  }
});

test('predicted bytes equal measured bytes on random networks under random schedules', async () => {
  await tf.setBackend('wasm');
  const rng = createRng(2026);
  let alike = 0;
  for (let i = 0; i < 40; i++) {
    const problem = createProblem(randomNetwork(rng, 4 + rng.below(14)), 'tfjs');
    const regular = scheduleOf(problem, 'regular')!;
    const plain = randomSchedule(rng, problem);
    const schedule = i % 2 === 0 ? plain : withHeldGradients(rng, problem, plain);
    const expected = await train(problem, regular, 1);
    const actual = await train(problem, schedule, 1);
    expect(actual.samples[0], `network ${i}`).toEqual(predictedBytes(problem, schedule));
    expect(actual.loss, `network ${i}`).toEqual(expected.loss);
    const isAlike = addsAlike(problem.graph, regular, schedule);
    expectValues(actual.values, expected.values, isAlike, `network ${i}`);
    if (isAlike) alike++;
  }
  expect(alike).toBeGreaterThan(10);
});

test('[M16] the gradient of the source is computed if it is held, by the first convolution too', async () => {
  await tf.setBackend('wasm');
  const problem = createProblem(buildModel('tiny-residual', { batch: 2, input: 8 }), 'tfjs');
  const schedule = scheduleOf(problem, 'optimal', { checkpointing: 'reentrant' })!;
  const { samples } = await train(problem, schedule, 1);
  // Before the last step, which frees it, there are the batch and its gradient, and after it the batch.
  const batch = problem.memory.outputBytes[0]!;
  expect(samples[0]!.slice(-2)).toEqual([2 * batch, batch]);
});

const SMALL = [
  ['tiny-residual', 8],
  ['tiny-transformer', 5],
  ['tiny-transformer-fused', 5],
  ['tiny-unet', 8],
] as const;

test.each(SMALL)('the cpu backend and wasm train alike: %s', async (model, input) => {
  const problem = createProblem(buildModel(model, { batch: 4, input }), 'tfjs');
  const schedule = scheduleOf(problem, 'optimal')!;
  await tf.setBackend('cpu');
  const expected = await train(problem, schedule, 2);
  expect(expected.samples[0]).toEqual(predictedBytes(problem, schedule));
  await tf.setBackend('wasm');
  const actual = await train(problem, schedule, 2);
  expect(difference(actual.loss, expected.loss)).toBeLessThan(1e-4);
  for (const [i, values] of actual.values.entries()) {
    expect(difference(values, expected.values[i]!), `values ${i}`).toBeLessThan(1e-2);
  }
});

test.each([
  ['images', 'tiny-residual', 12, 24],
  ['a language', 'tiny-transformer', 16, 32],
  ['scenes', 'tiny-unet', 16, 40],
] as const)('synthetic %s can be learned', async (_what, model, input, iterations) => {
  await tf.setBackend('wasm');
  const problem = createProblem(buildModel(model, { batch: 16, input }), 'tfjs');
  const { loss } = await train(problem, scheduleOf(problem, 'chen-sqrt')!, iterations);
  expect(Math.min(...loss.slice(-4))).toBeLessThan(0.5 * loss[0]!);
});
