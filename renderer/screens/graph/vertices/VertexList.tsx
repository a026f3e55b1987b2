import { memo, useDeferredValue, useMemo } from 'react';
import { HiddenTable } from '../../../shared/charts/HiddenTable.tsx';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { idOfVertex } from '../state/paper-graph.ts';
import { operationsOf } from '../state/search.ts';
import { type GraphModel, type Picture, useBatch } from '../use-graph.ts';

/** A longer table would be slow to build; the search finds every tensor. */
const MAX_ROWS = 200;

/** The drawing as a table for screen readers, made when nothing more urgent waits. */
export function VertexList({ picture, model }: { readonly picture: Picture; readonly model: GraphModel }) {
  return <Table picture={useDeferredValue(picture)} strategies={useDeferredValue(model.strategies)} />;
}

interface TableProps {
  readonly picture: Picture;
  readonly strategies: GraphModel['strategies'];
}

const Table = memo(function Table({ picture, strategies }: TableProps) {
  const batch = useBatch();
  const table = useMemo(() => {
    const { paper, blocks } = picture.network;
    const { view, tensors } = paper;
    const inputs: string[][] = view.vertices.map(() => []);
    for (let e = 0; e < tensors.edgeCount; e++) {
      inputs[tensors.edgeTo[e]!]?.push(idOfVertex(paper, tensors.edgeFrom[e]!));
    }
    const keepers: string[][] = view.vertices.map(() => []);
    for (const { row, vertices } of strategies)
      for (const v of vertices) keepers[v]?.push(row.identity.title);
    const items = picture.drawing.items.filter(({ kind }) => kind !== 'frame');
    const rest = items.length - MAX_ROWS;
    return {
      caption: `Computation graph of ${view.model}${rest > 0 ? `, without the last ${formatCount(rest)}` : ''}`,
      columns: ['Tensor or block', 'Operations', 'Bytes', 'Inputs', 'Kept by'],
      rows: items.slice(0, MAX_ROWS).map((item) => {
        const own = item.kind === 'vertex' ? [item.vertex] : (blocks.byPath.get(item.path)?.vertices ?? []);
        const bytes = own.reduce((sum, v) => sum + (view.vertices[v]?.bytesPerSample ?? 0), 0) * batch;
        const names = [...new Set(own.flatMap((v) => keepers[v] ?? []))].join(', ') || null;
        if (item.kind !== 'vertex') {
          return [
            `block ${item.path}`,
            `${formatCount(own.length)} tensors`,
            formatBytes(bytes),
            null,
            names,
          ];
        }
        const vertex = view.vertices[item.vertex]!;
        const sources = inputs[item.vertex]!.join(', ') || null;
        return [vertex.id, operationsOf(vertex), formatBytes(bytes), sources, names];
      }),
    };
  }, [picture, strategies, batch]);
  return <HiddenTable table={table} />;
});
