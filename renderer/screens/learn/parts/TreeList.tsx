import { Box } from '@mantine/core';
import type { DivisionNode } from '../../../../engine/paper/division-tree.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from './learn.module.css';

export interface TreeListProps {
  readonly root: DivisionNode;
  readonly names: readonly string[];
  readonly onPoint: (node: DivisionNode | null) => void;
}

const KINDS = { linear: 'Linear', branch: 'Branch', complicate: 'Complicate', leaf: 'Edge' } as const;

export function TreeList({ root, names, onPoint }: TreeListProps) {
  return (
    <section
      className={`${layout['card']} ${layout['padded']} ${classes['tree']}`}
      aria-label="Division tree"
    >
      <Box component="h2" lh="40px">
        Division tree
      </Box>
      <ul onPointerLeave={() => onPoint(null)}>
        <TreeNode node={root} names={names} onPoint={onPoint} />
      </ul>
    </section>
  );
}

type TreeNodeProps = Omit<TreeListProps, 'root'> & { readonly node: DivisionNode };

function TreeNode({ node, names, onPoint }: TreeNodeProps) {
  const { kind, source, target, cost, children = [] } = node;
  const edges = children.filter((child) => child.kind === 'leaf');
  const rest = children.filter((child) => child.kind !== 'leaf');
  return (
    <li>
      <button
        type="button"
        className={classes['treeNode']}
        data-kind={kind}
        onPointerEnter={() => onPoint(node)}
        onFocus={() => onPoint(node)}
        onBlur={() => onPoint(null)}
      >
        <b>{KINDS[kind]}</b> {names[source]} to {names[target]}
        <span>{cost === 0 ? 'nothing inside' : `${cost} inside`}</span>
      </button>
      {children.length > 0 && (
        <ul>
          {rest.map((child) => (
            <TreeNode
              key={`${child.source} ${child.target} ${child.cost}`}
              node={child}
              names={names}
              onPoint={onPoint}
            />
          ))}
          {edges.length > 0 && (
            <Box component="li" px={8} py={4} c="dimmed">
              {edges.length === 1 ? 'Edge' : 'Edges'}{' '}
              {edges.map((edge) => `${names[edge.source]}${names[edge.target]}`).join(', ')}
            </Box>
          )}
        </ul>
      )}
    </li>
  );
}
