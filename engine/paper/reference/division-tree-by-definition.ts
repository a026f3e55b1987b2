import type { DivisionKind, DivisionNode } from '../division-tree.ts';
import type { TensorGraph } from '../tensor-graph.ts';
import { divideBranch } from './division-branch.ts';
import { divideComplicate } from './division-complicate.ts';
import { divideLinear } from './division-linear.ts';
import { type IndependentSegment, segmentCost, wholeGraph } from './independent-segment.ts';

/**
 * The division tree straight from Definitions 2-6 and Algorithms 2-4 (000): the text to read and the
 * oracle of the fast `buildDivisionTree`, whose JSON it equals node by node. O(V^4 E) at worst and
 * recursive: for graphs of some hundred vertices.
 */
export function divisionTreeByDefinition(graph: TensorGraph): DivisionNode {
  return divide(graph, wholeGraph(graph));
}

function divide(graph: TensorGraph, s: IndependentSegment): DivisionNode {
  const { source, target } = s;
  const cost = segmentCost(graph, s);
  if (s.edges.length === 1) return { kind: 'leaf', source, target, cost, edge: s.edges[0]! };
  const [kind, members] = division(graph, s);
  return { kind, source, target, cost, children: members.map((member) => divide(graph, member)) };
}

/** The type of an IS of several edges and the members of its division, in the order of `DivisionTree`. */
export function division(
  graph: TensorGraph,
  s: IndependentSegment,
): [kind: DivisionKind, members: readonly IndependentSegment[]] {
  const linear = divideLinear(graph, s);
  if (linear.length > 1) return ['linear', linear];
  const branches = divideBranch(graph, s);
  if (branches.length > 1) return ['branch', inTreeOrder(branches)];
  return ['complicate', inTreeOrder(divideComplicate(graph, s))];
}

function inTreeOrder(members: readonly IndependentSegment[]): IndependentSegment[] {
  return [...members].sort(
    (a, b) =>
      a.source - b.source ||
      a.target - b.target ||
      (a.inside[0] ?? -1) - (b.inside[0] ?? -1) ||
      a.edges[0]! - b.edges[0]!,
  );
}
