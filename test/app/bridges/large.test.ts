import { describe, expect, it } from 'vitest';
import { importFile } from '../../../app/bridges/import-file.ts';
import { MAX_NODES } from '../../../engine/exchange/onnx/skim.ts';
import { onnxBytes, type TestNode } from './onnx-files.ts';

/*
 * Files that are long in one thing. Each has a size at which work that grows with its square would take minutes to
 * hours, and calls with as many arguments would overflow the stack.
 */

const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const sizeOf = (file: Uint8Array): number => importFile(file).graph.size;
const named = (count: number, name: string): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${name}${i}`);

function convolutions(count: number): Uint8Array {
  const nodes = named(count, 'c').map((name, i): TestNode => {
    return { op: 'Conv', name, inputs: [i === 0 ? 'x' : `c${i - 1}`, 'w'] };
  });
  return onnxBytes({ nodes, inputs: { x: [1, 1, 2, 2] }, weights: { w: { shape: [1, 1, 1, 1] } } });
}

describe('a long ONNX file', () => {
  it.each([3000, MAX_NODES - 1])('of %i convolutions', (count) => {
    expect(sizeOf(convolutions(count))).toBe(count + 1);
  });

  it('with one node above the limit is refused', () => {
    expect(() => importFile(convolutions(MAX_NODES + 1))).toThrow('more than 200000 nodes');
  });

  it.each(['Concat', 'Sum', 'Max'])('with a %s of one tensor 400,000 times', (op) => {
    const inputs = Array<string>(400_000).fill('x');
    const nodes = [{ op, name: 'join', inputs, attributes: { axis: 1 } }];
    expect(sizeOf(onnxBytes({ nodes, inputs: { x: [1, 1] } }))).toBe(2);
  });

  it('with 60,000 constants, each computed from the one before', () => {
    const weights = Object.fromEntries(named(60_001, 'w').map((name) => [name, { shape: [1] }]));
    const nodes = named(60_000, 'k').map((name, i): TestNode => {
      return { op: 'Add', name, inputs: [i === 0 ? 'w60000' : `k${i - 1}`, `w${i}`] };
    });
    const file = onnxBytes({ nodes: [...nodes, { op: 'Mul', name: 'm', inputs: ['x', 'k59999'] }], weights });
    expect(importFile(file).summary.parameters).toBe(60_001);
  });

  it('with 20,000 parts of one tensor', () => {
    const outputs = named(20_000, 'p');
    const nodes: readonly TestNode[] = [
      { op: 'Split', name: 's', inputs: ['x'], outputs, attributes: { axis: 1 } },
      { op: 'Concat', name: 'c', inputs: outputs, attributes: { axis: 1 } },
    ];
    expect(sizeOf(onnxBytes({ nodes, inputs: { x: [1, 20_000] } }))).toBe(20_002);
  });

  it.each([
    [
      'of an operation nobody knows, with 10,000 outputs',
      { op: 'Foreign', outputs: named(10_000, 'o') },
      'at most 100',
    ],
    ['with a tensor of 100,000 axes', { op: 'Reshape', inputs: ['x', 'to'] }, 'at most 64 axes'],
    [
      'with an axis named 100,000 times',
      { op: 'Resize', attributes: { axes: Array(100_000).fill(0) } },
      'names 100000 axes',
    ],
    [
      'with slices of one axis 100,000 times',
      { op: 'Slice', attributes: { axes: Array(100_000).fill(0), starts: [0], ends: [1] } },
      'names 100000 axes',
    ],
  ])('%s is refused', (_what, node, sentence) => {
    const to: TestNode = {
      op: 'Constant',
      name: 'to',
      inputs: [],
      attributes: { value_ints: Array(4000).fill(1) },
    };
    const nodes = [to, { inputs: ['x'], ...node, name: 'n' }];
    expect(() => importFile(onnxBytes({ nodes, inputs: { x: [1, 1] } }))).toThrow(sentence);
  });

  it('with empty constants joined without end', () => {
    const empty: TestNode = { op: 'Constant', name: 'e', inputs: [], attributes: { value_ints: [] } };
    const shape: TestNode = { op: 'Constant', name: 's', inputs: [], attributes: { value_ints: [1e9, 0] } };
    const filled: TestNode = { op: 'ConstantOfShape', name: 'f', inputs: ['s'] };
    const nodes = [
      empty,
      shape,
      filled,
      { op: 'Concat', name: 'c', inputs: ['f', 'f'], attributes: { axis: 1 } },
    ];
    const file = onnxBytes({ nodes: [...nodes, { op: 'Relu', name: 'r', inputs: ['x'] }] });
    expect(sizeOf(file)).toBe(2);
  });

  it('may name an open axis like a property that every object has', () => {
    const file = onnxBytes({
      nodes: [{ op: 'Relu', name: 'r', inputs: ['x'] }],
      inputs: { x: [1, 'constructor'] },
    });
    expect(() => importFile(file)).toThrow('x: the file leaves the axis constructor open');
  });
});

describe('a long Keras file', () => {
  const layer = (type: string, name: string, inputs: readonly string[], config: object = {}) => ({
    class_name: type,
    name,
    config: { name, ...config },
    inbound_nodes: inputs.length === 0 ? [] : [inputs.map((input) => [input, 0, 0, {}])],
  });
  const model = (layers: readonly object[], inputs: readonly string[], output: string) =>
    text({
      class_name: 'Functional',
      config: {
        name: 'net',
        layers,
        input_layers: inputs.map((name) => [name, 0, 0]),
        output_layers: [[output, 0, 0]],
      },
    });
  const shape = { batch_input_shape: [null, 1] };

  it.each(['Concatenate', 'Add'])('with a layer %s that reads one tensor 400,000 times', (type) => {
    const layers = [
      layer('InputLayer', 'x', [], shape),
      layer(type, 'join', Array<string>(400_000).fill('x')),
    ];
    expect(sizeOf(model(layers, ['x'], 'join'))).toBe(2);
  });

  it('with a layer that joins 60,000 which are listed after it', () => {
    const relus = named(60_000, 'r');
    const layers = [
      layer('Add', 'join', relus),
      layer('InputLayer', 'x', [], shape),
      ...relus.map((name) => layer('ReLU', name, ['x'])),
    ];
    expect(sizeOf(model(layers, ['x'], 'join'))).toBe(60_002);
  });

  it('of 60,000 inputs', () => {
    const inputs = named(60_000, 'x');
    const layers = [
      ...inputs.map((name) => layer('InputLayer', name, [], shape)),
      layer('Add', 'sum', inputs),
    ];
    expect(sizeOf(model(layers, inputs, 'sum'))).toBe(60_002);
  });

  it('with a name of a megabyte is refused', () => {
    const long = 'n'.repeat(1 << 20);
    expect(() => importFile(model([layer('InputLayer', long, [], shape)], [long], long))).toThrow(
      'has 1048576 characters',
    );
  });
});
