import { describe, expect, it } from 'vitest';
import { buildDivisionTree } from '../../../engine/paper/build-division-tree.ts';
import { type DivisionNode, divisionTreeToJson, kindOf, LEAF } from '../../../engine/paper/division-tree.ts';
import { divisionTreeByDefinition } from '../../../engine/paper/reference/division-tree-by-definition.ts';
import { createTensorGraph, type TensorGraph } from '../../../engine/paper/tensor-graph.ts';
import { bruteForceClosedSets } from '../../support/brute-force.ts';
import { randomStGraph } from '../../support/random-graphs.ts';
import { createRng, pick, type Rng, shuffled } from '../../support/rng.ts';
import { arbitraryGraph, check, edgesOf, nodesOf } from './arbitrary-graph.ts';
import { COMPLICATE, chain, THREE_BRANCHES, TWO_DIAMONDS } from './figures.ts';

const treeOf = (graph: TensorGraph): DivisionNode => divisionTreeToJson(buildDivisionTree(graph));
const text = (node: DivisionNode): string => JSON.stringify(node);

describe('buildDivisionTree', () => {
  it('[D3] [D4] figure 4, first column: two branch IS in a row', () => {
    const tree = buildDivisionTree(TWO_DIAMONDS);
    expect(treeOf(TWO_DIAMONDS)).toMatchObject({
      kind: 'linear',
      source: 0,
      target: 6,
      cost: 20,
      children: [
        { kind: 'branch', source: 0, target: 3, cost: 5 },
        { kind: 'branch', source: 3, target: 6, cost: 11 },
      ],
    });
    expect([...tree.largestSegment.subarray(0, 3)]).toEqual([20, 3, 6]);
    expect(tree.owner[3]).toBe(0);
    expect([tree.owner[0], tree.owner[6]]).toEqual([-1, -1]);
  });

  it('[D4] figure 4, second column: the mere edge comes first', () => {
    expect(treeOf(THREE_BRANCHES)).toMatchObject({
      kind: 'branch',
      cost: 9,
      children: [
        { kind: 'leaf', edge: 5, cost: 0 },
        { kind: 'linear', cost: 5 },
        { kind: 'linear', cost: 4 },
      ],
    });
  });

  it('[D5] [D6] figure 4, third column', () => {
    expect(treeOf(COMPLICATE)).toMatchObject({
      kind: 'complicate',
      cost: 14,
      children: [
        { kind: 'leaf', source: 0, target: 1 },
        { kind: 'leaf', source: 0, target: 4 },
        { kind: 'branch', source: 1, target: 4, cost: 7 },
        { kind: 'leaf', source: 1, target: 5 },
        { kind: 'leaf', source: 4, target: 5 },
      ],
    });
  });

  it('[D3] a path is one linear IS, a single edge a leaf, parallel edges a branch IS', () => {
    expect(treeOf(chain([1, 2, 3]))).toMatchObject({ kind: 'linear', cost: 2, children: [{}, {}] });
    expect(treeOf(chain([1, 2]))).toEqual({ kind: 'leaf', source: 0, target: 1, cost: 0, edge: 0 });
    expect(
      treeOf(
        createTensorGraph(
          [1, 2],
          [
            [0, 1],
            [0, 1],
          ],
        ),
      ),
    ).toMatchObject({ kind: 'branch', children: [{}, {}] });
  });

  it('[T1] [A2] [A3] [A4] equals the tree by definition on random graphs', () => {
    check(arbitraryGraph(24), 3000, ({ graph }) => {
      expect(text(treeOf(graph))).toBe(text(divisionTreeByDefinition(graph)));
    });
  });

  it('[T1] equals the tree by definition on larger graphs', () => {
    check(arbitraryGraph(70), 60, ({ graph }) => {
      expect(text(treeOf(graph))).toBe(text(divisionTreeByDefinition(graph)));
    });
  });

  it('[T1] equals the tree by definition on every simple graph of up to 6 vertices', () => {
    const counts = [2, 3, 4, 5, 6].map((n) => {
      let count = 0;
      for (const edges of everyStGraph(n)) {
        const graph = createTensorGraph(new Array<number>(n).fill(1), edges);
        const fast = text(treeOf(graph));
        if (fast !== text(divisionTreeByDefinition(graph)))
          throw new Error(`${JSON.stringify(edges)}: ${fast}`);
        count++;
      }
      return count;
    });
    expect(counts).toEqual([1, 2, 10, 122, 3346]);
  });

  it('[T1] unique: other vertex numbers and another order of edges give the same tree', () => {
    check(arbitraryGraph(40), 500, ({ list, graph }) => {
      const rng = createRng(list.n * 31 + list.edges.length);
      const { cost, edges, originalEdge } = renamed(rng, list.cost, list.edges);
      const other = treeOf(createTensorGraph(cost, edges));
      expect(signature(other, (e) => originalEdge[e]!)).toEqual(signature(treeOf(graph), (e) => e));
    });
  });

  it('[T1] complete: the IS are the nodes, runs of members of Linear IS and unions of branches', () => {
    check(arbitraryGraph(10), 600, ({ list, graph }) => {
      const expected = bruteForceClosedSets(list).map((s) => `${s.source} ${s.target} ${s.inside}`);
      expect(segmentsOfTree(treeOf(graph))).toEqual(new Set(expected));
    });
  });

  it('keeps the promises of the flat form', () => {
    check(arbitraryGraph(60), 300, ({ graph }) => {
      const tree = buildDivisionTree(graph);
      const seen = new Set([0]);
      for (let node = 0; node < tree.nodeCount; node++) {
        for (let c = 0; c < tree.childCount[node]!; c++) {
          const child = tree.firstChild[node]! + c;
          expect(tree.parent[child]).toBe(node);
          expect(child).toBeGreaterThan(node);
          seen.add(child);
        }
        expect(tree.childCount[node] === 0).toBe(tree.kind[node] === LEAF);
        if (kindOf(tree, node) === 'linear') expectPath(tree, node);
      }
      expect(seen.size).toBe(tree.nodeCount);
      expect([...tree.edge].filter((e) => e >= 0).sort((a, b) => a - b)).toEqual([...graph.edgeFrom.keys()]);
      expect([...tree.owner].filter((node) => node < 0)).toHaveLength(2);
    });
  });

  it('needs no stack for a graph nested 20,000 deep', () => {
    const size = 40_000;
    const edges: [number, number][] = [];
    for (let i = 0; i + 1 < size; i++) edges.push([i, i + 1]);
    for (let i = 0; i < size / 2 - 1; i++) edges.push([i, size - 1 - i]);
    const tree = buildDivisionTree(createTensorGraph(new Array<number>(size).fill(1), edges));
    expect(tree.cost[0]).toBe(size - 2);
    expect([...tree.kind].filter((kind) => kind !== LEAF)).toHaveLength(size - 2);
    expect(divisionTreeToJson(tree).kind).toBe('branch');
  });
});

