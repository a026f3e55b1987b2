import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../../engine/graph/builder.ts';
import type { Graph } from '../../../../engine/graph/graph.ts';
import { embedding, linear, RELU } from '../../../../engine/ops/make.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { syntheticData } from '../../../../main/trainer/data/synthetic-data.ts';

const language = buildModel('tiny-transformer', { batch: 3, input: 5 });
const scenes = buildModel('tiny-unet', { batch: 3, input: 8 });
const images = buildModel('tiny-residual', { batch: 3, input: 8 });

/** Sequences of which each has one class. */
function classifier(): Graph {
  const b = new GraphBuilder('classifier');
  const x = b.add('table', embedding(30, 4), [b.tokens('tokens', [3, 5])]);
  b.add('head', linear(6), [b.add('first', { kind: 'first' }, [x])]);
  return b.build();
}

describe('synthetic data', () => {
  it.each([
    ['a language model: a label a position', language, [3 * 5, 3 * 5], 64],
    ['a classifier of sequences: a label a sample', classifier(), [3 * 5, 3], 6],
    ['a segmenter: a label a pixel', scenes, [3 * 8 * 8 * 3, 3 * 8 * 8], 2],
    ['a classifier of images: a label a sample', images, [3 * 8 * 8 * 3, 3], 10],
  ] as const)('%s', (_name, graph, [inputs, labels], classes) => {
    const data = syntheticData(graph, 1);
    const batch = data.batch(0);
    expect(batch.inputs).toHaveLength(inputs);
    expect(batch.labels).toHaveLength(labels);
    for (const label of batch.labels) expect(label >= 0 && label < classes).toBe(true);
    expect(new Set(batch.labels).size).toBeGreaterThan(1);
    expect(data.batch(0)).toEqual(batch);
    expect(syntheticData(graph, 1).batch(0)).toEqual(batch);
    expect(data.batch(1)).not.toEqual(batch);
    expect(syntheticData(graph, 2).batch(0)).not.toEqual(batch);
  });

  it('labels every position of a language model with the token after it', () => {
    const { inputs, labels } = syntheticData(language, 1).batch(0);
    expect(inputs).toBeInstanceOf(Int32Array);
    for (let i = 0; i < inputs.length; i++) if (i % 5 !== 4) expect(labels[i]).toBe(inputs[i + 1]);
  });

  it('has only tokens that every table of the source covers', () => {
    const b = new GraphBuilder('one word');
    b.add('y', RELU, [b.add('table', embedding(1, 4), [b.tokens('tokens', [2, 5])])]);
    expect(new Set(syntheticData(b.build(), 1).batch(0).inputs)).toEqual(new Set([0]));
  });
});
