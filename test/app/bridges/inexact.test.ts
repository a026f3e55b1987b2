import { describe, expect, it } from 'vitest';
import { importFile } from '../../../app/bridges/import-file.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { requireExact } from '../../../engine/graph/require-exact.ts';
import { createProblem } from '../../../engine/problem.ts';
import { lowerBound } from '../../../engine/bounds/lower-bound.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel, MODELS } from '../../../engine/zoo/zoo.ts';
import { onnxBytes } from './onnx-files.ts';

const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const NONE = { inputs: [], output: false, auxBytes: 0 };

/** A chain a -> b -> c -> d with fields of its own. */
function chain(fields: Readonly<Record<string, object>>, more: object = {}): Uint8Array {
  const ids = ['a', 'b', 'c', 'd'];
  const vertices = ids.map((id) => ({ id, bytes: 4, ...fields[id] }));
  const edges = ids.slice(1).map((id, i) => [ids[i], id]);
  return text({ format: 'zigzag-graph', version: 1, name: 'g', vertices, edges, ...more });
}

function sentenceOf(file: Uint8Array, options = {}): string {
  try {
    importFile(file, options);
  } catch (error) {
    if (error instanceof BadInputError) return error.message;
    throw error;
  }
  return 'accepted';
}

const LARGEST = Number.MAX_SAFE_INTEGER;
const SMALLER = 'choose a smaller batch';

describe('figures beyond exact integers are refused with their place', () => {
  it.each([
    ['bytes', chain({ b: { bytes: LARGEST } }), 3, `vertices[1].bytes: ${LARGEST} at 1 samples is more`],
    [
      'flops',
      chain({ c: { flops: 2 ** 52 } }),
      2,
      'vertices[2].flops: 4503599627370496 at 1 samples is more',
    ],
    ['a shape', chain({ b: { shape: [2 ** 50, 1] } }), 9, 'vertices[1].shape[0]: 1125899906842624 at 1'],
    [
      'what an operation keeps',
      chain({ b: { keeps: { ...NONE, auxBytes: LARGEST } } }),
      131_072,
      `vertices[1].keeps.auxBytes: ${LARGEST} at 1 samples`,
    ],
    [
      'gradients',
      chain({ b: { bytes: 2 ** 52 } }),
      1,
      'vertices[1].bytes: the tensors up to this one and their',
    ],
    [
      'bytes together',
      chain({ b: { bytes: 2 ** 52 }, c: { bytes: 2 ** 52 } }),
      1,
      'the tensors of g take more',
    ],
    [
      'what operations keep together',
      chain({ b: { keeps: { ...NONE, fixedAuxBytes: LARGEST } } }),
      1,
      'vertices[1].keeps: the tensors up to this one',
    ],
    [
      'FLOPs together',
      chain({ b: { flops: 2 ** 52 }, c: { flops: 2 ** 52 } }),
      1,
      'vertices[2].flops: the FLOPs up to',
    ],
    [
      'parameters',
      chain({ b: { params: LARGEST }, d: { params: 1 } }),
      1,
      'vertices[3].params: the parameters up to',
    ],
  ])('%s', (_what, file, batch, sentence) => {
    expect(sentenceOf(file, { batch })).toContain(sentence);
    if (batch > 1) expect(sentenceOf(file, { batch })).toContain(SMALLER);
  });

  it('exact figures are rounded exactly', () => {
    const { graph } = importFile(chain({ b: { flops: LARGEST - 1 } }, { samples: 3 }), { batch: 2 });
    expect(graph.flops[1]).toBe(Number((BigInt(LARGEST - 1) * 2n + 2n) / 3n));
  });

  it('in an ONNX file with the name of the operation', () => {
    const file = onnxBytes({
      nodes: [{ op: 'Conv', name: 'conv', inputs: ['x', 'w'] }],
      inputs: { x: [1, 2 ** 20, 1000, 1000] },
      weights: { w: { shape: [1, 2 ** 20, 100, 100] } },
    });
    expect(sentenceOf(file)).toMatch(
      /^conv\.flops: the FLOPs up to this operation are more than 9007199254740991;/,
    );
  });
});

