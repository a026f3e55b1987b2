import { describe, expect, it } from 'vitest';
import { importFile } from '../../../app/bridges/import-file.ts';

const layer = (
  type: string,
  name: string,
  config: Record<string, unknown> = {},
  inputs: readonly string[] = [],
) => ({
  class_name: type,
  name,
  config: { name, ...config },
  inbound_nodes: inputs.length === 0 ? [] : [inputs.map((input) => [input, 0, 0, {}])],
});

const LAYERS = [
  layer('InputLayer', 'image', { batch_input_shape: [null, 32, 32, 3] }),
  layer(
    'Conv2D',
    'conv',
    { filters: 8, kernel_size: [3, 3], strides: [2, 2], padding: 'same', use_bias: false },
    ['image'],
  ),
  layer('BatchNormalization', 'bn', {}, ['conv']),
  layer('Activation', 'relu', { activation: 'relu' }, ['bn']),
  layer('DepthwiseConv2D', 'dw', { kernel_size: 3, padding: 'same' }, ['relu']),
  layer('Add', 'sum', {}, ['dw', 'relu']),
  layer('Concatenate', 'cat', { axis: -1 }, ['sum', 'relu']),
  layer('MaxPooling2D', 'pool', { pool_size: [2, 2] }, ['cat']),
  layer('GlobalAveragePooling2D', 'gap', {}, ['pool']),
  layer('Dropout', 'drop', { rate: 0.25 }, ['gap']),
  layer('Dense', 'fc', { units: 10, activation: 'softmax' }, ['drop']),
];
const functional = {
  class_name: 'Functional',
  config: { name: 'net', layers: LAYERS, output_layers: [['fc', 0, 0]] },
};
const read = (document: unknown, options = {}) =>
  importFile(new TextEncoder().encode(JSON.stringify(document)), options);

