import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import {
  attention,
  convTranspose2d,
  embedding,
  GELU,
  GELU_TANH,
  groupNorm,
  layerNorm,
  linear,
  RELU6_INPLACE,
  SOFTMAX,
  TANH,
} from '../../../engine/ops/make.ts';
import { memoryModel } from '../../../engine/ops/memory-model.ts';
import { type Keeps, KEEPS_NOTHING, type Shape } from '../../../engine/ops/definition.ts';
import type { Operation } from '../../../engine/ops/operation.ts';
import { definitionOf, parametersOf } from '../../../engine/ops/operation.ts';

const SEQUENCE: Shape = [2, 5, 12];
const HEADS: Shape = [2, 3, 5, 4];
const PAIRS: Shape = [2, 3, 5, 5];
const IMAGE: Shape = [2, 8, 3, 4];
const ELEMENTS = 120;

const INPUT: Keeps = { ...KEEPS_NOTHING, inputs: [0] };
const BOTH: Keeps = { ...KEEPS_NOTHING, inputs: [0, 1] };
const OUTPUT: Keeps = { ...KEEPS_NOTHING, output: true };
const ROWS: Keeps = { ...INPUT, auxBytes: 8 * 10 };
const FLASH: Keeps = { inputs: [0, 1, 2], output: true, auxBytes: 4 * 30, fixedAuxBytes: 0 };

interface Row {
  readonly op: Operation;
  readonly inputs: readonly Shape[];
  readonly output: Shape;
  readonly parameters: number;
  readonly flops: number;
  readonly pytorch: Keeps;
  readonly tfjs: Keeps;
  /** Aliasing in pytorch and tfjs; none in both where not given. */
  readonly alias?: readonly [string, string];
}

const row = (
  op: Operation,
  inputs: readonly Shape[],
  output: Shape,
  parameters: number,
  flops: number,
  pytorch: Keeps,
  rest: Partial<Row> = {},
): Row => ({ op, inputs, output, parameters, flops, pytorch, tfjs: pytorch, ...rest });

const view = { alias: ['view', 'view'] } as const;
const slice = { alias: ['view', 'none'] } as const;
const one = [SEQUENCE];

const TABLE: readonly Row[] = [
  row(embedding(7, 12), [[2, 5]], SEQUENCE, 84, ELEMENTS, INPUT),
  row({ kind: 'position-embedding', count: 9 }, one, SEQUENCE, 108, ELEMENTS, KEEPS_NOTHING),
  row({ kind: 'segment-embedding', count: 2 }, one, SEQUENCE, 24, ELEMENTS, KEEPS_NOTHING),
  row(linear(6), one, [2, 5, 6], 78, 2 * 60 * 12 + 60, INPUT),
  row({ kind: 'tied-linear', table: 't', outFeatures: 7 }, one, [2, 5, 7], 0, 2 * 70 * 12, INPUT),
  row(layerNorm(), one, SEQUENCE, 24, 8 * ELEMENTS, ROWS),
  row(GELU, one, SEQUENCE, 0, ELEMENTS, INPUT),
  row(GELU_TANH, one, SEQUENCE, 0, ELEMENTS, INPUT),
  row(TANH, one, SEQUENCE, 0, ELEMENTS, OUTPUT),
  // In place PyTorch keeps a copy; TensorFlow.js's output tells where the input was cut off.
  row(
    RELU6_INPLACE,
    [IMAGE],
    IMAGE,
    0,
    192,
    { ...KEEPS_NOTHING, auxBytes: 768 },
    {
      tfjs: OUTPUT,
      alias: ['inplace', 'none'],
    },
  ),
  row({ kind: 'relu6', inplace: false }, [IMAGE], IMAGE, 0, 192, INPUT, { tfjs: OUTPUT }),
  row(convTranspose2d(6, 2, 2), [IMAGE], [2, 6, 6, 8], 8 * 24 + 6, 2 * 192 * 24, INPUT),
  row(groupNorm(4), [IMAGE], IMAGE, 16, 8 * 192, { ...INPUT, auxBytes: 8 * 2 * 4 }),
  row({ kind: 'patches' }, [IMAGE], [2, 12, 8], 0, 0, KEEPS_NOTHING, view),
  row({ kind: 'class-token' }, one, [2, 6, 12], 12, 144, KEEPS_NOTHING),
  row({ kind: 'first' }, one, [2, 12], 0, 0, KEEPS_NOTHING, slice),
  row({ kind: 'split', parts: 3, part: 2 }, one, [2, 5, 4], 0, 0, KEEPS_NOTHING, slice),
  row({ kind: 'split-heads', heads: 3 }, one, HEADS, 0, 0, KEEPS_NOTHING, view),
  row({ kind: 'merge-heads', copies: false }, [HEADS], SEQUENCE, 0, 0, KEEPS_NOTHING, view),
  row({ kind: 'merge-heads', copies: true }, [HEADS], SEQUENCE, 0, ELEMENTS, KEEPS_NOTHING, {
    alias: ['none', 'view'],
  }),
  row({ kind: 'attention-scores' }, [HEADS, HEADS], PAIRS, 0, 2 * 150 * 4, BOTH),
  row({ kind: 'attention-scores' }, [HEADS, [2, 3, 7, 4]], [2, 3, 5, 7], 0, 2 * 210 * 4, BOTH),
  row(
    { kind: 'attention-values' },
    [
      [2, 3, 5, 7],
      [2, 3, 7, 4],
    ],
    HEADS,
    0,
    2 * 210 * 4,
    BOTH,
  ),
  row(
    { kind: 'scale', divisor: 2 },
    [PAIRS],
    PAIRS,
    0,
    150,
    { ...KEEPS_NOTHING, fixedAuxBytes: 8 },
    {
      tfjs: KEEPS_NOTHING,
    },
  ),
  row({ kind: 'causal-mask' }, [PAIRS], PAIRS, 0, 150, KEEPS_NOTHING),
  row(SOFTMAX, [PAIRS], PAIRS, 0, 5 * 150, OUTPUT),
  row({ kind: 'attention-values' }, [PAIRS, HEADS], HEADS, 0, 2 * 150 * 4, BOTH),
  row(attention(true), [HEADS, HEADS, HEADS], HEADS, 0, 4 * 150 * 4, FLASH),
];

