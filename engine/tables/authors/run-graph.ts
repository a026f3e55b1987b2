import { type DivisionNode, divisionTreeToJson } from '../../paper/division-tree.ts';
import type { TensorGraph } from '../../paper/tensor-graph.ts';
import { buildDivisionTree } from '../../paper/build-division-tree.ts';
import { type LinearGraph, solveLinearUnder } from '../../paper/reference/linear-solver.ts';
import { leastCostChoices } from '../../paper/solve-optimal.ts';

/** An edge of the division: a part between two checkpoints that runs through `checkpoint` as one. */
export interface RunEdge {
  readonly source: number;
  readonly target: number;
  /** Edges of the papers' graph in it, ascending. */
  readonly edges: readonly number[];
}

/** Sets of equal Eq. 2 that are looked at: networks of the table have at most a few. */
const MAX_TIES = 64;

/**
 * The division of a graph at its optimum as the authors' program makes it (000, Algorithms 5 and 6): a part that fits
 * into the max term stays whole, branches and all; any other is divided, and each edge of the result is one segment.
 * Among sets of equal Eq. 2 their search, which tries max terms from the largest down, takes the largest max term.
 * Time as `leastCostChoices` and O(n^2) for the longest run of a Linear IS; space O(V + E).
 */
export function authorsDivision(graph: TensorGraph): RunEdge[] {
  const tree = buildDivisionTree(graph);
  const maxTerm = Math.max(...leastCostChoices(tree, MAX_TIES).map((choice) => choice.maxTerm));
  const found: RunEdge[] = [];
  divide(graph, divisionTreeToJson(tree), maxTerm, found);
  return found;
}

function divide(
  graph: TensorGraph,
  { kind, children = [] }: DivisionNode,
  maxTerm: number,
  found: RunEdge[],
): void {
  if (kind !== 'linear') {
    for (const child of children) {
      if (child.cost > maxTerm) divide(graph, child, maxTerm, found);
      else found.push(wholeOf([child]));
    }
    return;
  }
  let run: DivisionNode[] = [];
  const endRun = (): void => {
    if (run.length > 0) {
      const line: LinearGraph = {
        vertexCost: [run[0]!.source, ...run.map(({ target }) => target)].map((v) => graph.cost[v]!),
        edgeCost: run.map(({ cost }) => cost),
      };
      const cuts = [0, ...(solveLinearUnder(line, maxTerm) ?? []), run.length];
      for (let i = 1; i < cuts.length; i++) found.push(wholeOf(run.slice(cuts[i - 1], cuts[i])));
    }
    run = [];
  };
  for (const member of children) {
    if (member.cost > maxTerm) {
      endRun();
      divide(graph, member, maxTerm, found);
    } else run.push(member);
  }
  endRun();
}

function wholeOf(members: readonly DivisionNode[]): RunEdge {
  const edges: number[] = [];
  const collect = ({ edge, children = [] }: DivisionNode): void => {
    if (edge !== undefined) edges.push(edge);
    children.forEach(collect);
  };
  members.forEach(collect);
  return { source: members[0]!.source, target: members.at(-1)!.target, edges: edges.sort((a, b) => a - b) };
}
