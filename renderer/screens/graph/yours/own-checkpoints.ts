import { type PaperCost, paperCost } from '../../../../engine/paper/paper-cost.ts';
import type { NotIndependent } from '../../../../engine/paper/segments.ts';
import { idOfVertex, type PaperGraph, verticesOf } from '../state/paper-graph.ts';

export type Verdict =
  | { readonly state: 'none' }
  /** They cut no independent segments: Eq. 2 does not price them, the simulator does. */
  | { readonly state: 'unpriced'; readonly fault: NotIndependent; readonly message: string }
  | { readonly state: 'valid'; readonly cost: PaperCost };

/** The verdict on a set of vertices, by Definition 1 and Eq. 2. Time O(V + E). */
export function verdictOn(paper: PaperGraph, chosen: readonly number[]): Verdict {
  if (chosen.length === 0) return { state: 'none' };
  const cost = paperCost(paper.tensors, chosen);
  if (cost.ok) return { state: 'valid', cost };
  return { state: 'unpriced', fault: cost, message: faultMessage(paper, cost) };
}

function faultMessage(paper: PaperGraph, fault: NotIndependent): string {
  const id = (vertex: number): string => idOfVertex(paper, vertex);
  const range = `${id(fault.sources[0] ?? 0)} to ${id(fault.targets.at(-1) ?? 0)}`;
  const list = fault.reason === 'several-sources' ? fault.sources : fault.targets;
  const word = fault.reason === 'several-sources' ? 'reads' : 'feeds';
  return (
    `${range} is not an independent segment because ${id(fault.from)} needs ${id(fault.needs)}: ` +
    `the part between them ${word} ${listed(list.map(id))}.`
  );
}

const MAX_LISTED = 3;

function listed(ids: readonly string[]): string {
  if (ids.length > MAX_LISTED) {
    return `${ids.slice(0, MAX_LISTED).join(', ')} and ${ids.length - MAX_LISTED} more checkpoints`;
  }
  return new Intl.ListFormat('en-GB').format(ids);
}

/** The user's checkpoints as vertices; ids that the network lacks, its source and target are left out. */
export function ownVertices(paper: PaperGraph, ids: readonly string[] | undefined): number[] {
  const last = paper.tensors.size - 1;
  return verticesOf(paper, ids ?? []).filter((v) => v > 0 && v < last);
}

/** The ids after a vertex was placed or taken away; source and target are kept anyway and cannot be placed. */
export function withToggled(paper: PaperGraph, ids: readonly string[] | undefined, vertex: number): string[] {
  const chosen = new Set(ownVertices(paper, ids));
  if (vertex > 0 && vertex < paper.tensors.size - 1 && !chosen.delete(vertex)) chosen.add(vertex);
  return [...chosen].sort((a, b) => a - b).map((v) => idOfVertex(paper, v));
}
