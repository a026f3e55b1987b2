import type {
  DivisionTreeArrays,
  GraphEdge,
  GraphRequest,
  GraphView,
} from '../../app/contract/graph-view.ts';
import { decompositionOf } from '../../engine/exchange/decomposition-file.ts';
import { idOf, predecessorsOf } from '../../engine/graph/graph.ts';
import { operationTitle } from '../../engine/ops/operation.ts';
import { buildDivisionTree } from '../../engine/paper/build-division-tree.ts';
import type { DivisionTree } from '../../engine/paper/division-tree.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import type { Solving } from './context.ts';

/**
 * The papers' computation graph of a network with its division tree, as the Graph screen draws it.
 *
 * @throws BadInputError for an unknown network or a size that it does not admit
 */
export function graphViewOf(request: GraphRequest, { memory }: Pick<Solving, 'memory'>): GraphView {
  // One sample; the profile changes what is saved for backward, not the graph.
  const problem = memory.problem({ ...request, profile: 'pytorch', seed: 0 }, 1);
  const { graph, view } = problem;
  const { tensors, representative } = view;
  const members = membersOf(problem);
  const { width, bags, parent } = decompositionOf(tensors);
  return {
    model: request.model,
    vertices: Array.from(representative, (v, tensor) => {
      const id = idOf(graph, v);
      const own = members[tensor] ?? [];
      return {
        id,
        ...splitId(id),
        operations: own.map((u) => operationOf(problem, u)),
        shape: [...(graph.shapes[v] ?? [])].slice(1),
        bytesPerSample: tensors.cost[tensor] ?? 0,
        flopsPerSample: own.reduce((sum, u) => sum + (graph.flops[u] ?? 0), 0),
      };
    }),
    edges: edgesOf(problem, members),
    tree: treeArrays(buildDivisionTree(tensors)),
    decomposition: { width, bags: bags.map((bag) => [...bag]), parent: [...parent] },
  };
}

/** `layer1.0.conv1` is `conv1` of the block `layer1.0`. */
export function splitId(id: string): { label: string; block: string } {
  const dot = id.lastIndexOf('.');
  return dot <= 0 || dot === id.length - 1
    ? { label: id, block: '' }
    : { label: id.slice(dot + 1), block: id.slice(0, dot) };
}

/** The operations of each vertex of the papers' graph, in topological order. */
function membersOf({ graph, view }: Problem): number[][] {
  const members: number[][] = Array.from(view.representative, () => []);
  for (let v = 0; v < graph.size; v++) members[view.tensorOf[v] ?? -1]?.push(v);
  return members;
}

/**
 * The edges with the operations on them: an edge is a path of such operations from one vertex's operation to another's.
 * Each has one consumer, so there is one path per edge.
 */
function edgesOf(problem: Problem, members: readonly (readonly number[])[]): GraphEdge[] {
  const { graph, view } = problem;
  const paths = new Map<string, number[][]>();
  members.forEach((own, to) => {
    const open = own.flatMap((v) => [...predecessorsOf(graph, v)].map((u) => ({ u, path: [] as number[] })));
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const { u, path } = at;
      const from = view.tensorOf[u] ?? -1;
      if (from === to) continue;
      if (from < 0) {
        for (const before of predecessorsOf(graph, u)) open.push({ u: before, path: [u, ...path] });
        continue;
      }
      const key = `${from} ${to}`;
      const known = paths.get(key);
      if (known === undefined) paths.set(key, [path]);
      else known.push(path);
    }
  });
  const { tensors } = view;
  return Array.from({ length: tensors.edgeCount }, (_, e) => {
    const from = tensors.edgeFrom[e] ?? 0;
    const to = tensors.edgeTo[e] ?? 0;
    const path = paths.get(`${from} ${to}`)?.pop() ?? [];
    return { from, to, operations: path.map((v) => operationOf(problem, v)) };
  });
}

function operationOf({ graph }: Problem, v: number): { id: string; kind: string } {
  return { id: idOf(graph, v), kind: operationTitle(graph.operations[v]) };
}

function treeArrays(tree: DivisionTree): DivisionTreeArrays {
  return {
    kind: Array.from(tree.kind),
    source: Array.from(tree.source),
    target: Array.from(tree.target),
    cost: Array.from(tree.cost),
    largestSegment: Array.from(tree.largestSegment),
    firstChild: Array.from(tree.firstChild),
    childCount: Array.from(tree.childCount),
    parent: Array.from(tree.parent),
    edge: Array.from(tree.edge),
    owner: Array.from(tree.owner),
  };
}
