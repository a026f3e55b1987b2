import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import type { Graph } from '../../../engine/graph/graph.ts';
import { createProblem } from '../../../engine/problem.ts';
import { buildBert, buildGpt, buildVit } from '../../../engine/zoo/transformers.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { cpuBackend } from '../../../main/trainer/backends/cpu.ts';
import { wasmBackend } from '../../../main/trainer/backends/wasm.ts';
import { syntheticData } from '../../../main/trainer/data/synthetic-data.ts';
import { OutOfMemoryError } from '../../../main/trainer/errors.ts';
import { Executor } from '../../../main/trainer/executor.ts';
import { ParameterStore, stationaryBytesOf } from '../../../main/trainer/parameter-store.ts';
import { runTraining } from '../../../main/trainer/run.ts';
import { supervised } from '../../../main/trainer/supervision.ts';
import { difference } from './run-kernel.ts';
import { addsAlike, predictedBytes, scheduleOf, train } from './training.ts';

const SIZE = { width: 8, heads: 2, layers: 1 };
const LANGUAGE = { ...SIZE, vocabulary: 20, positions: 9 };
const VISION = { ...SIZE, patch: 4, classes: 3 };

function built(build: (b: GraphBuilder) => void): Graph {
  const b = new GraphBuilder('small');
  build(b);
  return b.build();
}

const settings = (input: number) => ({ batch: 2, input, dropout: 0.1 });

const NETWORKS: readonly [string, Graph][] = [false, true].flatMap((fused): [string, Graph][] => {
  const form = fused ? 'fused' : 'written out';
  return [
    [`a GPT, ${form}`, built((b) => buildGpt(b, settings(6), LANGUAGE, fused))],
    [`a BERT, ${form}`, built((b) => buildBert(b, settings(6), LANGUAGE, fused))],
    [`a ViT, ${form}`, built((b) => buildVit(b, settings(12), VISION, fused))],
  ];
});

beforeAll(async () => {
  await cpuBackend.open();
});

/** Loss of the first batch after one step down (or up) the gradient, and the gradient's squared length. */
async function lossAfter(graph: Graph, learningRate: number) {
  const problem = createProblem(graph, 'tfjs');
  const data = syntheticData(graph, 3);
  const store = new ParameterStore(graph, 3);
  const executor = new Executor({ problem, schedule: scheduleOf(problem, 'regular')!, store, seed: 3 });
  await executor.step(data.batch(0), 0);
  let square = 0;
  for (let v = 1; v < graph.size; v++) {
    // A table that two vertices share counts once.
    if (graph.parameters[v] === 0) continue;
    for (const gradient of store.gradientsOf(v)) {
      for (const value of await gradient.data()) square += value * value;
    }
  }
  store.descend({ learningRate, momentum: 0 });
  const loss = await executor.step(data.batch(0), 0);
  store.dispose();
  return { loss, square };
}

test.each([...NETWORKS, ['tiny-unet', buildModel('tiny-unet', { batch: 2, input: 8 })] as const])(
  'the gradients of a whole network are the derivative of its loss %s',
  async (_name, graph) => {
    await tf.setBackend('cpu');
    const { square } = await lossAfter(graph, 0);
    // Far enough for the loss to change in more than its last bits, near enough for it to be straight.
    const step = 1e-4 / Math.sqrt(square);
    const [down, up] = [await lossAfter(graph, step), await lossAfter(graph, -step)];
    expect((up.loss - down.loss) / (2 * step * square)).toBeCloseTo(1, 2);
  },
);

test.each(NETWORKS)(
  '[M10] [M11] on cpu, predicted bytes equal measured bytes, and training does not depend on the schedule %s',
  async (_name, graph) => {
    await tf.setBackend('cpu');
    const problem = createProblem(graph, 'tfjs');
    const regular = scheduleOf(problem, 'regular')!;
    const expected = await train(problem, regular, 2);
    for (const strategy of ['chen-greedy', 'optimal', 'live']) {
      const schedule = scheduleOf(problem, strategy)!;
      const actual = await train(problem, schedule, 2);
      for (const samples of actual.samples) {
        expect(samples, strategy).toEqual(predictedBytes(problem, schedule));
      }
      if (addsAlike(graph, regular, schedule)) {
        expect(actual.loss, strategy).toEqual(expected.loss);
        expect(actual.values, strategy).toEqual(expected.values);
        continue;
      }
      // Only BERT's layers are read more than twice: by queries, keys, values and the sum.
      expect(difference(actual.loss, expected.loss), strategy).toBeLessThan(1e-5);
      for (const [i, values] of actual.values.entries()) {
        expect(difference(values, expected.values[i]!), `${strategy}, values ${i}`).toBeLessThan(1e-4);
      }
    }
  },
);

test('a long chain of convolutions starts with a loss of chance: its layers do not amplify', async () => {
  await tf.setBackend('cpu');
  const problem = createProblem(buildModel('chain-32', { batch: 2, input: 6 }), 'tfjs');
  const { loss } = await train(problem, scheduleOf(problem, 'regular')!, 3);
  // Loss of three equal classes.
  for (const value of loss) expect(Math.abs(value - Math.log(3))).toBeLessThan(1);
});

test('a table that the head shares is stored once', async () => {
  await tf.setBackend('cpu');
  const graph = built((b) => buildGpt(b, settings(6), LANGUAGE, false));
  const before = tf.memory().numBytes;
  const store = new ParameterStore(graph, 1);
  const bytes = tf.memory().numBytes - before;
  store.dispose();
  expect(bytes).toBe(3 * 4 * graph.parameters.reduce((sum, count) => sum + count, 0));
  expect(stationaryBytesOf(graph)).toBe(bytes);
});

test.each([
  ['gpt2', 1024, 8],
  ['vgg19', 224, 64],
  ['unet', 512, 4],
] as const)(
  '%s at %i, batch %i, exceeds the WebAssembly heap and is refused in a sentence',
  async (model, input, batch) => {
    const request = {
      model,
      input,
      batch,
      strategy: 'regular',
      iterations: 1,
      seed: 1,
      learningRate: 0.01,
      momentum: 0.9,
    };
    const run = runTraining(request, () => undefined, supervised(), { backends: [wasmBackend] });
    await expect(run).rejects.toThrow(OutOfMemoryError);
    await expect(run).rejects.toThrow(
      /^one step needs [\d.]+ GiB, .* and the wasm backend allows 3\.\d+ GiB; choose a smaller batch, a smaller input or another strategy$/,
    );
  },
);
