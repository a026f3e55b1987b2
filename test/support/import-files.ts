import { graphFile } from '../../engine/exchange/graph-file.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { onnxBytes } from '../app/bridges/onnx-files.ts';
import { mutatedBytes, mutatedJson, mutatedOnnx } from './mutate.ts';
import { chance, createRng, pick } from './rng.ts';

/** A small file of every format, to be mutated. */
export const IMPORT_FORMATS = [
  'graph',
  'measured',
  'operations',
  'keras',
  'config',
  'sequential',
  'onnx',
  'shapes',
] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

const layer = (type: string, name: string, config: object = {}, inputs: readonly string[] = []) => ({
  class_name: type,
  name,
  config: { name, ...config },
  inbound_nodes: inputs.length === 0 ? [] : [inputs.map((input) => [input, 0, 0, {}])],
});
const CONV = { filters: 2, kernel_size: [3, 3], padding: 'same', activation: 'relu' };

const DOCUMENTS: Readonly<Record<Exclude<ImportFormat, 'onnx' | 'shapes'>, unknown>> = {
  graph: {
    format: 'zigzag-graph',
    version: 1,
    name: 'bytes',
    vertices: ['a', 'b', 'c', 'd'].map((id, i) => ({ id, bytes: 8 * (i + 1), flops: 5 * i })),
    edges: [
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'c'],
      ['c', 'd'],
    ],
  },
  config: {
    model_type: 'llama',
    hidden_size: 8,
    intermediate_size: 16,
    num_hidden_layers: 2,
    num_attention_heads: 2,
    num_key_value_heads: 1,
    vocab_size: 12,
    max_position_embeddings: 16,
    tie_word_embeddings: true,
  },
  measured: {
    format: 'zigzag-graph',
    version: 1,
    name: 'measured',
    samples: 2,
    order: 'given',
    vertices: [
      { id: 'x', bytes: 64, shape: [2, 8] },
      { id: 'y', bytes: 64 },
      {
        id: 'a',
        op: 'mm',
        bytes: 128,
        flops: 64,
        params: 9,
        keeps: { inputs: [0], auxBytes: 6, fixedAuxBytes: 2 },
      },
      {
        id: 'b',
        op: 'gelu_',
        bytes: 128,
        alias: 'inplace',
        keeps: { inputs: [], output: true, auxBytes: 1 },
      },
      { id: 'v', op: 'view', bytes: 128, alias: 'view', keeps: { inputs: [], output: false, auxBytes: 0 } },
      { id: 'w', op: 'half', bytes: 4, fixed: true, params: 3, keeps: { inputs: [], auxBytes: 0 } },
      { id: 'c', op: 'mul', bytes: 128, keeps: { inputs: [0, 1], output: false, auxBytes: 0 } },
      { id: 'd', op: 'sum', bytes: 8 },
    ],
    edges: [
      ['x', 'a'],
      ['y', 'a'],
      ['a', 'b'],
      ['b', 'v'],
      ['v', 'c'],
      ['w', 'c'],
      ['b', 'd'],
    ],
  },
  operations: graphFile(buildModel('tiny-residual', { batch: 2, input: 8 })),
  keras: {
    class_name: 'Functional',
    config: {
      name: 'net',
      layers: [
        layer('InputLayer', 'x', { batch_input_shape: [null, 8, 8, 3] }),
        layer('Conv2D', 'c1', CONV, ['x']),
        layer('Conv2D', 'c2', { ...CONV, strides: 1, use_bias: false }, ['c1']),
        layer('BatchNormalization', 'bn', {}, ['c2']),
        layer('Add', 'sum', {}, ['bn', 'c1']),
        layer('Concatenate', 'cat', { axis: -1 }, ['sum', 'c1']),
        layer('MaxPooling2D', 'pool', { pool_size: 2 }, ['cat']),
        layer('Dropout', 'drop', { rate: 0.25 }, ['pool']),
        layer('GlobalAveragePooling2D', 'gap', {}, ['drop']),
        layer('Reshape', 'shape', { target_shape: [2, 2] }, ['gap']),
        layer('Flatten', 'flat', {}, ['shape']),
        layer('Dense', 'fc', { units: 4, activation: 'softmax' }, ['flat']),
      ],
      input_layers: [['x', 0, 0]],
      output_layers: [['fc', 0, 0]],
    },
  },
  sequential: {
    modelTopology: {
      class_name: 'Sequential',
      config: {
        layers: [
          layer('Conv2D', 'c', { ...CONV, batch_input_shape: [null, 8, 8, 3] }),
          layer('AveragePooling2D', 'p', { pool_size: [2, 2] }),
          layer('Flatten', 'f'),
          layer('Dense', 'd', { units: 3 }),
        ],
      },
    },
  },
};

