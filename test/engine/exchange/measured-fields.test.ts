import { describe, expect, it } from 'vitest';
import { graphFile, parseGraphFile } from '../../../engine/exchange/graph-file.ts';
import { memoryModel, needsOf } from '../../../engine/ops/memory-model.ts';
import { trainedTensors } from '../../../engine/training-memory/trained-tensors.ts';

const file = (middle: Record<string, unknown>): string =>
  JSON.stringify({
    format: 'zigzag-graph',
    version: 1,
    name: 'measured',
    vertices: [
      { id: 'x', bytes: 8, keeps: { inputs: [] } },
      { id: 'y', bytes: 8, ...middle },
      { id: 'z', bytes: 8, keeps: { inputs: [0], output: false } },
    ],
    edges: [
      ['x', 'y'],
      ['y', 'z'],
    ],
  });

describe('the `keeps` of a file', () => {
  it('is counted by the memory model, with auxiliaries multiplied by the batch unless fixed', () => {
    const graph = parseGraphFile(file({ keeps: { output: true, auxBytes: 3, fixedAuxBytes: 5 } }), {
      batch: 2,
    });
    const memory = memoryModel(graph, 'pytorch');
    expect([...needsOf(memory, 1)]).toEqual([1]);
    expect([...needsOf(memory, 2)]).toEqual([1]);
    expect(memory.auxBytes[1]).toBe(11);
    expect(memory.auxIsFixed[1]).toBe(0);
  });

  it('marks views and in-place operations', () => {
    const view = memoryModel(parseGraphFile(file({ keeps: {}, alias: 'view' })), 'pytorch');
    expect([...view.viewOf]).toEqual([-1, 0, -1]);
    const chain = parseGraphFile(file({ keeps: {}, alias: 'inplace' }));
    // The source is never overwritten.
    expect([...memoryModel(chain, 'pytorch').takesOver]).toEqual([-1, -1, -1]);
  });

  it('survives a round trip', () => {
    const fields = { keeps: { inputs: [0], auxBytes: 4 }, alias: 'view', params: 6, weight: [2, 3] };
    const graph = parseGraphFile(file({ op: 'gelu', ...fields }));
    expect(trainedTensors(graph)).toMatchObject([{ shape: [2, 3], elements: 6 }]);
    expect(parseGraphFile(JSON.stringify(graphFile(graph)))).toEqual(graph);
  });

  const refused: [string, Record<string, unknown>, RegExp][] = [
    ['a list', { keeps: [] }, /^vertices\[1\]\.keeps: expected an object, got a list$/],
    ['an alias of another kind', { alias: 'copy' }, /^vertices\[1\]\.alias: expected "view" or "inplace"/],
    ['a negative position', { keeps: { inputs: [-1] } }, /^vertices\[1\]\.keeps\.inputs: expected a list/],
    [
      'an input that is not there',
      { keeps: { inputs: [1] } },
      /^vertices\[1\]\.keeps\.inputs\[0\]: "y" has 1 inputs, so there is no input 1$/,
    ],
    ['an output that is no flag', { keeps: { output: 1 } }, /^vertices\[1\]\.keeps\.output: expected true/],
    ['a weight without a size', { weight: [2, 0] }, /^vertices\[1\]\.weight: expected a list of positive/],
    ['a part of a byte', { keeps: { auxBytes: 0.5 } }, /^vertices\[1\]\.keeps\.auxBytes: expected a non-neg/],
  ];
  it.each(refused)('refuses %s', (_what, fields, message) => {
    expect(() => parseGraphFile(file(fields))).toThrow(message);
  });
});
