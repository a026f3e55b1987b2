import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { type Graph, vertexOf } from '../../../engine/graph/graph.ts';
import {
  ADD_INPLACE,
  batchNorm,
  conv2d,
  FLATTEN,
  linear,
  MULTIPLY,
  maxPool,
  RELU_INPLACE,
} from '../../../engine/ops/make.ts';
import { memoryModel, needsOf } from '../../../engine/ops/memory-model.ts';

const same = conv2d(3, 3, { padding: 1 });

/** input, conv, then what `extend` adds, then a sum of all loose ends where needed. */
function network(extend: (b: GraphBuilder) => void): Graph {
  const b = new GraphBuilder('test');
  b.input('input', [2, 3, 8, 8]);
  b.add('conv', same, ['input']);
  extend(b);
  return b.build();
}

function takenBy(graph: Graph, id: string): string {
  const memory = memoryModel(graph, 'pytorch');
  const u = memory.takesOver[vertexOf(graph, id)] ?? -1;
  return u < 0 ? 'nothing' : (graph.ids[u] ?? '');
}

describe('in-place operations', () => {
  it('overwrite an input that nothing else needs', () => {
    const graph = network((b) => {
      b.add('bn', batchNorm(), ['conv']);
      b.add('relu', RELU_INPLACE, ['bn']);
    });
    expect(takenBy(graph, 'relu')).toBe('bn');
    expect(memoryModel(graph, 'tfjs').takesOver.every((u) => u === -1)).toBe(true);
  });

  it('chain: batch norm, sum and ReLU live in one storage', () => {
    const graph = network((b) => {
      b.add('bn', batchNorm(), ['conv']);
      b.add('add', ADD_INPLACE, ['bn', 'input']);
      b.add('relu', RELU_INPLACE, ['add']);
    });
    expect([takenBy(graph, 'add'), takenBy(graph, 'relu')]).toEqual(['bn', 'add']);
  });

  it('keep an input that another operation reads', () => {
    const graph = network((b) => {
      b.add('relu', RELU_INPLACE, ['conv']);
      b.add('add', ADD_INPLACE, ['relu', 'conv']);
    });
    expect(takenBy(graph, 'relu')).toBe('nothing');
  });

  it('keep an input whose own backward needs its output', () => {
    const graph = network((b) => {
      b.add('relu', RELU_INPLACE, ['conv']);
      b.add('again', RELU_INPLACE, ['relu']);
    });
    expect([takenBy(graph, 'relu'), takenBy(graph, 'again')]).toEqual(['conv', 'nothing']);
  });

  it('keep the source', () => {
    const b = new GraphBuilder('test');
    b.input('input', [2, 3]);
    b.add('relu', RELU_INPLACE, ['input']);
    expect(takenBy(b.build(), 'relu')).toBe('nothing');
  });

  it('keep a view, which shares the storage of its input', () => {
    const graph = network((b) => {
      b.add('flatten', FLATTEN, ['conv']);
      b.add('relu', RELU_INPLACE, ['flatten']);
    });
    expect(takenBy(graph, 'relu')).toBe('nothing');
  });

  it('keep an input that is added to itself', () => {
    const graph = network((b) => {
      b.add('add', ADD_INPLACE, ['conv', 'conv']);
    });
    expect(takenBy(graph, 'add')).toBe('nothing');
  });
});

describe('needs', () => {
  it('list every activation once, ascending', () => {
    const graph = network((b) => {
      b.add('square', MULTIPLY, ['conv', 'conv']);
      b.add('product', MULTIPLY, ['square', 'conv']);
    });
    const memory = memoryModel(graph, 'pytorch');
    expect([...needsOf(memory, vertexOf(graph, 'square'))]).toEqual([1]);
    expect([...needsOf(memory, vertexOf(graph, 'product'))]).toEqual([1, 2]);
    expect([...needsOf(memory, 0)]).toEqual([]);
  });

  it('separate growing from fixed bytes', () => {
    const graph = network((b) => {
      b.add('bn', batchNorm(), ['conv']);
      b.add('pool', maxPool(2), ['bn']);
      b.add('flatten', FLATTEN, ['pool']);
      b.add('fc', linear(10), ['flatten']);
    });
    const memory = memoryModel(graph, 'pytorch');
    const bn = vertexOf(graph, 'bn');
    const pool = vertexOf(graph, 'pool');
    expect([memory.auxBytes[bn], memory.auxIsFixed[bn]]).toEqual([24, 1]);
    expect([memory.auxBytes[pool], memory.auxIsFixed[pool]]).toEqual([8 * 2 * 3 * 16, 0]);
    expect(memory.gradientBytes[0]).toBe(0);
    expect(memory.viewOf[vertexOf(graph, 'flatten')]).toBe(pool);
  });
});
