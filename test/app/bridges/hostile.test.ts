import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileSource } from '../../../app/bridges/file-source.ts';
import { importFile, importPlan } from '../../../app/bridges/import-file.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { onnxBytes } from './onnx-files.ts';

const text = (value: string) => new TextEncoder().encode(value);
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const field = (number: number, body: readonly number[]): number[] => [
  ...varint(number * 8 + 2),
  ...varint(body.length),
  ...body,
];
const ONNX_START = [0x08, 8];

const good = onnxBytes({
  nodes: [
    { op: 'Conv', name: 'conv', inputs: ['x', 'w'] },
    { op: 'Relu', name: 'relu', inputs: ['conv'] },
    { op: 'MaxPool', name: 'pool', inputs: ['relu'], attributes: { kernel_shape: [2, 2] } },
  ],
  weights: { w: { shape: [4, 3, 3, 3] } },
});

const KERAS = text(
  JSON.stringify({
    class_name: 'Sequential',
    config: {
      layers: [
        {
          class_name: 'Conv2D',
          config: { name: 'c', filters: 2, kernel_size: 3, batch_input_shape: [null, 8, 8, 3] },
        },
        { class_name: 'Flatten', config: { name: 'f' } },
        { class_name: 'Dense', config: { name: 'd', units: 2 } },
      ],
    },
  }),
);
const PLAN = text(
  '{"format":"zigzag-plan","version":1,"checkpoints":["a"],"steps":[["forward","a"],["free","a"],["free","a","aux"]]}',
);
const GRAPH = text(
  '{"format":"zigzag-graph","version":1,"name":"g","vertices":[{"id":"a","bytes":4},{"id":"b","bytes":4}],"edges":[["a","b"]]}',
);

/** Refused in one short sentence. */
function refused(file: Uint8Array | string, sentence: RegExp): void {
  let error: unknown;
  try {
    importFile(typeof file === 'string' ? fileSource(file) : file);
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(BadInputError);
  const { message } = error as Error;
  expect(message).toMatch(sentence);
  expect(message).not.toContain('\n');
  expect(message.length).toBeLessThan(400);
}

describe('a broken or hostile file is refused', () => {
  const node = (inputs: string[], outputs: string[]) => ({ op: 'Relu', inputs, outputs });
  it.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(0), /^the file is empty$/],
    ['a text', text('hello, world'), /is text, not a network/],
    ['a zip archive', text('PK\u0003\u0004......'), /^the file is a zip archive/],
    ['JSON of something else', text('{"a":1}'), /^format: expected "zigzag-graph"/],
    ['JSON cut off', text('{"format":"zigzag-gra'), /^the file is not valid JSON/],
    [
      'ten megabytes of nesting',
      text('['.repeat(1e7)),
      /^the file has too many levels of lists and objects \(200 at most\); save less in it$/,
    ],
    [
      'five million objects',
      text(`[${'{},'.repeat(5e6)}{}]`),
      /^the file has too many lists and objects \(4,000,000 at most\); save less in it$/,
    ],
    [
      'a length field of 4 GB',
      Uint8Array.from([...ONNX_START, 0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2]),
      /truncated or broken/,
    ],
    [
      'a length field of 2^63',
      Uint8Array.from([...ONNX_START, 0x3a, 255, 255, 255, 255, 255, 255, 255, 255, 127, 1]),
      /truncated or broken/,
    ],
    [
      'a number without end',
      Uint8Array.from([...ONNX_START, 0x08, ...new Array<number>(20).fill(0xff)]),
      /more than 10 bytes/,
    ],
    ['ONNX cut off', good.slice(0, good.length - 30), /truncated or broken/],
    ['an ONNX file without operations', Uint8Array.from(ONNX_START), /holds no ONNX graph/],
    [
      'an ONNX name of 2 MB',
      Uint8Array.from([...ONNX_START, ...field(7, field(2, new Array<number>(2 << 20).fill(65)))]),
      /a name of 2097152 bytes/,
    ],
    [
      'nested types in an ONNX file',
      Uint8Array.from([
        ...ONNX_START,
        ...field(7, [...field(1, field(4, [65])), ...field(11, nestedType(3000))]),
      ]),
      /broken|shape/,
    ],
    [
      'a cycle of ONNX nodes',
      onnxBytes({ nodes: [node(['b'], ['a']), node(['a'], ['b'])], outputs: ['b'] }),
      /depend on each other in a cycle/,
    ],
    [
      'an ONNX node that reads itself',
      onnxBytes({ nodes: [node(['a'], ['a'])], outputs: ['a'] }),
      /depend on each other in a cycle/,
    ],
    [
      'an ONNX value from nowhere',
      onnxBytes({ nodes: [node(['q'], ['a'])], outputs: ['a'] }),
      /reads "q", which no node computes/,
    ],
    [
      'a negative dimension',
      onnxBytes({ nodes: [node(['x'], ['a'])], outputs: ['a'], inputs: { x: [1, -7] } }),
      /an axis of -7 elements/,
    ],
    [
      'an impossible window',
      onnxBytes({
        nodes: [{ op: 'MaxPool', name: 'p', inputs: ['x'], attributes: { kernel_shape: [99, 99] } }],
      }),
      /^p \(MaxPool\) does not fit/,
    ],
    [
      'tensors beyond counting',
      onnxBytes({ nodes: [node(['x'], ['a'])], outputs: ['a'], inputs: { x: [1, 2 ** 40, 2 ** 40] } }),
      /integer|bytes/,
    ],
    [
      'a weight beyond counting',
      onnxBytes({
        nodes: [{ op: 'MatMul', name: 'p', inputs: ['x', 'w'] }],
        weights: { w: { shape: [2 ** 40, 2 ** 40] } },
      }),
      /more elements than can be counted/,
    ],
    [
      'a Keras layer that waits for itself',
      keras([
        ['a', ['b']],
        ['b', ['a']],
      ]),
      /in a cycle/,
    ],
    [
      'Keras models that double 40 times',
      doubling(40),
      /^the models inside the Keras model call more than 10000 layers$/,
    ],
    ['a Keras layer from nowhere', keras([['a', ['zz']]]), /reads zz, which is not an earlier layer/],
    [
      'an empty Keras model in a layer',
      text(
        JSON.stringify({
          class_name: 'Sequential',
          config: {
            layers: [
              { class_name: 'Dense', config: { name: 'd', units: 1, batch_input_shape: [null, 3] } },
              { class_name: 'Functional', config: { name: 'm' } },
            ],
          },
        }),
      ),
      /the Keras model \(Functional\) lists no layers/,
    ],
    [
      'a negative Keras axis',
      text(
        JSON.stringify({
          class_name: 'Sequential',
          config: { layers: [{ class_name: 'Dense', config: { units: 1, batch_input_shape: [null, -3] } }] },
        }),
      ),
      /an axis of -3 elements/,
    ],
  ])('%s', (_what, file, sentence) => refused(file, sentence));

  it('ten million vertices', () => {
    const one = field(1, field(4, [65]));
    const many = new Uint8Array(one.length * 1e7);
    for (let i = 0; i < 1e7; i++) many.set(one, i * one.length);
    const length = varint(many.length);
    const file = new Uint8Array(2 + 1 + length.length + many.length);
    file.set([...ONNX_START, 0x3a, ...length]);
    file.set(many, 3 + length.length);
    const before = process.memoryUsage().rss;
    refused(file, /^the ONNX file has more than 200000 nodes$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(32 << 20);
  });
});

