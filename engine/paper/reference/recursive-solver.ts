import { InternalError } from '../../errors.ts';
import type { DivisionNode } from '../division-tree.ts';
import { paperCost } from '../paper-cost.ts';
import type { TensorGraph } from '../tensor-graph.ts';
import { divisionTreeByDefinition } from './division-tree-by-definition.ts';
import { type LinearGraph, leapCost, solveLinearUnder } from './linear-solver.ts';

/**
 * Algorithm 5 (000): adds to `chosen` the checkpoints inside an IS that keep every segment within C.
 * The ends of `s` are checkpoints when its cost exceeds C.
 *
 * Departures, where the printed lines contradict the text: line 15 recurs into the member s_kt (printed
 * s_ij would not end); after an expanded member p moves to its target, and the run behind the last one
 * is solved too; the ends of an expanded member of a Linear IS are added ("it splits the whole graph
 * into two linear graphs").
 */
export function recur(graph: TensorGraph, s: DivisionNode, chosen: Set<number>, maxTerm: number): void {
  if (s.cost <= maxTerm) return;
  const members = s.children ?? [];
  if (s.kind === 'linear') {
    let p = 0;
    members.forEach((member, m) => {
      if (member.cost <= maxTerm) return;
      solveRun(graph, members.slice(p, m), chosen, maxTerm);
      chosen.add(member.source).add(member.target);
      recur(graph, member, chosen, maxTerm);
      p = m + 1;
    });
    solveRun(graph, members.slice(p), chosen, maxTerm);
    return;
  }
  for (const member of members) {
    chosen.add(member.source).add(member.target);
    recur(graph, member, chosen, maxTerm);
  }
}

/** Lines 8-9: a run of members as a linear graph G' whose ends are checkpoints already. */
function solveRun(
  graph: TensorGraph,
  members: readonly DivisionNode[],
  chosen: Set<number>,
  maxTerm: number,
): void {
  if (members.length < 2) return;
  const run = foldMembers(graph, members);
  // Every member of a run fits into C, so there is a path.
  for (const k of solveLinearUnder(run, maxTerm)!) chosen.add(members[k]!.source);
}

function foldMembers(graph: TensorGraph, members: readonly DivisionNode[]): LinearGraph {
  const vertices = [members[0]!.source, ...members.map((member) => member.target)];
  return {
    vertexCost: vertices.map((v) => graph.cost[v]!),
    edgeCost: members.map((member) => member.cost),
  };
}

/** Algorithm 6, line 1: the costs of all IS, which are the nodes and the runs of members of Linear IS. */
export function maxTerms(graph: TensorGraph, root: DivisionNode): readonly number[] {
  const costs = new Set<number>();
  const collect = (s: DivisionNode): void => {
    costs.add(s.cost);
    const members = s.children ?? [];
    if (s.kind === 'linear') {
      const line = foldMembers(graph, members);
      for (let j = 0; j < members.length; j++) {
        for (let k = j + 1; k <= members.length; k++) costs.add(leapCost(line, j, k));
      }
    }
    members.forEach(collect);
  };
  collect(root);
  return [...costs].sort((a, b) => a - b);
}

/**
 * Algorithm 6 (000), the ACG solver as printed: every max term in turn, on the tree by definition.
 * The least Eq. 2 and, of equals, the smallest max term. The oracle of `solveOptimal`.
 */
export function solveByMaxTermList(
  graph: TensorGraph,
  root: DivisionNode = divisionTreeByDefinition(graph),
): { checkpoints: readonly number[]; cost: number } {
  let best: { checkpoints: readonly number[]; cost: number } | undefined;
  for (const maxTerm of maxTerms(graph, root)) {
    const chosen = new Set<number>();
    recur(graph, root, chosen, maxTerm);
    chosen.delete(0);
    chosen.delete(graph.size - 1);
    const total = paperCost(graph, chosen);
    if (!total.ok) throw new InternalError(`max term ${maxTerm} cuts segments that are not independent`);
    if (best === undefined || total.cost < best.cost) {
      best = { checkpoints: [...chosen].sort((a, b) => a - b), cost: total.cost };
    }
  }
  return best!;
}
