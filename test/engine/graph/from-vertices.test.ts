import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { type GivenGraph, graphFromVerticesAndEdges } from '../../../engine/graph/from-vertices.ts';
import { type Graph, predecessorsOf } from '../../../engine/graph/graph.ts';
import { tensorView } from '../../../engine/graph/tensor-view.ts';
import { conv2d, RELU_INPLACE } from '../../../engine/ops/make.ts';
import { randomStGraph } from '../../support/random-graphs.ts';
import { createRng, shuffled } from '../../support/rng.ts';

/** `a>b b>c`; vertices in the order of their first mention, four bytes each. */
function drawn(drawing: string, ids = [...new Set(drawing.split(/[\s>]+/))]): GivenGraph {
  const edges = drawing.split(/\s+/).map((edge) => edge.split('>') as [string, string]);
  return { name: 'drawn', vertices: ids.map((id) => ({ id, bytes: 4 })), edges };
}

function namedEdges(graph: Graph): string[] {
  return graph.ids.flatMap((id, v) => [...predecessorsOf(graph, v)].map((u) => `${graph.ids[u]}>${id}`));
}

describe('graphFromVerticesAndEdges', () => {
  it('sorts topologically, the earliest ready vertex first', () => {
    const graph = graphFromVerticesAndEdges(drawn('s>b s>a a>t b>t', ['t', 'b', 'a', 's']));
    expect(graph.ids).toEqual(['s', 'b', 'a', 't']);
  });

  it('keeps a sorted list unchanged', () => {
    const ids = ['s', 'a', 'b', 'c', 't'];
    expect(graphFromVerticesAndEdges(drawn('s>c c>t s>b b>t s>a a>t', ids)).ids).toEqual(ids);
  });

  it('gives a consumer its inputs in the order of its edges, repeats included', () => {
    const graph = graphFromVerticesAndEdges(drawn('s>a b>t s>b a>t b>t', ['s', 'a', 'b', 't']));
    expect(namedEdges(graph)).toEqual(['s>a', 's>b', 'b>t', 'a>t', 'b>t']);
  });

  it('has the same edges whatever the order of vertices and edges', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 12 }), (seed, vertices) => {
        const rng = createRng(seed);
        const { edges, n } = randomStGraph(rng, { vertices, kind: 'mixed' });
        const ids = shuffled(
          rng,
          Array.from({ length: n }, (_, v) => `v${v}`),
        );
        const given = drawn(
          shuffled(rng, edges)
            .map(([from, to]) => `v${from}>v${to}`)
            .join(' '),
          ids,
        );
        const graph = graphFromVerticesAndEdges(given);
        expect(graph.ids[0]).toBe('v0');
        expect(graph.ids.at(-1)).toBe(`v${n - 1}`);
        expect(namedEdges(graph).sort()).toEqual(given.edges.map(([from, to]) => `${from}>${to}`).sort());
        for (let v = 0; v < graph.size; v++)
          for (const u of predecessorsOf(graph, v)) expect(u).toBeLessThan(v);
        expect(graphFromVerticesAndEdges(given).ids).toEqual(graph.ids);
      }),
    );
  });

  it('infers known operations and treats the rest as size-only', () => {
    const graph = graphFromVerticesAndEdges({
      name: 'mixed',
      vertices: [
        { id: 'x', op: { kind: 'input' }, shape: [2, 3, 8, 8] },
        { id: 'conv', op: conv2d(4, 3) },
        { id: 'relu', op: RELU_INPLACE },
        { id: 'odd', bytes: 100 },
        { id: 'after', op: RELU_INPLACE, bytes: 100 },
      ],
      edges: [
        ['x', 'conv'],
        ['conv', 'relu'],
        ['relu', 'odd'],
        ['odd', 'after'],
      ],
    });
    expect(graph.shapes).toEqual([[2, 3, 8, 8], [2, 4, 6, 6], [2, 4, 6, 6], [], []]);
    expect(graph.operations.at(-1)).toEqual({ kind: 'opaque', label: 'relu' });
    expect(tensorView(graph).tensors.size).toBe(4);
  });

  it('uses a file’s roles', () => {
    const given = drawn('s>a a>b b>t');
    const roles = ['own', 'own', 'join', 'own'] as const;
    const vertices = given.vertices.map((vertex, v) => ({ ...vertex, role: roles[v] ?? 'own' }));
    expect(tensorView(graphFromVerticesAndEdges({ ...given, vertices })).tensors.size).toBe(3);
    expect(tensorView(graphFromVerticesAndEdges(given)).tensors.size).toBe(4);
  });
});