describe('a Keras model', () => {
  it('is drawn with channels first and activations as separate operations', () => {
    const { graph, summary } = read(functional, { batch: 4 });
    const shapes = Object.fromEntries(graph.ids.map((id, v) => [id, graph.shapes[v]?.slice(1)]));
    expect(shapes).toEqual({
      image: [3, 32, 32],
      conv: [8, 16, 16],
      bn: [8, 16, 16],
      relu: [8, 16, 16],
      dw: [8, 16, 16],
      sum: [8, 16, 16],
      cat: [16, 16, 16],
      pool: [16, 8, 8],
      gap: [16, 1, 1],
      gap_flat: [16],
      drop: [16],
      fc: [10],
      fc_softmax: [10],
    });
    expect(graph.shapes[0]?.[0]).toBe(4);
    expect(summary).toMatchObject({ format: 'keras', opaque: [], parameters: 216 + 16 + 80 + 170 });
    expect(graph.operations[1]).toMatchObject({ padding: [0, 1, 0, 1], groups: 1 });
    expect(graph.operations[4]).toMatchObject({ groups: 8, bias: true });
  });

  it('is the same from TensorFlow.js, from Keras 3, and in any order of layers', () => {
    const { graph } = read(functional);
    expect(
      read({ format: 'layers-model', modelTopology: { model_config: functional }, weightsManifest: [] })
        .graph,
    ).toEqual(graph);
    const history = (name: string) => ({
      class_name: '__keras_tensor__',
      config: { shape: [], keras_history: [name, 0, 0] },
    });
    const keras3 = LAYERS.map((entry) => ({
      ...entry,
      inbound_nodes: entry.inbound_nodes.map((node) => ({
        args: [node.map((tensor) => history(String(tensor[0])))],
        kwargs: {},
      })),
    }));
    const second = read({
      class_name: 'Functional',
      config: { ...functional.config, layers: keras3, output_layers: ['fc', 0, 0] },
    });
    expect(second.graph).toEqual(graph);
    const reversed = { ...functional.config, layers: [...LAYERS].reverse() };
    expect([...read({ class_name: 'Model', config: reversed }).graph.ids].sort()).toEqual(
      [...graph.ids].sort(),
    );
  });

  it('may be a Sequential, whose first layer gives the shape', () => {
    const sequential = {
      class_name: 'Sequential',
      config: {
        layers: [
          layer('Flatten', 'flat', { batch_input_shape: [null, 4, 4, 1] }),
          layer('Dense', 'a', { units: 5, activation: 'tanh' }),
          layer('Mystery', 'm'),
          layer('Dense', 'b', { units: 2 }),
        ],
      },
    };
    const { graph, summary } = read(sequential, { batch: 2 });
    expect(graph.ids).toEqual(['flat_input', 'flat', 'a', 'a_tanh', 'm', 'b']);
    expect(summary.opaque).toEqual(['Mystery']);
  });

  it('may hold models as layers, drawn layer by layer', () => {
    const base = {
      class_name: 'Functional',
      name: 'base',
      config: { name: 'base', layers: LAYERS.slice(0, 4), output_layers: [['relu', 0, 0]] },
    };
    const head = {
      class_name: 'Sequential',
      config: {
        name: 'head',
        layers: [layer('GlobalAveragePooling2D', 'gap'), layer('Dense', 'fc', { units: 5 })],
      },
    };
    const { graph, summary } = read({
      class_name: 'Sequential',
      config: { name: 'net', layers: [base, head] },
    });
    expect(graph.ids).toEqual([
      'base_input',
      'base/conv',
      'base/bn',
      'base/relu',
      'head/gap',
      'head/gap_flat',
      'head/fc',
    ]);
    expect(summary).toMatchObject({ opaque: [], parameters: 216 + 16 + 45 });
    const flat = read({
      class_name: 'Functional',
      config: {
        layers: [
          ...LAYERS.slice(0, 4),
          layer('GlobalAveragePooling2D', 'gap', {}, ['relu']),
          layer('Dense', 'fc', { units: 5 }, ['gap']),
        ],
        output_layers: [['fc', 0, 0]],
      },
    });
    expect(summary.keptBytes).toBe(flat.summary.keptBytes);
  });

  it('may call a layer or a model several times, which counts its weights once', () => {
    const call = (name: string, index: number) => [[name, index, 0, {}]];
    const pair = { batch_input_shape: [null, 6] };
    const tower = {
      class_name: 'Functional',
      name: 'tower',
      config: {
        name: 'tower',
        layers: [
          layer('InputLayer', 'in', pair),
          // The second call of the same weights reads the first.
          { ...layer('Dense', 'turn', { units: 6 }), inbound_nodes: [call('in', 0), call('turn', 0)] },
        ],
        input_layers: [['in', 0, 0]],
        output_layers: [
          ['turn', 0, 0],
          ['turn', 1, 0],
        ],
      },
      inbound_nodes: [call('left', 0), call('right', 0)],
    };
    const sum = {
      ...layer('Add', 'sum'),
      inbound_nodes: [
        [
          ['tower', 1, 1, {}],
          ['tower', 2, 0, {}],
        ],
      ],
    };
    const { graph, summary } = read({
      class_name: 'Functional',
      config: {
        layers: [layer('InputLayer', 'left', pair), layer('InputLayer', 'right', pair), tower, sum],
        output_layers: [['sum', 0, 0]],
      },
    });
    // Only the first output of the right tower is read.
    expect(graph.ids).toEqual([
      'inputs',
      'left',
      'right',
      'tower/turn',
      'tower/turn_1',
      'tower/turn_2',
      'sum',
    ]);
    expect(summary.parameters).toBe(42);
    const edges = graph.ids.map((_, v) =>
      Array.from(
        graph.predecessors.subarray(graph.predecessorOffsets[v], graph.predecessorOffsets[v + 1]),
        (u) => graph.ids[u],
      ),
    );
    expect(edges.slice(3)).toEqual([['left'], ['tower/turn'], ['right'], ['tower/turn_1', 'tower/turn_2']]);
  });

  it('names the layer with the error', () => {
    const wrong = [LAYERS[0], layer('Conv2D', 'conv', { kernel_size: 3 }, ['image'])];
    expect(() =>
      read({ class_name: 'Functional', config: { layers: wrong, output_layers: [['conv', 0, 0]] } }),
    ).toThrow('conv (Conv2D): expected a positive integer as filters, got nothing');
    const open = [
      layer('InputLayer', 'image', { batch_input_shape: [null, null, null, 3] }),
      ...LAYERS.slice(1),
    ];
    const config = { ...functional.config, layers: open };
    expect(() => read({ class_name: 'Functional', config })).toThrow(
      'image: the file leaves the image size open',
    );
    expect(read({ class_name: 'Functional', config }, { input: 32 }).graph).toEqual(read(functional).graph);
  });
});
