import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ADD,
  attention,
  batchNorm,
  embedding,
  GELU_TANH,
  layerNorm,
  linear,
  maxPool,
  RELU,
  SOFTMAX,
} from '../../../../engine/ops/make.ts';
import { createRng, type Rng } from '../../../../engine/rng.ts';
import { cpuBackend } from '../../../../main/trainer/backends/cpu.ts';
import { tensorflowBackend } from '../../../../main/trainer/backends/tensorflow.ts';
import { wasmBackend } from '../../../../main/trainer/backends/wasm.ts';
import { runKernel } from '../../../../main/trainer/kernels/kernel.ts';
import { backendTraits } from '../../../../main/trainer/kernels/traits.ts';
import { skippedFor } from '../../../support/skipped.ts';
import type { KernelCase } from '../kernel-cases.ts';
import { difference, randomArguments, runCase } from '../run-kernel.ts';

const whyNoTensorflow = await tensorflowBackend.open().then(
  () => (backendTraits().fuses ? '' : 'TensorFlow was set up without fused operations'),
  (error: Error) => `${error.message.replace(/\.$/, '')}; npm run setup:tensorflow builds TensorFlow`,
);
const BACKENDS = [
  { backend: wasmBackend, reason: '' },
  { backend: tensorflowBackend, reason: whyNoTensorflow },
];

beforeAll(async () => {
  await wasmBackend.open();
  await cpuBackend.open();
});

const DRAWS = 25;
const from = (rng: Rng, low: number, high: number): number => low + rng.below(high - low + 1);

/** Rows that fill no vector, channels that fill no cache line, rows of more than one run. */
const channels = (rng: Rng): number => from(rng, 1, 21);

const DRAWN: Readonly<Record<string, (rng: Rng) => Omit<KernelCase, 'name'>>> = {
  'batch norm': (rng) => ({
    op: batchNorm(),
    inputs: [[from(rng, 2, 5), channels(rng), from(rng, 2, 9), from(rng, 1, 9)]],
  }),
  'batch norm of vectors': (rng) => ({ op: batchNorm(), inputs: [[from(rng, 3, 300), channels(rng)]] }),
  'layer norm': (rng) => ({
    op: layerNorm(1e-5),
    inputs: [[from(rng, 1, 3), from(rng, 1, 7), from(rng, 3, 23)]],
  }),
  softmax: (rng) => ({ op: SOFTMAX, inputs: [[from(rng, 1, 3), from(rng, 1, 5), from(rng, 1, 19)]] }),
  'causal mask': (rng) => {
    const length = from(rng, 1, 11);
    return {
      op: { kind: 'causal-mask' },
      inputs: [[from(rng, 1, 2), from(rng, 1, 3), length, length]],
      layouts: { inputs: ['plain'], output: 'plain' },
    };
  },
  gelu: (rng) => ({ op: GELU_TANH, inputs: [[from(rng, 1, 5), from(rng, 1, 30)]] }),
  relu: (rng) => ({ op: RELU, inputs: [[from(rng, 1, 5), from(rng, 1, 30)]] }),
  add: (rng) => {
    const shape = [from(rng, 1, 5), from(rng, 1, 30)];
    return { op: ADD, inputs: [shape, shape] };
  },
  linear: (rng) => ({
    op: linear(from(rng, 1, 70), from(rng, 0, 1) === 0),
    inputs: [[from(rng, 1, 3), from(rng, 1, 9), from(rng, 1, 23)]],
  }),
  'tied linear': (rng) => ({
    op: { kind: 'tied-linear', outFeatures: from(rng, 1, 70), table: 'table' },
    inputs: [[from(rng, 1, 3), from(rng, 1, 9), from(rng, 1, 23)]],
  }),
  'max pool': (rng) => {
    const kernel = from(rng, 1, 4);
    const padding = from(rng, 0, Math.floor(kernel / 2));
    return {
      op: maxPool(kernel, { stride: from(rng, 1, 3), padding, ceilMode: from(rng, 0, 1) === 1 }),
      inputs: [[from(rng, 1, 3), channels(rng), from(rng, kernel, 11), from(rng, kernel, 11)]],
    };
  },
  'attention scores': (rng) => {
    const shape = [from(rng, 1, 3), from(rng, 1, 4), from(rng, 1, 13), from(rng, 1, 11)];
    return {
      op: { kind: 'attention-scores' },
      inputs: [shape, shape],
      layouts: { inputs: ['heads', 'heads'], output: 'plain' },
    };
  },
  'fused attention': (rng) => {
    // One position has a scores' gradient of 0, and only rounding is left to compare.
    const shape = [from(rng, 1, 3), from(rng, 1, 4), from(rng, 2, 13), from(rng, 1, 11)];
    return {
      op: attention(from(rng, 0, 1) === 1, from(rng, 0, 1) * 0.2),
      inputs: [shape, shape, shape],
      layouts: { inputs: ['heads', 'heads', 'heads'], output: 'heads' },
    };
  },
  embedding: (rng) => {
    const count = from(rng, 1, 9);
    return {
      op: embedding(count, channels(rng)),
      inputs: [[from(rng, 1, 3), from(rng, 1, 9)]],
    };
  },
  split: (rng) => {
    const parts = from(rng, 1, 4);
    return {
      op: { kind: 'split', parts, part: rng.below(parts) },
      inputs: [[from(rng, 1, 3), from(rng, 1, 5), parts * channels(rng)]],
    };
  },
  'attention values': (rng) => {
    const [n, heads, length, each] = [from(rng, 1, 3), from(rng, 1, 4), from(rng, 1, 13), from(rng, 1, 11)];
    return {
      op: { kind: 'attention-values' },
      inputs: [
        [n, heads, length, length],
        [n, heads, length, each],
      ],
      layouts: { inputs: ['plain', 'heads'], output: 'heads' },
    };
  },
};

