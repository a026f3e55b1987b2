import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { vertexOf } from '../../../engine/graph/graph.ts';
import { ADD, batchNorm, conv2d, layerNorm, linear, RELU6_INPLACE } from '../../../engine/ops/make.ts';
import { memoryModel, needsOf } from '../../../engine/ops/memory-model.ts';
import { inHalf, underAutocast } from '../../../engine/training-memory/autocast.ts';
import { type OPTIMIZERS, optimizerOf } from '../../../engine/training-memory/optimizers.ts';

describe('autocast', () => {
  const b = new GraphBuilder('two heads');
  b.input('x', [2, 3, 8, 8]);
  b.add('conv', conv2d(4, 3), ['x']);
  b.add('bn', batchNorm(), ['conv']);
  b.add('again', conv2d(4, 1), ['bn']);
  b.addOpaque('odd', 4 * 2 * 4 * 6 * 6, ['again'], { label: 'my_kernel' });
  b.add('sum', ADD, ['bn', 'bn']);
  b.add('end', conv2d(4, 1), ['sum']);
  b.addOpaque('join', 8, ['end', 'odd']);
  const graph = underAutocast(b.build());
  const memory = memoryModel(graph, 'pytorch');
  const at = (id: string): number => vertexOf(graph, id);

  it('gives each tensor the type of its operation, and leaves what nobody knows', () => {
    expect(['x', 'conv', 'bn', 'again', 'odd', 'sum'].map((id) => graph.elementBytes?.[at(id)])).toEqual([
      4, 2, 2, 2, 4, 2,
    ]);
    expect(graph.unknownElementBytes).toBe(graph.bytes[at('odd')]! + 8);
  });

  it('keeps the copy that an operation makes of its input, and not the input', () => {
    expect([...needsOf(memory, at('conv'))]).toEqual([]);
    expect(memory.auxBytes[at('conv')]).toBe(2 * 2 * 3 * 8 * 8);
    // In its own type it reads the input itself.
    expect([...needsOf(memory, at('again'))]).toEqual([at('bn')]);
    expect(memory.auxBytes[at('again')]).toBe(0);
  });

  it('runs layer norm in float32 on CUDA and in its input’s type on the CPU', () => {
    const c = new GraphBuilder('norm');
    c.input('x', [2, 8, 8]);
    c.add('up', linear(8), ['x']);
    c.add('norm', layerNorm(), ['up']);
    c.add('down', linear(8), ['norm']);
    const [cuda, cpu] = (['cuda', 'cpu'] as const).map((device) => underAutocast(c.build(), device));
    expect([cuda!.elementBytes![2], cpu!.elementBytes![2]]).toEqual([4, 2]);
    expect(memoryModel(cuda!, 'pytorch').auxBytes[3]).toBe(2 * 8 * 8 * 2);
    expect(memoryModel(cpu!, 'pytorch').auxBytes[3]).toBe(0);
  });

  it('halves what an operation in place copies with what it copies', () => {
    const c = new GraphBuilder('relu6');
    c.input('x', [1, 3, 4, 4]);
    c.add('conv', conv2d(3, 1), ['x']);
    c.add('relu6', RELU6_INPLACE, ['conv']);
    c.add('end', conv2d(3, 1), ['relu6']);
    const plain = c.build();
    const aux = (graphOf: typeof plain): number => memoryModel(graphOf, 'pytorch').auxBytes[2]!;
    expect([plain, underAutocast(plain), inHalf(plain)].map(aux)).toEqual([4 * 48, 2 * 48, 2 * 48]);
  });
});

describe('optimizers', () => {
  const bytes = (name: (typeof OPTIMIZERS)[number]['name'], shape: readonly number[]): number => {
    const elements = shape.reduce((product, extent) => product * extent, 1);
    return optimizerOf(name)
      .state({ shape, elements }, 4)
      .reduce((sum, own) => sum + own, 0);
  };

  it('keep what their papers and PyTorch say', () => {
    expect(bytes('sgd', [64, 64, 3, 3])).toBe(0);
    expect(bytes('momentum', [64, 64, 3, 3])).toBe(4 * 36_864);
    expect(bytes('adamw', [64, 64, 3, 3])).toBe(8 * 36_864);
    // A byte each and a scale for each 256; what is small stays float32.
    expect(bytes('adam8bit', [64, 64, 3, 3])).toBe(2 * (36_864 + 4 * 144));
    expect(bytes('adam8bit', [4095])).toBe(8 * 4095);
    // Moments of large tensors are in host memory, with 8 bits all but their scales.
    expect(bytes('paged-adamw', [1000, 100])).toBe(0);
    expect(bytes('paged-adamw', [99_999])).toBe(8 * 99_999);
    expect(bytes('paged-adamw8bit', [1000, 100])).toBe(2 * 4 * 391);
    expect(bytes('paged-adamw8bit', [64, 64, 3, 3])).toBe(bytes('adam8bit', [64, 64, 3, 3]));
    // The row and the column of a 3x3 kernel are a third of it each.
    expect(bytes('adafactor', [64, 64, 3, 3])).toBe((2 * 4 * 36_864) / 3);
    expect(bytes('adafactor', [1000, 512])).toBe(4 * 1512);
    expect(bytes('adafactor', [512])).toBe(4 * 512);
  });
});
