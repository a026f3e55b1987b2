import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { coverageOf } from '../../../engine/exchange/coverage.ts';
import { graphFile, parseGraphFile } from '../../../engine/exchange/graph-file.ts';
import type { Graph } from '../../../engine/graph/graph.ts';
import { graphHash } from '../../../engine/exchange/plan-file.ts';
import { memoryModel } from '../../../engine/ops/memory-model.ts';
import { PROFILES } from '../../../engine/ops/definition.ts';
import { inHalf } from '../../../engine/training-memory/autocast.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const vertex = (id: string, bytes: unknown = 4): Record<string, unknown> => ({ id, bytes });
const file = (vertices: unknown, edges: unknown): string =>
  JSON.stringify({ format: 'zigzag-graph', version: 1, name: 'g', vertices, edges });
const chain = [vertex('a'), vertex('b'), vertex('c')];
const links = [
  ['a', 'b'],
  ['b', 'c'],
];

describe('parseGraphFile', () => {
  it('reads a size-only graph', () => {
    const graph = parseGraphFile(file(chain, links));
    expect(graph.ids).toEqual(['a', 'b', 'c']);
    expect([...graph.bytes]).toEqual([4, 4, 4]);
    expect(graph.operations[1]).toEqual({ kind: 'opaque', label: 'opaque' });
  });

  it('sorts vertices topologically and otherwise keeps the given order', () => {
    const graph = parseGraphFile(
      file(
        [vertex('t'), vertex('y'), vertex('x'), vertex('s')],
        [
          ['s', 'x'],
          ['s', 'y'],
          ['x', 't'],
          ['y', 't'],
        ],
      ),
    );
    expect(graph.ids).toEqual(['s', 'y', 'x', 't']);
  });

  it('counts samples if the file states their number', () => {
    const vertices = [
      { ...vertex('a', 10), shape: [4, 3] },
      { ...vertex('b', 7), flops: 6, keeps: { auxBytes: 5, fixedAuxBytes: 5 } },
      { ...vertex('c', 8), fixed: true },
      vertex('d'),
    ];
    const edges = [
      ['a', 'b'],
      ['b', 'd'],
      ['c', 'd'],
      ['a', 'c'],
    ];
    const text = JSON.stringify({ ...JSON.parse(file(vertices, edges)), samples: 4 });
    expect([...parseGraphFile(text).bytes]).toEqual([10, 7, 8, 4]);
    const six = parseGraphFile(text, { batch: 6 });
    expect([...six.bytes]).toEqual([15, 11, 8, 6]);
    expect(six.shapes[0]).toEqual([6, 3]);
    expect(six.flops[1]).toBe(9);
    expect(six.operations[1]).toMatchObject({ keeps: { auxBytes: 8, fixedAuxBytes: 5 } });
  });

  it.each([
    ['samples', 0, 'samples: expected a positive integer, got 0'],
    ['order', 'any', 'order: expected "given" or nothing, got "any"'],
  ])('refuses %s %s', (field, value, message) => {
    const text = JSON.stringify({ ...JSON.parse(file(chain, links)), [field]: value });
    expect(() => parseGraphFile(text)).toThrow(message);
  });

  it('refuses a `fixed` other than true or false', () => {
    const text = file([vertex('a'), { ...vertex('b'), fixed: 1 }, vertex('c')], links);
    expect(() => parseGraphFile(text)).toThrow('vertices[1].fixed: expected true or false, got 1');
  });

  it('stores that the executor keeps to the given order', () => {
    const vertices = ['s', 'a', 'b', 'c', 'd', 't'].map((id, i) => vertex(id, [1, 9, 2, 9, 3, 1][i]));
    const edges = ['sa', 'sb', 'ac', 'bd', 'ct', 'dt'].map(([from, to]) => [from, to]);
    const given = { ...JSON.parse(file(vertices, edges)), order: 'given' };
    const graph = parseGraphFile(JSON.stringify(given));
    expect(graphFile(graph)).toMatchObject({ order: 'given' });
  });

  describe('how PyTorch ran a capture', () => {
    const [a, b, c] = chain;
    const captured = (vertices: unknown, edges: unknown = links): string =>
      JSON.stringify({ ...JSON.parse(file(vertices, edges)), order: 'given' });
    const peakOf = (one: Graph): number | null =>
      solveRow(createProblem(one, 'pytorch'), 'regular', { seed: 0 }).peakBytes;

    it('[M4] reads what backward allocates at once, for the batch and the precision', () => {
      const text = captured([a, { ...b, backwardBytes: 13 }, { ...c, fixed: true, backwardBytes: 5 }]);
      const graph = parseGraphFile(text, { batch: 2 });
      expect([...graph.backwardBytes!]).toEqual([0, 26, 5]);
      expect([...inHalf(graph).backwardBytes!]).toEqual([0, 13, 3]);
      expect(parseGraphFile(JSON.stringify(graphFile(graph)))).toEqual(graph);
      // Backward c: 8, 8 and 4 bytes of activations, gradients of 4 and 8. Backward b: 8, 8, a gradient of 8, and 26.
      expect([peakOf({ ...graph, backwardBytes: new Float64Array(3) }), peakOf(graph)]).toEqual([32, 50]);
      // The trainer's own backward is another.
      expect(memoryModel(graph, 'tfjs').backwardBytes).toBeUndefined();
      expect(() => parseGraphFile(captured([a, { ...b, backwardBytes: -1 }, c]))).toThrow(
        'vertices[1].backwardBytes: expected a non-negative integer, got -1',
      );
      // In another order everything may be otherwise.
      expect(parseGraphFile(file([a, { ...b, backwardBytes: 13 }, c], links)).backwardBytes).toBeUndefined();
    });

    it('[M3] reads up to where the program holds a result', () => {
      // Only forward c reads b, whose backward needs nothing.
      const keeps = { inputs: [], output: false, auxBytes: 0 };
      const ids = ['a', 'b', 'c', 'd', 'e'];
      const vertices = ids.map((id) => ({ ...vertex(id, id === 'd' ? 9 : 4), op: 'f', keeps }));
      const edges = ids.slice(1).map((id, i) => [ids[i], id]);
      const graph = parseGraphFile(captured(vertices, edges));
      const held = parseGraphFile(
        captured(vertices.with(1, { ...vertices[1]!, heldUntil: 'd' } as never), edges),
      );
      expect([graph.heldUntil, [...held.heldUntil!]]).toEqual([undefined, [0, 3, 0, 0, 0]]);
      expect(parseGraphFile(JSON.stringify(graphFile(held)))).toEqual(held);
      // Forward d holds a, c and d: 4, 4 and 9 bytes, and b of 4 bytes too.
      expect([peakOf(graph), peakOf(held)]).toEqual([17, 21]);
      expect(memoryModel(held, 'tfjs').heldUntil).toBeUndefined();
      const refused = (heldUntil: unknown) => () => parseGraphFile(captured([a, { ...b, heldUntil }, c]));
      expect(refused(3)).toThrow('vertices[1].heldUntil: expected an id, got 3');
      expect(refused('x')).toThrow('vertices[1].heldUntil: expected the id of a later vertex, got "x"');
      expect(refused('b')).toThrow('vertices[1].heldUntil: expected the id of a later vertex, got "b"');
    });

    it('[M3] reads what the program holds beside in the first forward pass, for the batch', () => {
      const text = captured([a, b, { ...c, besideBytes: 13 }]);
      const graph = parseGraphFile(text, { batch: 2 });
      expect([...graph.besideBytes!]).toEqual([0, 0, 26]);
      expect(parseGraphFile(JSON.stringify(graphFile(graph)))).toEqual(graph);
      // Forward c: 8, 8, 8 and 26 bytes. Backward c: three activations and two gradients.
      expect([peakOf({ ...graph, besideBytes: new Float64Array(3) }), peakOf(graph)]).toEqual([40, 50]);
      expect(memoryModel(graph, 'tfjs').besideBytes).toBeUndefined();
    });

    it('[M4] reads that a backward hands its gradient on in one storage', () => {
      const vertices = ['s', 'a', 'b', 't'].map((id) => vertex(id));
      const edges = ['sa', 'sb', 'at', 'bt'].map(([from, to]) => [from, to]);
      const graph = parseGraphFile(captured(vertices, edges));
      const shared = parseGraphFile(
        captured(vertices.with(3, { ...vertices[3]!, sharesGradient: true }), edges),
      );
      expect([graph.sharesGradient, [...shared.sharesGradient!]]).toEqual([undefined, [0, 0, 0, 1]]);
      expect(parseGraphFile(JSON.stringify(graphFile(shared)))).toEqual(shared);
      // Backward t: four activations and three gradients, or one.
      expect([peakOf(graph), peakOf(shared)]).toEqual([28, 20]);
      expect(memoryModel(shared, 'tfjs').sharesGradient).toBeUndefined();
      expect(() => parseGraphFile(captured([a, { ...b, sharesGradient: 1 }, c]))).toThrow(
        'vertices[1].sharesGradient: expected true or false, got 1',
      );
    });
  });

  it('multiplies tensors by the batch', () => {
    expect([...parseGraphFile(file(chain, links), { batch: 3 }).bytes]).toEqual([12, 12, 12]);
  });

  const refused: [string, string, RegExp][] = [
    ['text that is not JSON', '{', /^the file is not valid JSON/],
    ['a list', '[]', /must hold an object/],
    ['another format', '{"format":"onnx"}', /^format: expected "zigzag-graph", got "onnx"/],
    ['another version', '{"format":"zigzag-graph","version":2}', /^version: expected 1, got 2/],
    ['no vertices', file(undefined, []), /^vertices: expected a list, got nothing/],
    ['zero vertices', file([], []), /^vertices: expected at least two/],
    ['one vertex', file([vertex('a')], []), /^vertices: expected at least two/],
    [
      'a cycle',
      file(chain, [...links, ['c', 'b']]),
      /^edges: the graph has a cycle: (b -> c -> b|c -> b -> c)/,
    ],
    ['a self-loop', file(chain, [...links, ['b', 'b']]), /^edges\[2\]: "b" cannot be its own input/],
    [
      'a cycle behind two sources',
      file([...chain, vertex('d')], [...links, ['c', 'b'], ['d', 'c']]),
      /^edges: the graph has a cycle: (b -> c -> b|c -> b -> c)/,
    ],
    ['vertices without an edge', file(chain, []), /^edges: expected at least one edge/],
    [
      'inputs beyond safe integers',
      file(
        [vertex('a', 2 ** 52), vertex('b', 2 ** 52), vertex('c')],
        [
          ['a', 'c'],
          ['b', 'c'],
        ],
      ),
      /^vertices: the inputs take more than 9007199254740991 bytes/,
    ],
    [
      'a vertex with the name of the joined source',
      file(
        [vertex('a'), vertex('d'), vertex('zigzag_source')],
        [
          ['a', 'zigzag_source'],
          ['d', 'zigzag_source'],
        ],
      ),
      /^vertices\[2\]\.id: "zigzag_source" is the name of what joins several sources/,
    ],
    [
      'an operation without its input',
      file([...chain, { id: 'r', op: 'relu', attrs: { inplace: false }, shape: [1, 2] }], links),
      /^vertices\[3\]: no edge enters "r", and relu needs one/,
    ],
    ['a dangling edge', file(chain, [['a', 'z']]), /^edges\[0\]\[1\]: there is no vertex "z"/],
    [
      'a duplicate id',
      file([...chain, vertex('a')], links),
      /^vertices\[3\]\.id: the id "a" is already used by vertices\[0\]/,
    ],
    ['an empty id', file([vertex('')], []), /expected at least two/],
    ['negative bytes', file([vertex('a'), vertex('b', -4)], []), /^vertices\[1\]\.bytes: .* got -4$/],
    ['fractional bytes', file([vertex('a'), vertex('b', 1.5)], []), /^vertices\[1\]\.bytes: .* got 1.5$/],
    ['unsafe bytes', file([vertex('a'), vertex('b', 2 ** 60)], []), /^vertices\[1\]\.bytes: /],
    ['NaN written as null', file([vertex('a'), vertex('b', null)], []), /^vertices\[1\]\.bytes: /],
    [
      'neither bytes nor shape',
      file([{ id: 'a' }, { id: 'b' }], []),
      /^vertices\[0\]: expected bytes or a shape/,
    ],
    [
      'a total beyond safe integers',
      file(
        chain.map((v) => ({ ...v, bytes: 2 ** 52 })),
        links,
      ),
      /./,
    ],
    [
      'a bad field of a known operation',
      fileWithConv({ kernel: [3] }),
      /^vertices\[1\]\.attrs\.kernel: expected two positive integers/,
    ],
    ['ten megabytes of nesting', '['.repeat(10_000_000), /^the file is not valid JSON/],
    [
      'a part that is no number',
      file(
        [
          { id: 'x', shape: [1, 4, 6] },
          { id: 'y', shape: [1, 4, 2], op: 'split', attrs: { parts: 3, part: -1 } },
        ],
        [['x', 'y']],
      ),
      /^vertices\[1\]\.attrs\.part: expected a non-negative integer, got -1$/,
    ],
    [
      'a table without a name',
      file(
        [
          { id: 'x', shape: [1, 4, 6] },
          { id: 'y', shape: [1, 4, 2], op: 'tied-linear', attrs: { table: '', outFeatures: 2 } },
        ],
        [['x', 'y']],
      ),
      /^vertices\[1\]\.attrs\.table: expected a text that is not empty, got ""$/,
    ],
    ['nesting inside a vertex', nestedBytes(100_000), /a list$/],
  ];
  it.each(refused)('refuses %s in one sentence', (_what, text, sentence) => {
    let thrown: unknown;
    try {
      parseGraphFile(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BadInputError);
    expect((thrown as Error).message).toMatch(sentence);
    expect((thrown as Error).message).not.toContain('\n');
  });

  it('answers any JSON with a graph or a BadInputError', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (vertices, edges) => {
        try {
          parseGraphFile(file(vertices, edges));
        } catch (error) {
          expect(error).toBeInstanceOf(BadInputError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('graphFile', () => {
  const networks = [
    ...['resnet18', 'densenet121', 'alexnet', 'mobilenet-v2', 'unet'],
    ...['gpt2', 'bert-base', 'vit-b-16-fused', 'tiny-transformer-fused'],
  ];
  it.each(networks)('restores %s unchanged', (name) => {
    const graph = buildModel(name, { batch: 2, dropout: 0.1 });
    const again = parseGraphFile(JSON.stringify(graphFile(graph)));
    expect(again.ids).toEqual(graph.ids);
    expect(again.operations).toEqual(graph.operations);
    expect(again.shapes).toEqual(graph.shapes);
    expect(again.roles).toEqual(graph.roles);
    expect(again.predecessors).toEqual(graph.predecessors);
    expect(again.flops).toEqual(graph.flops);
    expect(graphHash(again)).toBe(graphHash(graph));
    for (const profile of PROFILES) expect(memoryModel(again, profile)).toEqual(memoryModel(graph, profile));
  });

  it('refuses a head that shares a table other than an embedding’s', () => {
    const graph = graphFile(buildModel('tiny-transformer', { batch: 1, input: 4 }));
    const text = JSON.stringify(graph).replace('"table":"wte"', '"table":"wpe"');
    expect(() => parseGraphFile(text)).toThrow(
      'lm_head shares the table of "wpe", which is not an earlier embedding of 64 x 32',
    );
  });

  it("[A6] finds the optimum of an author's size-only graph", () => {
    const graph = buildModel('resnet50', { batch: 1 });
    const { view } = createProblem(graph, 'pytorch');
    const { tensors } = view;
    const vertices = Array.from(tensors.cost, (bytes, v) => ({ id: `v${v}`, bytes }));
    const edges = Array.from(tensors.edgeFrom, (from, e) => [`v${from}`, `v${tensors.edgeTo[e]}`]);
    const read = parseGraphFile(file(vertices, edges));
    const row = solveRow(createProblem(read, 'pytorch'), 'optimal', { seed: 0 });
    expect(row.paperCostBytes).toBe(6021120 * 4);
  });
});

function fileWithConv(attributes: Record<string, unknown>): string {
  const conv = {
    outChannels: 8,
    kernel: [3, 3],
    stride: [1, 1],
    padding: [1, 1, 1, 1],
    dilation: [1, 1],
    groups: 1,
    bias: true,
    ...attributes,
  };
  return file(
    [
      { id: 'x', shape: [1, 3, 8, 8] },
      { id: 'y', shape: [1, 8, 8, 8], op: 'conv2d', attrs: conv },
    ],
    [['x', 'y']],
  );
}

/** A vertex whose bytes are lists in lists; written as text because it is too deep to stringify. */
function nestedBytes(depth: number): string {
  const value = '['.repeat(depth) + ']'.repeat(depth);
  return file([{ id: 'a', bytes: 'HERE' }, vertex('b')], []).replace('"HERE"', value);
}

describe('coverageOf', () => {
  it('reads a capture’s coverage, and null if a file has none', () => {
    expect(coverageOf({ coverage: { share: 0.907, opaque: [{ id: 'a', bytes: 4 }] } })).toEqual({
      share: 0.907,
      opaque: ['a'],
    });
    expect(coverageOf({})).toBeNull();
    expect(coverageOf(null)).toBeNull();
  });

  it.each([
    [{ share: 2, opaque: [] }, 'coverage.share: expected a number from 0 to 1, got 2'],
    [{ share: 1 }, 'coverage.opaque: expected a list, got nothing'],
    [{ share: 1, opaque: [{}] }, 'coverage.opaque[0].id: expected an id, got nothing'],
  ])('refuses %j', (coverage, message) => {
    expect(() => coverageOf({ coverage })).toThrow(message);
  });
});
