import { useMemo } from 'react';
import { HiddenTable } from '../shared/charts/HiddenTable.tsx';
import { formatBytes } from '../shared/format/bytes.ts';
import { useLabView } from '../use-workspace.ts';
import { idOfVertex } from './paper-graph.ts';
import { operationsOf } from './search.ts';
import type { GraphModel } from './use-graph.ts';

/** The drawing as a table, for people who do not see it. */
export function VertexList({ model }: { readonly model: GraphModel }) {
  const { batch } = useLabView().experiment;
  const { network, strategies } = model;
  const table = useMemo(() => {
    const { view, tensors } = network.paper;
    const inputs: string[][] = view.vertices.map(() => []);
    for (let e = 0; e < tensors.edgeCount; e++) {
      inputs[tensors.edgeTo[e]!]?.push(idOfVertex(network.paper, tensors.edgeFrom[e]!));
    }
    const keepers: string[][] = view.vertices.map(() => []);
    for (const { row, vertices } of strategies)
      for (const v of vertices) keepers[v]?.push(row.identity.title);
    return {
      caption: `Tensors of ${view.model}`,
      columns: ['Tensor', 'Operations', 'Bytes', 'Inputs', 'Kept by'],
      rows: view.vertices.map((vertex, v) => [
        vertex.id,
        operationsOf(vertex),
        formatBytes(vertex.bytesPerSample * batch),
        inputs[v]!.join(', ') || null,
        keepers[v]!.join(', ') || null,
      ]),
    };
  }, [network, strategies, batch]);
  return <HiddenTable table={table} />;
}
