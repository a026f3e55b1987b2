import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { formatCount } from '../../../shared/format/numbers.ts';
import { useStore } from '../../../shared/store.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import type { BlockItem } from '../state/drawing.ts';
import { figureText } from '../state/figure-text.ts';
import classes from '../graph.module.css';
import type { Network } from '../state/graph-store.ts';
import { useBatch, useSession } from '../use-graph.ts';
import { coloringOf } from '../state/view-state.ts';

type BlockNodeData = Node<{ readonly network: Network; readonly item: BlockItem }>;

export const BlockNode = memo(function BlockNode({ data }: NodeProps<BlockNodeData>) {
  const { network, item } = data;
  const session = useSession();
  const batch = useBatch();
  const paint = useStore(session.paint, (all) => all.get(item.key));
  const isCurrent = useStore(session.view, ({ current }) => current === item.key);
  const coloring = useStore(session.view, coloringOf);
  const block = network.blocks.byPath.get(item.path);
  if (block === undefined) return null;
  return (
    <div
      className={classes['block']}
      title={`${block.path}: click to open`}
      data-block={block.path}
      data-heat={paint?.heat ?? 0}
      data-tone={paint?.tone ?? 'plain'}
      data-current={isCurrent || undefined}
      data-dim={paint?.isDim || undefined}
    >
      <span className={classes['name']}>
        <svg width={10} height={10} viewBox="0 0 10 10" aria-hidden="true">
          <path d="M3 1.5 7 5 3 8.5" fill="none" stroke="currentColor" strokeWidth={1.5} />
        </svg>
        {block.title}
      </span>
      <span className={classes['figure']}>{figureText(paint?.figure ?? 0, coloring, batch)}</span>
      <span className={classes['operations']}>{formatCount(block.vertices.length)} tensors</span>
      <span className={classes['counts']}>
        {paint?.rings.map(({ identity, count, hidden }) => (
          <span
            key={identity.name}
            className={classes['count']}
            title={`${identity.title} keeps ${count + hidden.length}${
              hidden.length === 0 ? '' : `, of these within tensors or between them: ${hidden.join(', ')}`
            }`}
          >
            <i
              style={{
                borderColor: colorOf(identity),
                borderStyle: identity.dash === undefined ? 'solid' : 'dashed',
              }}
            />
            {count + hidden.length}
          </span>
        ))}
      </span>
    </div>
  );
});
