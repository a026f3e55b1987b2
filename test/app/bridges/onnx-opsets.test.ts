import { describe, expect, it } from 'vitest';
import { importFile } from '../../../app/bridges/import-file.ts';
import { memoryModel, needsOf } from '../../../engine/ops/memory-model.ts';
import { onnxBytes, type TestModel, type TestNode } from './onnx-files.ts';

const ints = (...numbers: number[]) => ({ shape: [numbers.length], ints: numbers });
const floats = (...numbers: number[]) => ({ shape: [numbers.length], floats: numbers });

function read(
  opset: number,
  node: TestNode,
  weights: TestModel['weights'] = {},
  more: Partial<TestModel> = {},
) {
  const { graph, summary } = importFile(
    onnxBytes({ opset, nodes: [{ name: 'y', ...node }], weights, ...more }),
    { batch: 2 },
  );
  const memory = memoryModel(graph, 'pytorch');
  const v = graph.ids.indexOf('y');
  return {
    shape: graph.shapes[v],
    kept: Array.from(needsOf(memory, v), (u) => graph.ids[u]),
    auxBytes: memory.auxBytes[v],
    summary,
    graph,
  };
}

/** Changes in the operator sets that PyTorch writes since 2.0 (ONNX changelog, versions 18 to 20). */
describe('an ONNX file of a newer operator set', () => {
  it.each<[string, number, TestNode, TestModel['weights'], readonly number[]]>([
    [
      'a mean over axes from an input',
      18,
      { op: 'ReduceMean', inputs: ['x', 'a'], attributes: { keepdims: 0 } },
      { a: ints(-2, -1) },
      [2, 3],
    ],
    ['a sum over all axes', 18, { op: 'ReduceSum', inputs: ['x'] }, {}, [1, 1, 1, 1]],
    [
      'a sum over no axes, which is one over all',
      18,
      { op: 'ReduceSum', inputs: ['x', 'a'] },
      { a: ints() },
      [1, 1, 1, 1],
    ],
    [
      'a sum over no axes that is none',
      18,
      { op: 'ReduceSum', inputs: ['x', 'a'], attributes: { noop_with_empty_axes: 1 } },
      { a: ints() },
      [2, 3, 8, 8],
    ],
    [
      'a sum over no axes named by an attribute',
      13,
      { op: 'ReduceSum', inputs: ['x'], attributes: { axes: [] } },
      {},
      [1, 1, 1, 1],
    ],
    [
      'a split by a number of outputs',
      18,
      { op: 'Split', inputs: ['x'], outputs: ['y', 'b', 'c'], attributes: { axis: 2, num_outputs: 3 } },
      {},
      [2, 3, 3, 8],
    ],
    [
      'a padding of some axes',
      18,
      { op: 'Pad', inputs: ['x', 'p', '', 'a'] },
      { p: ints(1, 2, 3, 4), a: ints(3, 2) },
      [2, 3, 14, 12],
    ],
    [
      'a resize of some axes to sizes',
      18,
      { op: 'Resize', inputs: ['x', '', '', 's'], attributes: { axes: [2, 3] } },
      { s: ints(12, 20) },
      [2, 3, 12, 20],
    ],
    [
      'a resize in proportion, not larger',
      18,
      {
        op: 'Resize',
        inputs: ['x', '', '', 's'],
        attributes: { axes: [2, 3], keep_aspect_ratio_policy: 'not_larger' },
      },
      { s: ints(12, 20) },
      [2, 3, 12, 12],
    ],
    [
      'a resize by scales of some axes',
      19,
      { op: 'Resize', inputs: ['x', '', 's'], attributes: { axes: [-1] } },
      { s: floats(1.5) },
      [2, 3, 8, 12],
    ],
    [
      'a resize to sizes written for another batch',
      13,
      { op: 'Resize', inputs: ['x', '', '', 's'] },
      { s: ints(1, 3, 16, 16) },
      [2, 3, 16, 16],
    ],
    [
      'a crop about the centre',
      18,
      { op: 'CenterCropPad', inputs: ['x', 's'], attributes: { axes: [2, 3] } },
      { s: ints(5, 10) },
      [2, 3, 5, 10],
    ],
    [
      'an average pool with holes',
      19,
      { op: 'AveragePool', inputs: ['x'], attributes: { kernel_shape: [3, 3], dilations: [2, 2] } },
      {},
      [2, 3, 4, 4],
    ],
  ])('knows the shape of %s (opset %i)', (_what, opset, node, weights, shape) => {
    const given = read(opset, node, weights);
    expect(given.shape).toEqual(shape);
    expect(given.summary.opaque).toEqual([]);
  });

  it('keeps the last, smaller part of an uneven split', () => {
    const node = {
      op: 'Split',
      inputs: ['x'],
      outputs: ['a', 'b', 'y'],
      attributes: { axis: 2, num_outputs: 3 },
    };
    const { graph } = read(18, node, {}, { outputs: ['a', 'b', 'y'] });
    const parts = graph.shapes.filter((shape) => shape?.[3] === 8).map((shape) => shape?.[2]);
    expect(parts).toEqual([8, 3, 3, 2]);
  });

  it.each<[string, number, TestNode, TestModel['weights'], readonly string[], number, number]>([
    ['GELU of its own', 20, { op: 'Gelu', inputs: ['x'] }, {}, ['x'], 0, 0],
    ['Mish', 18, { op: 'Mish', inputs: ['x'] }, {}, ['x'], 0, 0],
    [
      'layer norm over the last axis',
      17,
      { op: 'LayerNormalization', inputs: ['x', 'w', 'b'] },
      { w: { shape: [8] }, b: { shape: [8] } },
      ['x'],
      8 * 2 * 3 * 8,
      16,
    ],
    [
      'layer norm over two axes',
      17,
      { op: 'LayerNormalization', inputs: ['x', 'w', 'b'], attributes: { axis: 2 } },
      { w: { shape: [8, 8] }, b: { shape: [8, 8] } },
      ['x'],
      8 * 2 * 3,
      128,
    ],
    [
      'group norm',
      18,
      { op: 'GroupNormalization', inputs: ['x', 'w', 'b'], attributes: { num_groups: 3 } },
      { w: { shape: [3] }, b: { shape: [3] } },
      ['x'],
      8 * 2 * 3,
      6,
    ],
    ['a soft maximum of sums', 18, { op: 'ReduceLogSumExp', inputs: ['x'] }, {}, ['x', 'y'], 0, 0],
    ['a comparison with nothing', 20, { op: 'IsNaN', inputs: ['x'] }, {}, [], 0, 0],
  ])('knows what %s keeps (opset %i)', (_what, opset, node, weights, kept, auxBytes, parameters) => {
    const given = read(opset, node, weights);
    expect(given).toMatchObject({ kept, auxBytes });
    expect(given.summary).toMatchObject({ opaque: [], parameters });
  });

  it('samples a grid and keeps both', () => {
    const inputs = { x: ['n', 3, 8, 8], g: ['n', 5, 6, 2] };
    const { shape, kept } = read(20, { op: 'GridSample', inputs: ['x', 'g'] }, {}, { inputs });
    expect(shape).toEqual([2, 3, 5, 6]);
    expect(kept).toEqual(['x', 'g']);
  });

  it('puts padding by axes and the average pool behind it together', () => {
    const { graph } = importFile(
      onnxBytes({
        opset: 18,
        nodes: [
          { op: 'Pad', name: 'pad', inputs: ['x', 'p', '', 'a'] },
          { op: 'AveragePool', name: 'y', inputs: ['pad'], attributes: { kernel_shape: [3, 3] } },
        ],
        weights: { p: ints(1, 2, 3, 4), a: ints(3, 2) },
      }),
    );
    expect(graph.ids).toEqual(['x', 'y']);
    expect(graph.operations[1]).toMatchObject({ padding: [2, 4, 1, 3], countIncludePad: true });
  });
});