describe.each(BACKENDS)('fused kernels on $backend.name', ({ backend, reason }) => {
  describe.skipIf(reason !== '')(`of drawn shapes${skippedFor(reason)}`, () => {
    test.each(Object.entries(DRAWN))(
      '%s: computes what plain ones do, and leaks nothing',
      async (name, draw) => {
        const rng = createRng(23);
        for (let i = 0; i < DRAWS; i++) {
          const drawn: KernelCase = { name, ...draw(rng) };
          const given = randomArguments(drawn, i);
          await tf.setBackend('cpu');
          const expected = await runCase(drawn, given);
          const { memory } = await backend.open();
          expect(backendTraits().fuses).toBe(true);
          const held = () => [memory().allocatedBytes, tf.memory().numBytes, tf.memory().numDataBuffers];
          const before = held();
          const actual = await runCase(drawn, given);
          expect(held()).toEqual(before);
          const shapes = JSON.stringify(drawn.inputs);
          expect(difference(actual.output, expected.output), shapes).toBeLessThan(1e-5);
          for (const kind of ['aux', 'inputGradients', 'parameterGradients'] as const) {
            expect(actual[kind].length).toBe(expected[kind].length);
            for (const [j, values] of expected[kind].entries()) {
              expect(difference(actual[kind][j]!, values), `${kind} ${j} of ${shapes}`).toBeLessThan(1e-4);
            }
          }
        }
      },
    );

    test('the exponential is right to a share of 2^-21 over all numbers that have one, and exactly 0 for hidden scores', async () => {
      await backend.open();
      const rng = createRng(29);
      const scores = Float32Array.from({ length: 4000 }, () => -87 * (rng.below(1 << 20) / (1 << 20)));
      // Each beside a 0, so that softmax is e^x / (1 + e^x).
      const pairs = tf.tensor2d(
        [...scores, -1e9, -100].flatMap((x) => [0, x]),
        [scores.length + 2, 2],
      );
      const shares = await tf.tidy(() => runKernel('ZigzagSoftmax', { x: pairs }, {})).data();
      pairs.dispose();
      for (const [i, x] of scores.entries()) {
        const right = Math.exp(x) / (1 + Math.exp(x));
        expect(Math.abs(shares[2 * i + 1]! / right - 1)).toBeLessThan(2 ** -21);
      }
      expect([...shares.slice(-4)]).toEqual([1, 0, 1, 0]);
    });

    test('descent is PyTorch’s momentum, in place but for the parameter', async () => {
      await backend.open();
      const values = [0, 1, 2].map((k) => Float32Array.from({ length: 37 }, (_v, i) => Math.sin(3 * i + k)));
      const [velocity, gradient, parameter] = values.map((list) => tf.tensor1d(list.slice())) as [
        tf.Tensor,
        tf.Tensor,
        tf.Tensor,
      ];
      const next = runKernel(
        'ZigzagDescent',
        { velocity, gradient, parameter },
        { momentum: 0.9, learningRate: 0.1 },
      );
      const [v, p, old] = [await velocity.data(), await next.data(), await parameter.data()];
      for (let i = 0; i < 37; i++) {
        const expected = 0.9 * values[0]![i]! + values[1]![i]!;
        expect(v[i]).toBeCloseTo(expected, 6);
        expect(p[i]).toBeCloseTo(values[2]![i]! - 0.1 * expected, 6);
      }
      expect([...old]).toEqual([...values[2]!]);
      tf.dispose([velocity, gradient, parameter, next]);
    });
  });
});