describe.each(TABLE.map((entry) => [entry.op.kind, entry] as const))('%s', (_kind, entry) => {
  const { op, inputs } = entry;
  const definition = definitionOf(op);

  it('has its shape, work and parameters', () => {
    const output = definition.shape(op, inputs);
    expect(output).toEqual(entry.output);
    expect(parametersOf(op, inputs)).toBe(entry.parameters);
    expect(definition.flops(op, inputs, output)).toBe(entry.flops);
  });

  it('keeps what its executor keeps', () => {
    expect(definition.keeps(op, 'pytorch', inputs, entry.output)).toEqual(entry.pytorch);
    expect(definition.keeps(op, 'tfjs', inputs, entry.output)).toEqual(entry.tfjs);
    const alias = [definition.aliasing(op, 'pytorch'), definition.aliasing(op, 'tfjs')];
    expect(alias).toEqual(entry.alias ?? ['none', 'none']);
  });
});

it.each<[Operation, Shape[], string]>([
  [embedding(7, 4), [SEQUENCE], 'embedding expects tokens [N, L], got [2, 5, 12]'],
  [{ kind: 'position-embedding', count: 4 }, [SEQUENCE], 'has 4 positions, and the sequence 5'],
  [groupNorm(2), [SEQUENCE], 'group-norm expects an input [N, C, H, W], got [2, 5, 12]'],
  [groupNorm(3), [IMAGE], 'group-norm expects 8 channels to divide into 3 equal groups'],
  [layerNorm(), [IMAGE], 'layer-norm expects an input [N, features] or [N, L, features], got [2, 8, 3, 4]'],
  [{ kind: 'class-token' }, [IMAGE], 'class-token expects an input [N, L, features], got [2, 8, 3, 4]'],
  [{ kind: 'split', parts: 5, part: 0 }, [SEQUENCE], 'split cannot take part 0 of 5 of [2, 5, 12]'],
  [{ kind: 'split', parts: 3, part: 3 }, [SEQUENCE], 'split cannot take part 3 of 3 of [2, 5, 12]'],
  [{ kind: 'split-heads', heads: 5 }, [SEQUENCE], 'cannot divide [2, 5, 12] among 5 heads'],
  [{ kind: 'merge-heads', copies: true }, [SEQUENCE], 'merge-heads expects an input [N, heads, L, each]'],
  [
    { kind: 'attention-scores' },
    [HEADS, PAIRS],
    'expects queries [N, heads, L, each] and keys [2, 3, 5, 4], got [2, 3, 5, 4] and [2, 3, 5, 5]',
  ],
  [{ kind: 'attention-scores' }, [SEQUENCE, SEQUENCE], 'expects queries [N, heads, L, each]'],
  [{ kind: 'attention-values' }, [HEADS, HEADS], 'expects probabilities [2, 3, 5, 5] of values [2, 3, 5, 4]'],
  [attention(false, 1), [HEADS, HEADS, HEADS], 'attention expects a dropout rate in [0, 1), got 1'],
  [convTranspose2d(0, 2), [IMAGE], 'conv-transpose2d expects at least 1 output channel, got 0'],
])('$kind refuses: %s', (op, inputs, message) => {
  expect(() => definitionOf(op).shape(op, inputs)).toThrow(BadInputError);
  expect(() => definitionOf(op).shape(op, inputs)).toThrow(message);
});

it('a token takes 8 bytes in PyTorch and 4 in TensorFlow.js', () => {
  const b = new GraphBuilder('tokens');
  b.add('table', embedding(7, 4), [b.tokens('tokens', [2, 5])]);
  const graph = b.build();
  expect(memoryModel(graph, 'pytorch').outputBytes[0]).toBe(80);
  expect(memoryModel(graph, 'tfjs').outputBytes[0]).toBe(40);
  expect(memoryModel(graph, 'tfjs').outputBytes[1]).toBe(4 * 40);
});

it('a head shares the table of an earlier embedding only', () => {
  const b = new GraphBuilder('tied');
  const x = b.add('table', embedding(7, 4), [b.tokens('tokens', [2, 5])]);
  const head = (table: string, outFeatures: number) => (): unknown =>
    b.add(`head of ${table}`, { kind: 'tied-linear', table, outFeatures }, [x]);
  for (const wrong of [head('nowhere', 7), head('tokens', 7), head('table', 8)]) {
    expect(wrong).toThrow(/shares the table of ".*", which is not an earlier embedding of [78] x 4/);
  }
  expect(head('table', 7)).not.toThrow();
});