function nestedType(depth: number): number[] {
  let body: number[] = [];
  for (let i = 0; i < depth; i++) body = field(4, field(1, body));
  return field(2, body);
}

function keras(layers: readonly (readonly [string, readonly string[]])[]): Uint8Array {
  return text(
    JSON.stringify({
      class_name: 'Functional',
      config: {
        layers: layers.map(([name, inputs]) => ({
          class_name: 'ReLU',
          name,
          config: {},
          inbound_nodes: [inputs.map((input) => [input, 0, 0, {}])],
        })),
        output_layers: [['a', 0, 0]],
      },
    }),
  );
}

/** Each model calls the one inside it twice. */
function doubling(depth: number): Uint8Array {
  const call = (input: string, index: number) => [[input, index, 0, {}]];
  let inner: object = { class_name: 'ReLU', name: 'm', config: { name: 'm' } };
  for (let i = 0; i <= depth; i++) {
    const image = { class_name: 'InputLayer', name: 'x', config: { batch_input_shape: [null, 2] } };
    const twice = { ...inner, inbound_nodes: [call('x', 0), call('m', i === 0 ? 0 : 1)] };
    const config = { name: 'm', layers: [image, twice], output_layers: [['m', i === 0 ? 1 : 2, 0]] };
    inner = { class_name: 'Functional', name: 'm', config };
  }
  return text(JSON.stringify(inner));
}

describe('a file of two gigabytes of weights', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-large-'));
  const path = join(folder, 'large.onnx');
  const SIZE = 2 ** 31 - 4096;
  beforeAll(() => {
    // The payload is a hole in the file: nobody writes, and nobody may read it.
    const tensor = (payload: number) => [
      ...field(1, varint(16)).slice(0, 0),
      0x08,
      16,
      0x10,
      1,
      ...field(8, [119]),
      0x4a,
      ...varint(payload),
    ];
    const graphEnd = SIZE - good.length - 64;
    const head = tensor(graphEnd);
    const inner = head.length + graphEnd;
    const start = [
      ...ONNX_START,
      0x3a,
      ...varint(inner + 1 + varint(inner).length),
      0x2a,
      ...varint(inner),
      ...head,
    ];
    writeFileSync(path, Uint8Array.from(start));
    truncateSync(path, start.length + graphEnd);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is read without them', () => {
    const before = process.memoryUsage().rss;
    refused(path, /holds no ONNX graph with operations/);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20);
  });
});

describe('arbitrary bytes', () => {
  const seeds = [good, KERAS, GRAPH, PLAN];
  const mutation = fc.record({
    seed: fc.constantFrom(...seeds.keys()),
    cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 4 }),
    edits: fc.array(
      fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 0, max: 255 })),
      { maxLength: 6 },
    ),
  });

  it('give a graph or one sentence of refusal', () => {
    fc.assert(
      fc.property(mutation, ({ seed, cut, edits }) => {
        const file = seeds[seed]!.slice();
        for (const [at, byte] of edits) file[Math.floor(at * file.length)] = byte;
        orBadInput(cut === null ? file : file.slice(0, Math.floor(cut * file.length)));
      }),
      { interruptAfterTimeLimit: 8000, numRuns: 4000 },
    );
  });

  it('also when drawn at random', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) =>
        orBadInput(Uint8Array.from([...ONNX_START, 0x3a, ...bytes])),
      ),
      { interruptAfterTimeLimit: 4000, numRuns: 3000 },
    );
  });
});

/** As a network and as a plan. */
function orBadInput(file: Uint8Array): void {
  const reads = [
    () => expect(importFile(file).graph.size).toBeGreaterThan(1),
    () => expect(importPlan(file).format).toBe('zigzag-plan'),
  ];
  for (const read of reads) {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(BadInputError);
      expect((error as Error).message).not.toContain('\n');
    }
  }
}
