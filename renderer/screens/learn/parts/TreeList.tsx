import type { DivisionNode } from '../../../../engine/paper/division-tree.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from './learn.module.css';
import { nameOf } from '../model/independence.ts';

export interface TreeListProps {
  readonly root: DivisionNode;
  readonly onPoint: (node: DivisionNode | null) => void;
}

const KINDS = { linear: 'Linear', branch: 'Branch', complicate: 'Complicate', leaf: 'Edge' } as const;

export function TreeList({ root, onPoint }: TreeListProps) {
  return (
    <section
      className={`${layout['card']} ${layout['padded']} ${classes['tree']}`}
      aria-label="Division tree"
    >
      <h2>Division tree</h2>
      <ul onPointerLeave={() => onPoint(null)}>
        <TreeNode node={root} onPoint={onPoint} />
      </ul>
    </section>
  );
}

function TreeNode({ node, onPoint }: { readonly node: DivisionNode } & Pick<TreeListProps, 'onPoint'>) {
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
        <b>{KINDS[kind]}</b> {nameOf(source)} to {nameOf(target)}
        <span>{cost === 0 ? 'nothing inside' : `${cost} inside`}</span>
      </button>
      {children.length > 0 && (
        <ul>
          {rest.map((child) => (
            <TreeNode key={`${child.source} ${child.target} ${child.cost}`} node={child} onPoint={onPoint} />
          ))}
          {edges.length > 0 && (
            <li className={classes['treeEdges']}>
              {edges.length === 1 ? 'Edge' : 'Edges'}{' '}
              {edges.map((edge) => `${nameOf(edge.source)}${nameOf(edge.target)}`).join(', ')}
            </li>
          )}
        </ul>
      )}
    </li>
  );
}
