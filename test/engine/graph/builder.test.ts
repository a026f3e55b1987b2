import { describe, expect, it } from 'vitest';
import { BadInputError, InternalError } from '../../../engine/errors.ts';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { predecessorsOf, successorsOf, totalParameters, vertexOf } from '../../../engine/graph/graph.ts';
import { ADD, conv2d, FLATTEN, linear, RELU_INPLACE } from '../../../engine/ops/make.ts';

function twoLayers(): GraphBuilder {
  const b = new GraphBuilder('two layers');
  const x = b.input('input', [8, 3, 6, 6]);
  const c = b.add('conv', conv2d(4, 3), [x]);
  b.add('relu', RELU_INPLACE, [c], 'join');
  b.add('flatten', FLATTEN, ['relu']);
  b.add('fc', linear(10), ['flatten'], 'join');
  return b;
}

describe('GraphBuilder', () => {
  it('infers shapes, bytes, work and parameters', () => {
    const graph = twoLayers().build();
    expect(graph).toMatchObject({ name: 'two layers', size: 5, edgeCount: 4, bytesPerElement: 4 });
    expect(graph.ids).toEqual(['input', 'conv', 'relu', 'flatten', 'fc']);
    expect(graph.shapes.at(-1)).toEqual([8, 10]);
    expect([...graph.bytes]).toEqual([3456, 2048, 2048, 2048, 320]);
    expect(totalParameters(graph)).toBe(4 * 27 + 4 + 64 * 10 + 10);
    // The first convolution computes no gradient of its input.
    expect(graph.backwardFlops[1]).toBe(graph.flops[1]);
    expect(graph.roles).toEqual(['own', 'own', 'join', 'own', 'join']);
  });

  it('keeps the order of inputs, and inputs that repeat', () => {
    const b = new GraphBuilder('sum');
    b.addOpaque('x', 8, []);
    b.addOpaque('y', 8, ['x']);
    b.addOpaque('z', 8, ['y', 'x', 'y']);
    const graph = b.build();
    expect([...predecessorsOf(graph, 2)]).toEqual([1, 0, 1]);
    expect([...successorsOf(graph, 0)]).toEqual([1, 2]);
    expect([...successorsOf(graph, 1)]).toEqual([2, 2]);
    expect(vertexOf(graph, 'z')).toBe(2);
    expect(vertexOf(graph, 'w')).toBe(-1);
  });

  it('prefers given figures to inferred ones', () => {
    const b = new GraphBuilder('given');
    b.addGiven('x', { kind: 'input' }, [], 'own', { shape: [2, 3] });
    b.addGiven('y', linear(5), ['x'], 'own', { bytes: 20, flops: 7, parameters: 1 });
    const graph = b.build();
    expect([graph.bytes[1], graph.flops[1], graph.backwardFlops[1], graph.parameters[1]]).toEqual([
      20, 7, 14, 1,
    ]);
    expect(graph.shapes[1]).toEqual([2, 5]);
  });

  it('does not change a built graph', () => {
    const b = twoLayers();
    const graph = b.build();
    b.add('more', linear(2), ['fc']);
    expect(graph.size).toBe(5);
    expect(b.build().size).toBe(6);
  });

  it.each<[string, (b: GraphBuilder) => unknown, string]>([
    ['a repeated id', (b) => b.add('conv', ADD, ['relu', 'relu']), 'the id "conv" is used twice'],
    ['an unknown input', (b) => b.add('a', ADD, ['relu', 'nowhere']), 'a reads "nowhere", which is not'],
    ['a missing input', (b) => b.add('a', linear(3), []), 'a: expected a shape or a number of bytes'],
    ['too many inputs', (b) => b.add('a', linear(3), ['fc', 'fc']), 'a: linear expects 1 input, got 2'],
    [
      'shapes that do not fit',
      (b) => b.add('sum', ADD, ['conv', 'fc']),
      'sum: add expects inputs of one shape, got [8, 4, 4, 4] and [8, 10]',
    ],
    [
      'a given shape that is another',
      (b) => b.addGiven('a', linear(3), ['fc'], 'own', { shape: [8, 4] }),
      'a: linear gives the shape [8, 3], not [8, 4]',
    ],
    [
      'negative bytes',
      (b) => b.addOpaque('a', -4, ['fc']),
      'a: expected a non-negative integer as bytes, got -4',
    ],
    [
      'half a byte',
      (b) => b.addOpaque('a', 0.5, ['fc']),
      'a: expected a non-negative integer as bytes, got 0.5',
    ],
    ['NaN', (b) => b.addOpaque('a', Number.NaN, ['fc']), 'got NaN'],
    [
      'too many bytes',
      (b) => b.addOpaque('a', 1e300, ['fc']),
      'a: its tensor takes more than 9007199254740991',
    ],
    ['negative work', (b) => b.addOpaque('a', 4, ['fc'], { flops: -1 }), 'as flops, got -1'],
  ])('refuses %s', (_name, fault, message) => {
    expect(() => fault(twoLayers())).toThrow(BadInputError);
    expect(() => fault(twoLayers())).toThrow(message);
  });

  it('refuses a foreign handle as an internal error', () => {
    expect(() => twoLayers().add('a', linear(3), [99])).toThrow(InternalError);
  });

  it.each<[string, (b: GraphBuilder) => unknown, string]>([
    [
      'two sources',
      (b) => b.addOpaque('end', 4, [b.addOpaque('other', 4, []), 'fc']),
      'vertices: expected one source (a vertex without inputs), got 2: input, other',
    ],
    [
      'two targets',
      (b) => b.addOpaque('end', 4, ['relu']),
      'vertices: expected one target (a vertex that nothing reads), got 2: fc, end',
    ],
    [
      'a sum of bytes beyond exact counting',
      (b) => b.addOpaque('b', 6e15, [b.addOpaque('a', 6e15, ['fc'])]),
      'the tensors of two layers take more than 9007199254740991 bytes together',
    ],
    [
      'an operation on an edge that two read',
      (b) => b.addOpaque('b', 4, [b.add('e', ADD, ['fc', 'fc'], 'edge'), 'e']),
      'e cannot lie on an edge',
    ],
  ])('refuses to build with %s', (_name, extend, message) => {
    const b = twoLayers();
    extend(b);
    expect(() => b.build()).toThrow(BadInputError);
    expect(() => b.build()).toThrow(message);
  });

  it('refuses a graph of less than two vertices', () => {
    const b = new GraphBuilder('nothing');
    expect(() => b.build()).toThrow('expected at least two vertices');
    b.addOpaque('x', 4, []);
    expect(() => b.build()).toThrow('expected at least two vertices');
  });

  it.each([0, -4, 2.5, Number.NaN, 17])('refuses elements of %d bytes', (bytesPerElement) => {
    expect(() => new GraphBuilder('x', { bytesPerElement })).toThrow('bytesPerElement: expected an integer');
  });
});
