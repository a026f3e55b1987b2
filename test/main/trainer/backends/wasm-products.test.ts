import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRng, type Rng } from '../../../../engine/rng.ts';
import { cpuBackend } from '../../../../main/trainer/backends/cpu.ts';
import { wasmBackend } from '../../../../main/trainer/backends/wasm.ts';
import { runKernel } from '../../../../main/trainer/kernels/kernel.ts';
import { fillNormal } from '../../../../main/trainer/random.ts';
import { difference } from '../run-kernel.ts';

beforeAll(async () => {
  await wasmBackend.open();
  await cpuBackend.open();
});

const DRAWS = 40;
const from = (rng: Rng, low: number, high: number): number => low + rng.below(high - low + 1);

function drawn(rng: Rng, shape: readonly number[]): { values: Float32Array; shape: number[] } {
  const values = new Float32Array(shape.reduce((product, extent) => product * extent, 1));
  fillNormal(values, 1, rng);
  return { values, shape: [...shape] };
}

type Drawn = ReturnType<typeof drawn>;

/** The same kernel on both backends; on wasm nothing is left on the heap. */
async function both(name: string, given: Record<string, Drawn>, attributes: object) {
  const results: Float32Array[] = [];
  for (const backend of ['cpu', 'wasm']) {
    await tf.setBackend(backend);
    const before = (await wasmBackend.open()).memory().allocatedBytes;
    await tf.setBackend(backend);
    const output = tf.tidy(() =>
      runKernel(
        name,
        Object.fromEntries(
          Object.entries(given).map(([key, { values, shape }]) => [key, tf.tensor(values, shape)]),
        ),
        attributes,
      ),
    );
    results.push((await output.data<'float32'>()).slice());
    output.dispose();
    expect((await wasmBackend.open()).memory().allocatedBytes).toBe(before);
  }
  return results as [Float32Array, Float32Array];
}

/** Windows of odd extents, strides that leave rests, padding on four sides, channels that fill no tile. */
function drawConvolution(rng: Rng) {
  const strides = [from(rng, 1, 3), from(rng, 1, 3)];
  const kernel = [from(rng, 1, 4), from(rng, 1, 4)];
  // The reference's gradients know no dilation.
  const dilations = [1, 1];
  const pad = [0, 1].map((axis) => [from(rng, 0, kernel[axis]! - 1), from(rng, 0, kernel[axis]! - 1)]);
  const [n, c, k] = [from(rng, 1, 3), from(rng, 1, 11), from(rng, 1, 19)];
  const extent = (axis: number) => from(rng, kernel[axis]!, kernel[axis]! + 7);
  const [h, w] = [extent(0), extent(1)];
  const out = [h, w].map((side, axis) => {
    const [before = 0, after = 0] = pad[axis] ?? [];
    return Math.floor((side + before + after - kernel[axis]!) / strides[axis]!) + 1;
  });
  const inputShape = [n, h, w, c];
  const filterShape = [...kernel, c, k];
  const attributes = {
    strides,
    dilations,
    pad: [[0, 0], ...pad, [0, 0]],
    dataFormat: 'NHWC',
    inputShape,
    filterShape,
  };
  const [x, filter, dy] = [inputShape, filterShape, [n, ...out, k]].map((shape) => drawn(rng, shape));
  return { attributes, x: x!, filter: filter!, dy: dy! };
}

describe('drawn convolutions and products equal plain loops', () => {
  test.each(['Conv2D', 'Conv2DBackpropInput', 'Conv2DBackpropFilter'])('%s', async (name) => {
    const rng = createRng(17);
    for (let i = 0; i < DRAWS; i++) {
      const { attributes, x, filter, dy } = drawConvolution(rng);
      const given: Record<string, Drawn> =
        name === 'Conv2D' ? { x, filter } : name === 'Conv2DBackpropInput' ? { dy, filter } : { x, dy };
      const [expected, actual] = await both(name, given, attributes);
      expect(difference(actual, expected), JSON.stringify(attributes)).toBeLessThan(1e-5);
    }
  });

  test.each(['Conv2D', 'Conv2DBackpropInput', 'Conv2DBackpropFilter'])('%s by transforms', async (name) => {
    const rng = createRng(20);
    for (let i = 0; i < 12; i++) {
      const [n, c, k] = [from(rng, 2, 5), 4 * from(rng, 4, 9), 4 * from(rng, 4, 9)];
      // Outputs of even extents, as many as the transforms ask for; some from no padding, some from too much.
      const out = [2 * from(rng, 3, 7), 2 * from(rng, 3, 7)];
      const pad = out.map(() => [from(rng, 0, 2), from(rng, 0, 2)]);
      const side = out.map((extent, axis) => extent + 2 - pad[axis]![0]! - pad[axis]![1]!);
      const [x, filter, dy] = [
        [n, ...side, c],
        [3, 3, c, k],
        [n, ...out, k],
      ].map((shape) => drawn(rng, shape)) as [Drawn, Drawn, Drawn];
      const attributes = {
        strides: [1, 1],
        dilations: [1, 1],
        pad: [[0, 0], ...pad, [0, 0]],
        dataFormat: 'NHWC',
        inputShape: x.shape,
        filterShape: filter.shape,
      };
      const given: Record<string, Drawn> =
        name === 'Conv2D' ? { x, filter } : name === 'Conv2DBackpropInput' ? { dy, filter } : { x, dy };
      const [expected, actual] = await both(name, given, attributes);
      expect(difference(actual, expected), JSON.stringify(attributes)).toBeLessThan(1e-5);
    }
  });

  test.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])('BatchMatMul, transposed: %s, %s', async (transposeA, transposeB) => {
    const rng = createRng(18);
    for (let i = 0; i < DRAWS; i++) {
      const [m, k, n] = [from(rng, 1, 19), from(rng, 1, 23), from(rng, 1, 21)];
      const count = from(rng, 1, 3);
      const [countA, countB] = from(rng, 0, 1) === 0 ? [count, count] : [count, 1];
      const a = drawn(rng, [countA, ...(transposeA ? [k, m] : [m, k])]);
      const b = drawn(rng, [countB, ...(transposeB ? [n, k] : [k, n])]);
      const [expected, actual] = await both('BatchMatMul', { a, b }, { transposeA, transposeB });
      expect(difference(actual, expected), `${m} by ${k} by ${n}`).toBeLessThan(1e-5);
    }
  });

  test('a gradient in several parts of workspace equals one in a single part', async () => {
    const rng = createRng(19);
    // About 12 MB an image, of 32 MiB: two images, then one.
    const x = drawn(rng, [3, 208, 208, 1]);
    const dy = drawn(rng, [3, 208, 208, 60]);
    const attributes = {
      strides: [1, 1],
      dilations: [1, 1],
      pad: 'same',
      filterShape: [1, 1, 1, 60],
      dataFormat: 'NHWC',
    };
    const [expected, actual] = await both('Conv2DBackpropFilter', { x, dy }, attributes);
    expect(difference(actual, expected)).toBeLessThan(1e-4);
  });
});