describe('refusals, with the path of the error', () => {
  const bytes = (value: number): GivenGraph => {
    const given = drawn('s>a a>t');
    return { ...given, vertices: given.vertices.map((v) => (v.id === 'a' ? { ...v, bytes: value } : v)) };
  };

  it.each<[string, GivenGraph, string]>([
    ['negative bytes', bytes(-4), 'vertices[1].bytes: expected a non-negative integer, got -4'],
    ['a fraction', bytes(1.5), 'vertices[1].bytes: expected a non-negative integer, got 1.5'],
    ['NaN', bytes(Number.NaN), 'vertices[1].bytes: expected a non-negative integer, got NaN'],
    ['beyond exact integers', bytes(2 ** 53), 'vertices[1].bytes: expected a non-negative integer, got 9007'],
    ['a sum beyond them', { ...bytes(2 ** 53 - 1) }, 'vertices: the tensors of drawn take more than'],
    [
      'one vertex',
      { name: 'x', vertices: [{ id: 'a', bytes: 1 }], edges: [] },
      'vertices: expected at least two',
    ],
    [
      'a repeated id',
      drawn('s>a a>t', ['s', 'a', 't', 'a']),
      'vertices[3].id: the id "a" is already used by vertices[1]',
    ],
    ['a dangling edge', drawn('s>a a>t', ['s', 't']), 'edges[0][1]: there is no vertex "a"'],
    ['a loop', drawn('s>a a>a a>t'), 'edges[1]: "a" cannot be its own input'],
    ['a cycle', drawn('s>a a>b b>c c>a c>t'), 'edges: the graph has a cycle: a -> b -> c -> a'],
    ['nothing but a cycle', drawn('a>b b>a'), 'edges: the graph has a cycle: a -> b -> a'],
    ['two sources', drawn('s>a r>a a>t'), 'vertices: expected one source, but no edge enters s, r'],
    ['two targets', drawn('s>a a>t s>u'), 'vertices: expected one target, but no edge leaves t, u'],
    [
      'a vertex apart',
      drawn('s>t', ['s', 't', 'x']),
      'vertices: expected one source, but no edge enters s, x',
    ],
    [
      'no figures',
      { name: 'x', vertices: [{ id: 's', bytes: 1 }, { id: 't' }], edges: [['s', 't']] },
      'vertices[1]: t: expected a shape or a number of bytes',
    ],
    [
      'a bad shape',
      {
        name: 'x',
        vertices: [
          { id: 's', shape: [2, 0] },
          { id: 't', bytes: 1 },
        ],
        edges: [['s', 't']],
      },
      'vertices[0].shape[1]: expected a positive integer, got 0',
    ],
    [
      'operations that do not fit',
      {
        name: 'x',
        vertices: [
          { id: 's', shape: [2, 3] },
          { id: 't', op: conv2d(1, 1) },
        ],
        edges: [['s', 't']],
      },
      'vertices[1]: t: conv2d expects an input [N, C, H, W], got [2, 3]',
    ],
  ])('%s', (_name, given, message) => {
    expect(() => graphFromVerticesAndEdges(given)).toThrow(BadInputError);
    expect(() => graphFromVerticesAndEdges(given)).toThrow(message);
  });

  it('shortens a long cycle', () => {
    const ids = Array.from({ length: 100 }, (_, v) => `v${v}`);
    const loop = ids.map((id, v) => `${id}>${ids[(v + 1) % 100]}`).join(' ');
    expect(() => graphFromVerticesAndEdges(drawn(`s>v0 ${loop} v9>t`))).toThrow(
      /cycle: (v\d+ -> ){8}\.\.\. -> v\d+$/,
    );
  });
});

it('size builds 100,000 vertices and their view', () => {
  const size = 100_000;
  const ids = Array.from({ length: size }, (_, v) => `v${v}`);
  const edges = ids.slice(1).flatMap((id, v): [string, string][] => [
    [ids[v] ?? '', id],
    [ids[Math.max(0, v - 7)] ?? '', id],
  ]);
  const vertices = ids.map((id) => ({ id, bytes: 4 })).reverse();
  const graph = graphFromVerticesAndEdges({ name: 'long', vertices, edges });
  expect(tensorView(graph).tensors.size).toBe(size);
});
