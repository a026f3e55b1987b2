import { describe, expect, it } from 'vitest';
import { graphFile, parseGraphFile } from '../../../engine/exchange/graph-file.ts';
import { type Graph, predecessorsOf } from '../../../engine/graph/graph.ts';
import { memoryModel, needsOf } from '../../../engine/ops/memory-model.ts';
import { createProblem } from '../../../engine/problem.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { type SolvedStrategy, solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

type Vertex = Readonly<Record<string, unknown>>;

/** `a>b b>c`, in the order of the edges. */
function read(vertices: readonly Vertex[], drawing: string): Graph {
  const edges = drawing.split(/\s+/).map((edge) => edge.split('>'));
  return parseGraphFile(JSON.stringify({ format: 'zigzag-graph', version: 1, name: 'g', vertices, edges }));
}

const of = (bytes: Readonly<Record<string, number>>): Vertex[] =>
  Object.entries(bytes).map(([id, count]) => ({ id, bytes: count }));

const namedEdges = (graph: Graph): string =>
  graph.ids.flatMap((id, v) => [...predecessorsOf(graph, v)].map((u) => `${graph.ids[u]}>${id}`)).join(' ');

/** Two inputs that meet halfway, two outputs. */
const GIVEN = { image: 30, text: 12, a: 40, b: 9, c: 40, d: 7, e: 25, head: 3, side: 5 };
const EDGES = 'image>a a>b text>c c>d image>d b>e d>e e>head e>side';
const { image: _image, text: _text, ...rest } = GIVEN;
const BY_HAND = 'zigzag_source>a a>b zigzag_source>c c>d zigzag_source>d b>e d>e e>head e>side';

describe('several sources and targets', () => {
  const joined = read(of(GIVEN), EDGES);
  const byHand = read(
    [
      { id: 'zigzag_source', bytes: 42, op: 'inputs' },
      ...of(rest),
      { id: 'zigzag_target', bytes: 0, op: 'outputs', keeps: { inputs: [] } },
    ],
    `${BY_HAND} head>zigzag_target side>zigzag_target`,
  );

  it('equal ends joined by hand', () => {
    expect(joined.ids).toEqual(byHand.ids);
    expect(namedEdges(joined)).toBe(namedEdges(byHand));
    expect(joined).toEqual(byHand);
    expect(parseGraphFile(JSON.stringify(graphFile(joined)))).toEqual(joined);
  });

  const solved = STRATEGIES.filter(
    ({ name, needsMilpSolver }) => name !== 'plan' && needsMilpSolver !== true,
  );
  it.each(solved.map(({ name }) => name))('solve under %s like ends joined by hand', (name) => {
    const options = { seed: 3, budgetBytes: 10_000, checkpoints: ['c'], slots: 2 };
    const [one, other] = [joined, byHand].map(
      (graph): SolvedStrategy => solveRow(createProblem(graph, 'pytorch'), name, options),
    );
    expect(one).toEqual(other);
    expect(one?.applicable || one?.reason).toBeTruthy();
  });

  it('solve under most strategies', () => {
    const problem = createProblem(joined, 'pytorch');
    for (const name of ['regular', 'optimal', 'live', 'sequential', 'revolve']) {
      expect(solveRow(problem, name, { seed: 0 }).reason, name).toBeNull();
    }
  });

  it('leave a single source and target unchanged', () => {
    const graph = read(of({ s: 1, a: 2, t: 3 }), 's>a a>t');
    expect(graph.ids).toEqual(['s', 'a', 't']);
    expect(read(of({ s: 1, r: 5, t: 3 }), 's>t r>t').ids).toEqual(['zigzag_source', 't']);
    expect(read(of({ s: 1, t: 3, u: 5 }), 's>t s>u').ids).toEqual(['s', 't', 'u', 'zigzag_target']);
  });

  it('count an input that nothing reads', () => {
    const graph = read([{ id: 'unused', bytes: 100 }, ...of({ s: 1, a: 2, t: 3 })], 's>a a>t');
    expect(graph.ids).toEqual(['zigzag_source', 'a', 't']);
    expect(graph.bytes[0]).toBe(101);
  });

  it('connect operations without inputs to the input', () => {
    const table = { id: 'table', bytes: 8, params: 2 };
    const graph = read([...of({ s: 1, t: 3 }), table], 's>t table>t');
    expect(graph.ids).toEqual(['s', 'table', 't']);
    expect(namedEdges(graph)).toBe('s>table s>t table>t');
    const two = read([...of({ s: 1, r: 2, t: 3 }), table], 's>t r>t table>t');
    expect(two.ids).toEqual(['zigzag_source', 'table', 't']);
    expect([...two.bytes]).toEqual([3, 8, 3]);
  });

  it('keep shapes and saved bytes of known operations that read an input of known shape', () => {
    const alone = buildModel('resnet18', { batch: 2 });
    const document = structuredClone(graphFile(alone)) as { vertices: Vertex[]; edges: string[][] };
    document.vertices.push({ id: 'weights', bytes: 80 }, { id: 'weighted', bytes: 80 });
    const last = alone.ids.at(-1) ?? '';
    document.edges.push(['weights', 'weighted'], [last, 'weighted']);
    const graph = parseGraphFile(JSON.stringify(document));
    expect(graph.ids[0]).toBe('zigzag_source');
    expect(graph.bytes[0]).toBe((alone.bytes[0] ?? 0) + 80);
    for (let v = 1; v < alone.size; v++) {
      for (const field of ['bytes', 'flops', 'parameters', 'shapes'] as const) {
        expect(graph[field][v], `${field} of ${alone.ids[v]}`).toEqual(alone[field][v]);
      }
      const [here, there] = [graph, alone].map((one) => [...needsOf(memoryModel(one, 'pytorch'), v)]);
      expect(here, alone.ids[v]).toEqual(there);
    }
  });
});
