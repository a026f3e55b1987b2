import { describe, expect, it } from 'vitest';
import { torchModels } from '../../../app/bridges/torch/torch-models.ts';
import { importFile } from '../../../app/bridges/import-file.ts';
import { memoryModel, needsOf } from '../../../engine/ops/memory-model.ts';
import { onnxBytes, type TestModel, type TestNode } from './onnx-files.ts';

const read = (model: TestModel, options = {}) => importFile(onnxBytes(model), options);
const shapes = (model: TestModel, options = {}) => {
  const { graph } = read(model, options);
  return Object.fromEntries(graph.ids.map((id, v) => [id, graph.shapes[v]]));
};
const only = (node: Omit<TestNode, 'name'>, more: Partial<TestModel> = {}): TestModel => ({
  nodes: [{ ...node, name: 'y' }],
  ...more,
});

const SMALL: TestModel = {
  nodes: [
    { op: 'Conv', name: 'conv', inputs: ['x', 'w'], attributes: { pads: [1, 1, 1, 1], strides: [2, 2] } },
    {
      op: 'BatchNormalization',
      name: 'bn',
      inputs: ['conv', 's', 'b', 'm', 'v'],
      attributes: { momentum: 0.9 },
    },
    { op: 'Relu', name: 'relu', inputs: ['bn'] },
    { op: 'GlobalAveragePool', name: 'pool', inputs: ['relu'] },
    { op: 'Flatten', name: 'flat', inputs: ['pool'] },
    { op: 'Dropout', name: 'drop', inputs: ['flat'] },
    { op: 'Gemm', name: 'fc', inputs: ['drop', 'fw', 'fb'], attributes: { transB: 1 } },
  ],
  weights: {
    w: { shape: [4, 3, 3, 3] },
    s: { shape: [4] },
    b: { shape: [4] },
    m: { shape: [4] },
    v: { shape: [4] },
    fw: { shape: [10, 4] },
    fb: { shape: [10] },
  },
};

