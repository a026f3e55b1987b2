import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { useStore } from '../../../shared/store.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import { shortName } from '../state/blocks.ts';
import { VERTEX_SIZE, type VertexItem } from '../state/drawing.ts';
import { figureText } from '../state/figure-text.ts';
import classes from '../graph.module.css';
import type { Network } from '../state/graph-store.ts';
import { sayHiddenKept } from '../state/hidden-kept.ts';
import { operationsOf } from '../state/search.ts';
import { useBatch, useSession } from '../use-graph.ts';
import { coloringOf } from '../state/view-state.ts';
import type { Ring } from '../state/paint.ts';

function Rings({ rings, width, height }: { rings: readonly Ring[]; width: number; height: number }) {
  return (
    <svg
      className={classes['rings']}
      width={width}
      height={height}
      aria-hidden="true"
      data-rings={rings.length}
    >
      {rings.map(({ identity }, i) => {
        const out = 3 + i * 4.5;
        return (
          <rect
            key={identity.name}
            data-ring={identity.name}
            x={-out}
            y={-out}
            width={width + 2 * out}
            height={height + 2 * out}
            rx={6 + out}
            fill="none"
            stroke={colorOf(identity)}
            strokeDasharray={identity.dash}
          />
        );
      })}
    </svg>
  );
}

export type VertexNodeData = Node<{ readonly network: Network; readonly item: VertexItem }>;

export const VertexNode = memo(function VertexNode({ data }: NodeProps<VertexNodeData>) {
  const { network, item } = data;
  const session = useSession();
  const batch = useBatch();
  const paint = useStore(session.paint, (all) => all.get(item.key));
  const isCurrent = useStore(session.view, ({ current }) => current === item.key);
  const coloring = useStore(session.view, coloringOf);
  const vertex = network.paper.view.vertices[item.vertex];
  if (vertex === undefined) return null;
  const hidden = (paint?.rings ?? []).flatMap(({ identity, hidden: ids }) =>
    ids.length === 0 ? [] : [{ identity, ids }],
  );
  return (
    <div
      className={classes['vertex']}
      title={vertex.id}
      data-vertex={vertex.id}
      data-heat={paint?.heat ?? 0}
      data-tone={paint?.tone ?? 'plain'}
      data-current={isCurrent || undefined}
      data-dim={paint?.isDim || undefined}
    >
      {paint !== undefined && paint.rings.length > 0 && <Rings rings={paint.rings} {...VERTEX_SIZE} />}
      <span className={classes['name']}>
        {shortName(vertex.id, network.blocks.blockOf[item.vertex] ?? null)}
      </span>
      <span className={classes['figure']}>{figureText(paint?.figure ?? 0, coloring, batch)}</span>
      <span className={classes['operations']}>{operationsOf(vertex)}</span>
      {hidden.length > 0 && (
        <span className={classes['hidden']} data-testid="hidden-kept" title={sayHiddenKept(hidden)}>
          {hidden.map(({ identity, ids }) => (
            <span key={identity.name} className={classes['count']}>
              <i data-hidden={identity.name} style={{ background: colorOf(identity) }} />+{ids.length}
            </span>
          ))}
        </span>
      )}
    </div>
  );
});
