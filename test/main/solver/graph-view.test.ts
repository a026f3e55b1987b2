import { describe, expect, it } from 'vitest';
import { graphViewSchema } from '../../../app/contract/graph-view.ts';
import { comparisonOf } from '../../../main/solver/compare.ts';
import { graphViewOf, splitId } from '../../../main/solver/graph-view.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { experiment } from '../support/experiment.ts';

const memory = new SolverMemory();
const viewOf = (model: string) => graphViewOf({ model, batch: 64, dtype: 'float32' }, { memory });

describe('the computation graph for the screen', () => {
  it('is per sample, whatever the batch, and half as large in float16', () => {
    const [full, half] = [
      viewOf('resnet50'),
      graphViewOf({ model: 'resnet50', batch: 1, dtype: 'float16' }, { memory }),
    ];
    expect(full.vertices[0]).toMatchObject({ id: 'input', bytesPerSample: 602112, shape: [3, 224, 224] });
    expect(half.vertices.map((v) => 2 * v.bytesPerSample)).toEqual(
      full.vertices.map((v) => v.bytesPerSample),
    );
  });

  it('has every operation once, on a vertex or on an edge', () => {
    for (const [model, operations] of [
      ['resnet50', 176],
      ['densenet121', 428],
      ['nasnet', 1152],
    ] as const) {
      const { vertices, edges } = viewOf(model);
      const ids = [...vertices, ...edges].flatMap((part) => part.operations.map(({ id }) => id));
      expect(new Set(ids).size).toBe(operations);
      expect(ids).toHaveLength(operations);
    }
  });

  it('is valid under the contract, and has the width of a min-fill decomposition', () => {
    const view = viewOf('vgg16');
    expect(graphViewSchema.parse(view)).toEqual(view);
    expect(view.decomposition.width).toBe(1);
    expect(view.tree.kind[0]).toBe(1);
  });

  it('names operations as their file does', () => {
    const { vertices } = viewOf('llama-3.2-1b');
    const norm = vertices.find(({ id }) => id === 'norm');
    expect(norm?.operations.map(({ kind }) => kind)).toEqual(['multiply']);
  });

  it('names the block of an id', () => {
    expect(splitId('layer1.0.conv1')).toEqual({ label: 'conv1', block: 'layer1.0' });
    expect(splitId('conv1')).toEqual({ label: 'conv1', block: '' });
    expect(splitId('odd.')).toEqual({ label: 'odd.', block: '' });
  });
});

describe('an experiment with own checkpoints', () => {
  const manual = (checkpoints: string[]) =>
    comparisonOf(experiment({ model: 'vgg16', strategies: ['manual'], checkpoints })).rows[0]!;

  it('solves manual for just these', () => {
    expect(manual(['features.4']).checkpoints).toEqual(['features.4']);
    expect(manual(['features.9']).checkpoints).toEqual(['features.9']);
    expect(manual(['nowhere']).reason).toContain('nowhere');
  });
});
