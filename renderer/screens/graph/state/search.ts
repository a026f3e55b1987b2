import type { GraphView } from '../../../../app/contract/graph-view.ts';

export interface Match {
  readonly vertex: number;
  readonly id: string;
  readonly operations: string;
}

export const MAX_MATCHES = 40;

export function operationsOf(vertex: GraphView['vertices'][number]): string {
  return [...new Set(vertex.operations.map(({ kind }) => kind))].join(' + ');
}

/** Vertices with all words of the query in the ids or kinds of their operations; whole ids first. */
export function search(view: GraphView, query: string): Match[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const ranked: { readonly match: Match; readonly rank: number }[] = [];
  view.vertices.forEach((vertex, v) => {
    const text = vertex.operations
      .map(({ id, kind }) => `${id} ${kind}`)
      .join(' ')
      .toLowerCase();
    if (!words.every((word) => text.includes(word))) return;
    const id = vertex.id.toLowerCase();
    const word = words[0] ?? '';
    const rank =
      id === word ? 0 : id.endsWith(`.${word}`) || id.startsWith(word) ? 1 : id.includes(word) ? 2 : 3;
    ranked.push({ match: { vertex: v, id: vertex.id, operations: operationsOf(vertex) }, rank });
  });
  return ranked
    .sort((a, b) => a.rank - b.rank || a.match.vertex - b.match.vertex)
    .slice(0, MAX_MATCHES)
    .map(({ match }) => match);
}