const NETWORK = onnxBytes({
  nodes: [
    {
      op: 'Conv',
      name: 'conv',
      inputs: ['x', 'w', 'b'],
      attributes: { pads: [1, 1, 1, 1], strides: [1, 1] },
    },
    {
      op: 'BatchNormalization',
      name: 'bn',
      inputs: ['conv', 'b', 'b'],
      attributes: { epsilon: 0.001, momentum: 0.9 },
    },
    { op: 'Relu', name: 'relu', inputs: ['bn'] },
    { op: 'Conv', name: 'again', inputs: ['relu', 'w2'], attributes: { pads: [1, 1, 1, 1], group: 1 } },
    { op: 'Conv', name: 'shared', inputs: ['again', 'w2'], attributes: { pads: [1, 1, 1, 1] } },
    { op: 'Add', name: 'sum', inputs: ['shared', 'relu'] },
    { op: 'Concat', name: 'cat', inputs: ['sum', 'relu'], attributes: { axis: 1 } },
    { op: 'MaxPool', name: 'pool', inputs: ['cat'], attributes: { kernel_shape: [2, 2], strides: [2, 2] } },
    { op: 'Dropout', name: 'drop', inputs: ['pool'], attributes: { ratio: 0.5 } },
    { op: 'Clip', name: 'clip', inputs: ['drop'] },
    { op: 'GlobalAveragePool', name: 'gap', inputs: ['clip'] },
    { op: 'Flatten', name: 'flat', inputs: ['gap'] },
    { op: 'Gemm', name: 'fc', inputs: ['flat', 'w3', 'b3'], attributes: { transB: 1 } },
  ],
  weights: {
    w: { shape: [4, 3, 3, 3] },
    b: { shape: [4] },
    w2: { shape: [4, 4, 3, 3] },
    w3: { shape: [5, 8] },
    b3: { shape: [5] },
  },
});
/** Operations with which exporters compute shapes, and an unknown one. */
const SHAPES = onnxBytes({
  nodes: [
    { op: 'Shape', name: 's', inputs: ['x'] },
    { op: 'Gather', name: 'n', inputs: ['s', 'zero'], attributes: { axis: 0 } },
    { op: 'Unsqueeze', name: 'u', inputs: ['n'], attributes: { axes: [0] } },
    { op: 'Concat', name: 'to', inputs: ['u', 'rest'], attributes: { axis: 0 } },
    { op: 'Reshape', name: 'r', inputs: ['x', 'to'] },
    { op: 'Slice', name: 'cut', inputs: ['r', 'one', 'two', 'one', 'one'] },
    { op: 'Split', name: 'split', inputs: ['r'], outputs: ['p', 'q'], attributes: { axis: 1 } },
    { op: 'Custom', name: 'own', inputs: ['p', 'q'], outputs: ['own'] },
    { op: 'MatMul', name: 'mm', inputs: ['r', 'w'] },
    { op: 'Expand', name: 'wide', inputs: ['cut', 'to'] },
    { op: 'Mul', name: 'm', inputs: ['mm', 'scale'] },
    { op: 'ReduceMean', name: 'mean', inputs: ['m'], attributes: { axes: [1], keepdims: 1 } },
    { op: 'Tile', name: 'tile', inputs: ['mean', 'two2'] },
    { op: 'Where', name: 'where', inputs: ['mean', 'm', 'mean'] },
  ],
  inputs: { x: ['batch', 4, 3] },
  outputs: ['where', 'own', 'wide', 'tile'],
  weights: {
    zero: { shape: [1], ints: [0] },
    one: { shape: [1], ints: [1] },
    two: { shape: [1], ints: [2] },
    two2: { shape: [2], ints: [2, 2] },
    rest: { shape: [1], ints: [12] },
    w: { shape: [12, 4] },
    scale: { shape: [4] },
  },
  values: { own: ['batch', 6] },
});

/** The file of a format as it is. */
export function importSeed(format: ImportFormat): Uint8Array {
  if (format === 'onnx') return NETWORK;
  if (format === 'shapes') return SHAPES;
  return new TextEncoder().encode(JSON.stringify(DOCUMENTS[format]));
}

/** A mutant of one of them; the same seed gives the same. */
export function importMutant(seed: number): { readonly format: ImportFormat; readonly file: Uint8Array } {
  const rng = createRng(seed);
  const format = pick(rng, IMPORT_FORMATS);
  const whole =
    format === 'onnx' || format === 'shapes'
      ? mutatedOnnx(rng, importSeed(format))
      : new TextEncoder().encode(JSON.stringify(mutatedJson(rng, DOCUMENTS[format])));
  return { format, file: chance(rng, 0.1) ? mutatedBytes(rng, whole) : whole };
}
