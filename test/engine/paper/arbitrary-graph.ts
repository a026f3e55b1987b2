import fc from 'fast-check';
import type { DivisionNode } from '../../../engine/paper/division-tree.ts';
import { type IndependentSegment, wholeGraph } from '../../../engine/paper/reference/independent-segment.ts';
import { createTensorGraph, type TensorGraph } from '../../../engine/paper/tensor-graph.ts';
import { draws } from '../../support/draws.ts';
import {
  GRAPH_KINDS,
  type GraphKind,
  type RandomStGraph,
  randomStGraph,
} from '../../support/random-graphs.ts';
import { createRng } from '../../support/rng.ts';

/** The one seed of all properties here; a failure prints the counterexample's own path as well. */
export const SEED = 20210620;

export interface Sample {
  readonly kind: GraphKind;
  /** Edge list, for brute force. */
  readonly list: RandomStGraph;
  readonly graph: TensorGraph;
}

/** Random graphs of every IS type; shrinks to fewer vertices and smaller seeds. */
export function arbitraryGraph(
  maxVertices: number,
  kinds: readonly GraphKind[] = GRAPH_KINDS,
  maxCost = 9,
): fc.Arbitrary<Sample> {
  return fc
    .record({
      seed: fc.integer({ min: 0, max: 0x7fffffff }),
      vertices: fc.integer({ min: 2, max: maxVertices }),
      kind: fc.constantFrom(...kinds),
      doubleEdges: fc.constantFrom(0, 0.1),
    })
    .map(({ seed, vertices, kind, doubleEdges }) => {
      const list = randomStGraph(createRng(seed), { vertices, kind, maxCost, doubleEdges });
      return { kind, list, graph: createTensorGraph(list.cost, list.edges) };
    });
}

/** Runs a property on fixed graphs: the same on every machine. */
export function check<T>(arbitrary: fc.Arbitrary<T>, numRuns: number, property: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, property), { seed: SEED, numRuns: draws(numRuns) });
}

/** An IS from its edges, or undefined when they have no single source and target. */
export function segmentOfEdges(graph: TensorGraph, edges: Iterable<number>): IndependentSegment | undefined {
  const chosen = new Set(edges);
  const tails = new Set<number>();
  const heads = new Set<number>();
  for (const e of chosen) {
    tails.add(graph.edgeFrom[e]!);
    heads.add(graph.edgeTo[e]!);
  }
  const [source, ...sources] = [...tails].filter((v) => !heads.has(v));
  const [target, ...targets] = [...heads].filter((v) => !tails.has(v));
  if (source === undefined || target === undefined || sources.length > 0 || targets.length > 0)
    return undefined;
  return {
    source,
    target,
    inside: [...tails].filter((v) => heads.has(v)).sort((a, b) => a - b),
    edges: wholeGraph(graph).edges.filter((e) => chosen.has(e)),
  };
}

/** All nodes of a tree, parents first. */
export function nodesOf(root: DivisionNode): DivisionNode[] {
  const nodes = [root];
  for (const node of nodes) nodes.push(...(node.children ?? []));
  return nodes;
}

/** The edges below a node. */
export function edgesOf(node: DivisionNode): number[] {
  return nodesOf(node).flatMap((n) => (n.edge === undefined ? [] : [n.edge]));
}