describe('a tensor overwritten in place', () => {
  const inplace = (bytes: number) =>
    chain({ b: { bytes: 4, keeps: NONE }, c: { bytes, op: 'mul_', alias: 'inplace', keeps: NONE } });

  it('may be as large as its successor, and no smaller', () => {
    expect(sentenceOf(inplace(4))).toBe('accepted');
    expect(sentenceOf(inplace(4e9))).toBe(
      'vertices[2].bytes: expected at most the 4 bytes of its first input "b", which it overwrites in place, got 4000000000',
    );
  });

  it('is not smaller in any network of the zoo', () => {
    for (const { name } of MODELS) {
      expect(() => requireExact(buildModel(name, { batch: 1 }), (v) => `${name} ${v}`)).not.toThrow();
    }
  });

  it('is not part of several inputs: the peak includes the written tensor', () => {
    const { graph } = importFile(
      onnxBytes({
        nodes: [
          { op: 'Relu', name: 'r', inputs: ['x'] },
          { op: 'Add', name: 'sum', inputs: ['r', 'z'] },
        ],
        inputs: { x: ['n', 1000], z: ['n', 1000] },
      }),
    );
    const problem = createProblem(graph, 'pytorch');
    const { timeline } = solveRow(problem, 'regular', { seed: 1 });
    // Both inputs, the ReLU that the sum is written over, and the gradients of the sum and of the ReLU.
    expect(timeline?.peakBytes).toBe(8000 + 4000 + 8000);
    expect(lowerBound(problem).bytes).toBeLessThanOrEqual(timeline?.peakBytes ?? 0);
  });

  it('is empty for an operation without inputs', () => {
    const file = chain(
      { d: { op: 'zero_', alias: 'inplace', bytes: 400, keeps: NONE } },
      {
        edges: [
          ['a', 'b'],
          ['b', 'c'],
          ['d', 'c'],
        ],
      },
    );
    const { graph } = importFile(file);
    expect(importFile(text(graphFile(graph))).graph).toEqual(graph);
  });
});

describe('a sentence', () => {
  const keras = (entry: object) => text({ class_name: 'Sequential', config: { layers: [entry] } });

  it.each([
    [
      'a name that is no text',
      keras({ class_name: 'ReLU', config: { name: { toString: 1 } } }),
      'layers[0].config.name: expected a text, got an object',
    ],
    ['another', keras({ class_name: 'ReLU', name: 7, config: {} }), 'layers[0].name: expected a text, got 7'],
    [
      'an activation that is no name',
      keras({
        class_name: 'Activation',
        config: { name: 'a', activation: { toString: 1 }, batch_input_shape: [null, 2] },
      }),
      'a (Activation): expected the name of an activation as activation, got an object',
    ],
    [
      'a shape of objects',
      keras({
        class_name: 'Reshape',
        config: { name: 'a', target_shape: [{ valueOf: 1 }], batch_input_shape: [null, 2] },
      }),
      'a (Reshape): expected numbers as target_shape, got an object',
    ],
    [
      'a dropout of all',
      keras({ class_name: 'Dropout', config: { name: 'a', rate: 1, batch_input_shape: [null, 2] } }),
      'a (Dropout): rate: expected a number from 0 to below 1, got 1',
    ],
    [
      'a control character',
      chain({}, { edges: [['a', '\u001b[2J\u202e']] }),
      'edges[0][1]: there is no vertex "\\u001b[2J\\u202e"',
    ],
    [
      'a line break',
      new TextEncoder().encode('{"a\n\u0007'),
      'the file is not valid JSON (Bad control character in string literal in JSON at position 3)',
    ],
    [
      'a long name',
      chain({}, { edges: [['a', 'y'.repeat(500)]] }),
      `edges[0][1]: there is no vertex "${'y'.repeat(57)}..."`,
    ],
    [
      'an operation that does not fit',
      onnxBytes({ nodes: [{ op: 'Dropout', name: 'rate', inputs: ['x'], attributes: { ratio: 1.5 } }] }),
      'rate (Dropout) cannot be drawn: rate: expected a number from 0 to below 1, got 1.5',
    ],
  ])('of %s', (_what, file, sentence) => expect(sentenceOf(file)).toBe(sentence));
});
