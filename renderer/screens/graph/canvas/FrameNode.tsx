import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import type { BlockItem } from '../state/drawing.ts';
import classes from '../graph.module.css';
import type { Network } from '../state/graph-store.ts';
import { useCloseBlock } from './use-blocks.ts';

type FrameNodeData = Node<{ readonly network: Network; readonly item: BlockItem }>;

export const FrameNode = memo(function FrameNode({ data }: NodeProps<FrameNodeData>) {
  const close = useCloseBlock();
  const block = data.network.blocks.byPath.get(data.item.path);
  if (block === undefined) return null;
  return (
    <div className={classes['frame']} data-frame={block.path}>
      <button
        type="button"
        tabIndex={-1}
        className={classes['frameHead']}
        aria-label={`Close the block ${block.path}`}
        onClick={() => close(block.path)}
      >
        <svg width={10} height={10} viewBox="0 0 10 10" aria-hidden="true">
          <path d="M1.5 3 5 7 8.5 3" fill="none" stroke="currentColor" strokeWidth={1.5} />
        </svg>
        {block.title}
      </button>
    </div>
  );
});