describe('an ONNX file', () => {
  it('becomes the network that is trained', () => {
    const { graph, summary } = read(SMALL, { batch: 2 });
    expect(graph.operations.map((op) => op.kind)).toEqual([
      'input',
      'conv2d',
      'batch-norm',
      'relu',
      'adaptive-avg-pool',
      'flatten',
      'dropout',
      'linear',
    ]);
    expect(graph.shapes[1]).toEqual([2, 4, 4, 4]);
    expect(graph.operations[6]).toEqual({ kind: 'dropout', rate: 0.5 });
    expect([...memoryModel(graph, 'pytorch').takesOver]).toEqual([-1, -1, -1, 2, -1, -1, -1, -1]);
    expect(summary).toMatchObject({
      format: 'onnx',
      vertices: 8,
      folded: 0,
      opaque: [],
      parameters: 108 + 8 + 50,
      // Input, conv, relu, two vectors of four, the dropout's mask and its output.
      keptBytes: 4 * 2 * (192 + 64 + 64) + 32 + 8 + 32,
    });
    expect(summary.largestTensors[0]).toEqual({ id: 'x', bytes: 1536, shape: [2, 3, 8, 8] });
  });

  it('takes weights from another file, the batch from the caller, and an open image size too', () => {
    const open: TestModel = { ...SMALL, inputs: { x: ['batch', 3, 'h', 'w'] } };
    expect(() => read(open)).toThrow('x: the file leaves the axis h open; give the input size (--input)');
    expect(shapes(open, { batch: 5, input: 16 })['conv']).toEqual([5, 4, 8, 8]);
  });

  it('reads another batch than the one that was written into its shapes', () => {
    const model: TestModel = {
      inputs: { x: [2, 6, 4] },
      nodes: [
        { op: 'Reshape', name: 'y', inputs: ['x', 'rows'] },
        { op: 'Expand', name: 'z', inputs: ['y', 'more'] },
      ],
      weights: { rows: { shape: [4], ints: [2, -1, 1, 2] }, more: { shape: [4], ints: [2, 12, 3, 2] } },
    };
    for (const batch of [1, 2, 6])
      expect(shapes(model, { batch })).toMatchObject({ y: [batch, 12, 1, 2], z: [batch, 12, 3, 2] });
  });

  it('computes shapes through the operations that exporters write for them', () => {
    const model: TestModel = {
      inputs: { x: ['batch', 6, 4] },
      nodes: [
        { op: 'Shape', name: 'shape', inputs: ['x'] },
        { op: 'Gather', name: 'n', inputs: ['shape', 'zero'] },
        { op: 'Unsqueeze', name: 'n1', inputs: ['n', 'axis'] },
        { op: 'Concat', name: 'target', inputs: ['n1', 'rest'], attributes: { axis: 0 } },
        { op: 'Reshape', name: 'y', inputs: ['x', 'target'] },
        { op: 'Transpose', name: 'z', inputs: ['y'], attributes: { perm: [0, 2, 1] } },
      ],
      weights: {
        zero: { shape: [], ints: [0] },
        axis: { shape: [1], ints: [0] },
        rest: { shape: [2], ints: [3, -1] },
      },
    };
    expect(shapes(model, { batch: 7 })).toEqual({ x: [7, 6, 4], y: [7, 3, 8], z: [7, 8, 3] });
    expect(read(model).summary.folded).toBe(3);
  });

  it('saves what a framework saves: split GELU, SiLU and layer norm are fused again', () => {
    const gelu: TestModel = {
      nodes: [
        { op: 'Div', name: 'd', inputs: ['x', 'root'] },
        { op: 'Erf', name: 'e', inputs: ['d'] },
        { op: 'Add', name: 'a', inputs: ['e', 'one'] },
        { op: 'Mul', name: 'm', inputs: ['x', 'a'] },
        { op: 'Mul', name: 'y', inputs: ['m', 'half'] },
        { op: 'Sigmoid', name: 's', inputs: ['y'] },
        { op: 'Mul', name: 'z', inputs: ['y', 's'] },
      ],
      weights: { root: { shape: [] }, one: { shape: [] }, half: { shape: [] } },
    };
    const { graph, summary } = read(gelu);
    expect(graph.ids).toEqual(['x', 'y', 'z']);
    expect(summary.folded).toBe(4);
    const memory = memoryModel(graph, 'pytorch');
    expect([1, 2].map((v) => [...needsOf(memory, v)])).toEqual([[0], [1]]);
  });

  it('keeps what a fused kernel keeps of attention that an exporter wrote out, and of no other', () => {
    const attention = (scaled: boolean): TestModel => ({
      inputs: { q: ['n', 2, 4, 8], k: ['n', 2, 8, 4], v: ['n', 2, 4, 8], mask: ['n', 1, 4, 4] },
      nodes: [
        { op: 'Mul', name: 'qs', inputs: ['q', 'root'] },
        ...(scaled ? [{ op: 'Mul', name: 'ks', inputs: ['k', 'root'] }] : []),
        { op: 'MatMul', name: 'scores', inputs: ['qs', scaled ? 'ks' : 'k'] },
        { op: 'Add', name: 'masked', inputs: ['scores', 'mask'] },
        { op: 'Softmax', name: 'weights', inputs: ['masked'] },
        { op: 'IsNaN', name: 'none', inputs: ['weights'] },
        { op: 'Where', name: 'sure', inputs: ['none', 'zero', 'weights'] },
        { op: 'Dropout', name: 'dropped', inputs: ['sure'] },
        { op: 'MatMul', name: 'y', inputs: ['dropped', 'v'] },
      ],
      weights: { root: { shape: [] }, zero: { shape: [] } },
    });
    const { graph, summary } = read(attention(true));
    expect(graph.ids).toEqual(['inputs', 'q', 'k', 'v', 'mask', 'y']);
    // The inputs, the output, and 4 bytes for each of 8 rows.
    expect(summary.keptBytes).toBe(4 * (3 * 64 + 16) + 4 * 64 + 4 * 8);
    const written = read(attention(false)).graph.ids;
    expect(written).toContain('weights');
  });

  it('chains concatenations that begin with all inputs of an earlier one', () => {
    const conv = (name: string, input: string): TestNode => ({
      op: 'Conv',
      name,
      inputs: [input, `w-${input}`],
    });
    const { graph } = read({
      inputs: { x: ['n', 2, 4, 4] },
      nodes: [
        conv('a', 'x'),
        { op: 'Concat', name: 'c1', inputs: ['x', 'a'], attributes: { axis: 1 } },
        conv('b', 'c1'),
        { op: 'Concat', name: 'c2', inputs: ['x', 'a', 'b'], attributes: { axis: 1 } },
      ],
      weights: { 'w-x': { shape: [1, 2, 1, 1] }, 'w-c1': { shape: [1, 3, 1, 1] } },
    });
    expect(graph.shapes[4]).toEqual([1, 4, 4, 4]);
    expect([...graph.predecessors.slice(-2)]).toEqual([2, 3]);
  });

  it('joins several inputs and outputs by a source and a target of their own', () => {
    const { graph } = read({
      inputs: { x: ['n', 4], z: ['n', 4] },
      nodes: [
        { op: 'Add', name: 'sum', inputs: ['x', 'z'] },
        { op: 'Sigmoid', name: 'gate', inputs: ['sum'] },
        { op: 'Tanh', name: 'y', inputs: ['sum'] },
      ],
      outputs: ['gate', 'y'],
    });
    expect(graph.ids).toEqual(['inputs', 'x', 'z', 'sum', 'gate', 'y', 'outputs']);
    expect([...graph.bytes]).toEqual([32, 0, 0, 16, 16, 16, 0]);
  });

  it('keeps an unknown operation with the file’s bytes, and names it', () => {
    const node = { op: 'Fold', inputs: ['x'] };
    const { graph, summary } = read(only(node, { values: { y: ['batch', 5] } }), { batch: 3 });
    expect(summary.opaque).toEqual(['Fold']);
    expect(summary.notices.at(-1)).toBe('unsupported operations, counted by their size only: Fold');
    expect(torchModels(graph, null)).toEqual({ models: [], isReplanned: true });
    expect(graph.bytes[1]).toBe(60);
    const hidden: TestModel = {
      nodes: [
        { ...node, name: 'q' },
        { op: 'Relu', name: 'y', inputs: ['q'] },
      ],
    };
    expect(() => read(hidden)).toThrow(/^q \(Fold\) is an unsupported operation/);
  });

  it.each<[string, Omit<TestNode, 'name'>, Partial<TestModel>, readonly number[]]>([
    [
      'SAME_UPPER padding',
      {
        op: 'MaxPool',
        inputs: ['x'],
        attributes: { kernel_shape: [3, 3], strides: [2, 2], auto_pad: 'SAME_UPPER' },
      },
      {},
      [1, 3, 4, 4],
    ],
    [
      'a transposed convolution',
      { op: 'ConvTranspose', inputs: ['x', 'w'], attributes: { strides: [2, 2] } },
      { weights: { w: { shape: [3, 6, 2, 2] } } },
      [1, 6, 16, 16],
    ],
    [
      'a broadcast product',
      { op: 'Mul', inputs: ['x', 'w'] },
      { weights: { w: { shape: [3, 1, 1] } } },
      [1, 3, 8, 8],
    ],
    [
      'a mean over axes',
      { op: 'ReduceMean', inputs: ['x'], attributes: { axes: [2, 3], keepdims: 0 } },
      {},
      [1, 3],
    ],
    [
      'a slice',
      { op: 'Slice', inputs: ['x', 'a', 'b', 'c'] },
      {
        weights: {
          a: { shape: [1], ints: [-3] },
          b: { shape: [1], ints: [99] },
          c: { shape: [1], ints: [2] },
        },
      },
      [1, 3, 3, 8],
    ],
    [
      'an upsampling',
      { op: 'Resize', inputs: ['x', '', '', 's'] },
      { weights: { s: { shape: [4], ints: [1, 3, 16, 16] } } },
      [1, 3, 16, 16],
    ],
  ])('knows the shape of %s', (_what, node, more, shape) => {
    expect(shapes(only(node, more))['y']).toEqual(shape);
  });
});
