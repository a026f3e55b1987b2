import type { StrategyIdentity } from '../../../state/strategies/identity.ts';
import type { PaperGraph } from './paper-graph.ts';

/**
 * Operations that a strategy keeps and that no ring of their own shows: further ones of a vertex that several
 * operations share, and ones that lie on an edge.
 */
export interface HiddenKept {
  /** By vertex: all but the one that the ring stands for. */
  readonly ofVertex: ReadonlyMap<number, readonly string[]>;
  /** By edge of the computation graph. */
  readonly ofEdge: ReadonlyMap<number, readonly string[]>;
}

export interface HiddenKeptMark {
  readonly identity: StrategyIdentity;
  readonly ids: readonly string[];
}

/** Time O(operations + E). */
export function hiddenKept({ view, vertexOf }: PaperGraph, operations: readonly string[]): HiddenKept {
  const kept = new Set(operations);
  const ofVertex = new Map<number, string[]>();
  view.vertices.forEach((vertex, v) => {
    const own = vertex.operations.flatMap(({ id }) => (kept.has(id) ? [id] : []));
    // The ring stands for the stored output, or for whatever else is kept there.
    const ringed = own.includes(vertex.id) ? vertex.id : own[0];
    if (own.length > 1)
      ofVertex.set(
        v,
        own.filter((id) => id !== ringed),
      );
  });
  const ofEdge = new Map<number, string[]>();
  view.edges.forEach((edge, e) => {
    const own = edge.operations.flatMap(({ id }) => (kept.has(id) && !vertexOf.has(id) ? [id] : []));
    if (own.length > 0) ofEdge.set(e, own);
  });
  return { ofVertex, ofEdge };
}

/** `Live also keeps bn1 and relu here.` */
export function sayHiddenKept(marks: readonly HiddenKeptMark[]): string {
  return marks.map(({ identity, ids }) => `${identity.title} also keeps ${ids.join(', ')} here.`).join(' ');
}
