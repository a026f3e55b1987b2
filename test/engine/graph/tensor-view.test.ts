import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { defaultRoles } from '../../../engine/graph/default-roles.ts';
import type { Graph } from '../../../engine/graph/graph.ts';
import { tensorView } from '../../../engine/graph/tensor-view.ts';
import {
  ADD,
  ADD_INPLACE,
  adaptiveAvgPool,
  batchNorm,
  CONCAT,
  conv2d,
  FLATTEN,
  IDENTITY,
  linear,
  MULTIPLY,
  RELU,
  RELU_INPLACE,
} from '../../../engine/ops/make.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const conv = conv2d(3, 3, { padding: 1 });

function network(extend: (b: GraphBuilder) => void): Graph {
  const b = new GraphBuilder('test');
  b.input('x', [1, 3, 4, 4]);
  extend(b);
  return b.build();
}

/** Edges by the ids of the operations whose outputs the vertices store. */
function drawn(graph: Graph): string[] {
  const { tensors, representative } = tensorView(graph);
  const name = (tensor: number | undefined) => graph.ids[representative[tensor ?? 0] ?? 0];
  return Array.from(tensors.edgeFrom, (from, e) => `${name(from)}>${name(tensors.edgeTo[e])}`).sort();
}

describe('tensorView', () => {
  it('shares a vertex among joined operations; the last one stands for it', () => {
    const graph = network((b) => {
      b.add('conv', conv, ['x']);
      b.add('relu', RELU_INPLACE, ['conv'], 'join');
      b.add('end', conv, ['relu']);
    });
    const view = tensorView(graph);
    expect(drawn(graph)).toEqual(['relu>end', 'x>relu']);
    expect([...view.tensorOf]).toEqual([0, 1, 1, 2]);
    expect([...view.tensors.cost]).toEqual([192, 192, 192]);
  });

  it('puts a residual block on edges', () => {
    const graph = network((b) => {
      b.add('conv', conv, ['x']);
      b.add('bn', batchNorm(), ['conv'], 'edge');
      b.add('add', ADD_INPLACE, ['bn', 'x']);
      b.add('relu', RELU_INPLACE, ['add'], 'join');
      b.add('end', conv, ['relu']);
    });
    expect(drawn(graph)).toEqual(['conv>relu', 'relu>end', 'x>conv', 'x>relu']);
    expect(tensorView(graph).tensorOf[2]).toBe(-1);
  });

  it('follows chains of operations on edges, with several inputs, and keeps multiple edges', () => {
    const graph = network((b) => {
      b.add('a', conv, ['x']);
      b.add('b', conv, ['x']);
      b.add('c', conv, ['x']);
      b.add('sum', ADD, ['a', 'b'], 'edge');
      b.add('more', ADD, ['c', 'sum'], 'edge');
      b.add('end', MULTIPLY, ['more', 'a']);
    });
    expect(drawn(graph)).toEqual(['a>end', 'a>end', 'b>end', 'c>end', 'x>a', 'x>b', 'x>c']);
  });

  it('never joins the source, nor operations on an edge', () => {
    const graph = network((b) => {
      b.add('relu', RELU_INPLACE, ['x'], 'join');
      b.add('bn', batchNorm(), ['relu'], 'edge');
      b.add('end', RELU_INPLACE, ['bn'], 'join');
    });
    expect(drawn(graph)).toEqual(['relu>end', 'x>relu']);
  });

  it('starts a new vertex if joining would create a cycle', () => {
    const graph = network((b) => {
      b.add('a', conv, ['x']);
      b.add('b', conv, ['a']);
      b.add('sum', ADD, ['a', 'b'], 'join');
      b.add('end', conv, ['sum']);
    });
    expect(drawn(graph)).toEqual(['a>b', 'a>sum', 'b>sum', 'sum>end', 'x>a']);
  });

  it('collects a long chain of operations on edges', () => {
    const b = new GraphBuilder('long');
    b.input('x', [1, 1]);
    let sum = b.add('first', linear(1), ['x']);
    for (let i = 0; i < 20_000; i++) {
      sum = b.add(`sum${i}`, ADD, [b.add(`fc${i}`, linear(1), ['x']), sum], i === 19_999 ? 'own' : 'edge');
    }
    expect(tensorView(b.build()).tensors.edgeCount).toBe(20_001 + 20_001);
  });
});

describe('defaultRoles', () => {
  const roles = (extend: (b: GraphBuilder) => void) => {
    const graph = network(extend);
    return Object.fromEntries(defaultRoles(graph).map((role, v) => [graph.ids[v], role]));
  };

  it('lets an in-place activation share the vertex of its producer', () => {
    expect(
      roles((b) => {
        b.add('conv', conv, ['x']);
        b.add('bn', batchNorm(), ['conv']);
        b.add('relu', RELU_INPLACE, ['bn']);
        b.add('end', conv, ['relu']);
      }),
    ).toEqual({ x: 'own', conv: 'own', bn: 'own', relu: 'join', end: 'own' });
  });

  it('folds an operation that no backward needs and one operation reads into its edge', () => {
    expect(
      roles((b) => {
        b.add('bn', batchNorm(), ['x']);
        b.add('relu', RELU, ['bn']);
        b.add('pool', adaptiveAvgPool(2), ['relu']);
        b.add('flat', FLATTEN, ['pool']);
        b.add('fc', linear(2), ['flat']);
      }),
    ).toEqual({ x: 'own', bn: 'edge', relu: 'own', pool: 'edge', flat: 'own', fc: 'own' });
  });

  it('keeps a tensor with two readers, and an activation that cannot be written in place', () => {
    expect(
      roles((b) => {
        b.add('bn', batchNorm(), ['x']);
        b.add('relu', RELU_INPLACE, ['bn']);
        b.add('cat', CONCAT, ['relu', 'bn']);
      }),
    ).toEqual({ x: 'own', bn: 'own', relu: 'own', cat: 'own' });
  });

  it('keeps source and target', () => {
    expect(roles((b) => void b.add('end', IDENTITY, ['x']))).toEqual({ x: 'own', end: 'own' });
  });

  it("draws ResNet as the authors' own roles do, up to views", () => {
    const graph = buildModel('resnet18', { batch: 1 });
    const byRule = { ...graph, roles: defaultRoles(graph) };
    const difference = tensorView(graph).tensors.size - tensorView(byRule).tensors.size;
    // By the rule the average pool, needed by none, lies on the edge into flatten, which the linear
    // layer needs; the authors give the pool a vertex and let flatten and linear share one.
    expect(difference).toBe(0);
    expect(tensorView(byRule).tensors.edgeCount).toBe(tensorView(graph).tensors.edgeCount);
  });
});
