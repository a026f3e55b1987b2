import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import type { ItemPaint, Ring } from '../state/paint.ts';
import { operationsOf } from '../state/search.ts';
import type { GraphModel } from '../use-graph.ts';
import { pathOfKey, vertexOfKey } from '../state/view-state.ts';

const sayRing = ({ identity, hidden }: Ring): string =>
  hidden.length === 0 ? identity.title : `${identity.title} with ${hidden.join(' and ')} within`;

export function describe({ network }: Pick<GraphModel, 'network'>, key: string, paint?: ItemPaint): string {
  const kept =
    paint === undefined || paint.rings.length === 0 ? '' : `; kept by ${paint.rings.map(sayRing).join(', ')}`;
  const path = pathOfKey(key);
  if (path !== null) {
    const count = network.blocks.byPath.get(path)?.vertices.length ?? 0;
    return `block ${path} of ${formatCount(count)} tensors, closed${kept}`;
  }
  const vertex = network.paper.view.vertices[vertexOfKey(key) ?? -1];
  if (vertex === undefined) return '';
  const size = formatBytes(vertex.bytesPerSample);
  return `${vertex.id}, ${operationsOf(vertex)}, ${size} a sample${kept}`;
}