function expectPath(tree: ReturnType<typeof buildDivisionTree>, node: number): void {
  let at = tree.source[node];
  for (let c = 0; c < tree.childCount[node]!; c++) {
    const member = tree.firstChild[node]! + c;
    expect(tree.source[member]).toBe(at);
    expect(kindOf(tree, member)).not.toBe('linear');
    at = tree.target[member];
  }
  expect(at).toBe(tree.target[node]);
}

/** Every set of edges a < b that makes all n vertices lie between 0 and n - 1. */
function* everyStGraph(n: number): Generator<[number, number][]> {
  const pairs: [number, number][] = [];
  for (let a = 0; a < n; a++) for (let b = a + 1; b < n; b++) pairs.push([a, b]);
  for (let set = 0; set < 2 ** pairs.length; set++) {
    const edges = pairs.filter((_, i) => (set >> i) & 1);
    const tails = new Set(edges.map(([from]) => from));
    const heads = new Set(edges.map(([, to]) => to));
    if (tails.size === n - 1 && heads.size === n - 1) yield edges;
  }
}

/** The same graph under another topological order, its edges shuffled. */
function renamed(
  rng: Rng,
  cost: readonly number[],
  edges: readonly [number, number][],
): { cost: number[]; edges: [number, number][]; originalEdge: number[] } {
  const name = new Map<number, number>();
  while (name.size < cost.length) {
    const ready = [...cost.keys()].filter(
      (v) => !name.has(v) && edges.every(([from, to]) => to !== v || name.has(from)),
    );
    name.set(pick(rng, ready), name.size);
  }
  const originalEdge = shuffled(rng, [...edges.keys()]);
  return {
    cost: cost.map((_, v) => cost[[...name].find(([, as]) => as === v)![0]]!),
    edges: originalEdge.map((e) => [name.get(edges[e]![0])!, name.get(edges[e]![1])!]),
    originalEdge,
  };
}

/** Shape of a tree without the names of vertices: kind, cost and edges of each node, sorted. */
function signature(root: DivisionNode, edgeName: (edge: number) => number): string[] {
  return nodesOf(root)
    .map((node) => {
      const edges = edgesOf(node).map(edgeName);
      return `${node.kind} ${node.cost} ${edges.sort((a, b) => a - b)}`;
    })
    .sort();
}

/** `source target mask` of every IS with a vertex inside that the tree stands for. */
function segmentsOfTree(root: DivisionNode): Set<string> {
  const found = new Set<string>();
  const insideOf = (node: DivisionNode): number =>
    (node.children ?? []).reduce((mask, member) => mask | insideOf(member) | inner(node, member), 0);
  for (const node of nodesOf(root)) {
    const members = node.children ?? [];
    if (insideOf(node) !== 0) found.add(`${node.source} ${node.target} ${insideOf(node)}`);
    if (node.kind === 'linear') {
      members.forEach((from, i) => {
        let mask = insideOf(from);
        for (const to of members.slice(i + 1)) {
          mask |= (1 << to.source) | insideOf(to);
          found.add(`${from.source} ${to.target} ${mask}`);
        }
      });
    }
    if (node.kind === 'branch') {
      for (let set = 1; set < 2 ** members.length; set++) {
        const mask = members.reduce((m, branch, i) => ((set >> i) & 1 ? m | insideOf(branch) : m), 0);
        if (mask !== 0) found.add(`${node.source} ${node.target} ${mask}`);
      }
    }
  }
  return found;
}

/** The ends of a member that lie inside its parent. */
function inner(parent: DivisionNode, member: DivisionNode): number {
  let mask = 0;
  for (const v of [member.source, member.target])
    if (v !== parent.source && v !== parent.target) mask |= 1 << v;
  return mask;
}

it('random graphs are of the kind that was asked for', () => {
  for (const kind of ['linear', 'branch', 'complicate'] as const) {
    const list = randomStGraph(createRng(3), { vertices: 30, kind, doubleEdges: 0 });
    expect(treeOf(createTensorGraph(list.cost, list.edges)).kind).toBe(kind);
  }
});
