import type { GraphView } from '../../../../app/contract/graph-view.ts';
import type { StrategyRow } from '../../../state/comparison/rows.ts';
import type { Blocks } from '../state/blocks.ts';
import { boxOf, type Drawing } from '../state/drawing.ts';
import type { HiddenKept, HiddenKeptMark } from '../state/hidden-kept.ts';

export interface EdgeMark {
  readonly edge: number;
  readonly own: readonly HiddenKeptMark[];
}

/** Operations that are kept on edges; edges within a closed block are counted on the block. */
export function edgeMarks(
  { edges: drawn, items, indexOf }: Drawing,
  edges: GraphView['edges'],
  blocks: Blocks,
  seen: readonly { readonly row: Pick<StrategyRow, 'identity'>; readonly hidden: HiddenKept }[],
): EdgeMark[] {
  const open = new Set(items.flatMap((item) => (item.kind === 'frame' ? [item.path] : [])));
  const placeOf = new Map(drawn.map(({ from, to }, i) => [`${from} ${to}`, i]));
  const marks = new Map<number, HiddenKeptMark[]>();
  for (const { row, hidden } of seen) {
    const own = new Map<number, string[]>();
    for (const [e, ids] of hidden.ofEdge) {
      const { from, to } = edges[e]!;
      const ends = [from, to].map((v) => indexOf.get(boxOf(blocks, open, v)));
      const at = placeOf.get(ends.join(' '));
      if (at !== undefined) own.set(at, [...(own.get(at) ?? []), ...ids]);
    }
    for (const [at, ids] of own) marks.set(at, [...(marks.get(at) ?? []), { identity: row.identity, ids }]);
  }
  return [...marks].map(([edge, own]) => ({ edge, own }));
}
