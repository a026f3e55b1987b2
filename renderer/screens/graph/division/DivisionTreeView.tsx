import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../graph.module.css';
import { idOfVertex, type PaperGraph } from '../state/paper-graph.ts';
import { type TreeRow, treeRows } from './tree-rows.ts';

export interface DivisionTreeViewProps {
  readonly paper: PaperGraph;
  readonly cut: Uint8Array;
  readonly batch: number;
  readonly selected: number | null;
  readonly onSelect: (node: number | null) => void;
}

const MAX_ROWS = 400;

export function DivisionTreeView({ paper, cut, batch, selected, onSelect }: DivisionTreeViewProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set([0]));
  const list = useRef<HTMLDivElement>(null);
  const all = useMemo(() => treeRows(paper.tree, open, cut), [paper, open, cut]);
  const rows = all.slice(0, MAX_ROWS);
  const focused = rows.some(({ node }) => node === selected) ? selected : 0;

  const setIsOpen = (node: number, isOpen: boolean): void => {
    const next = new Set(open);
    if (isOpen) next.add(node);
    else next.delete(node);
    setOpen(next);
  };
  const go = (node: number): void => {
    onSelect(node);
    list.current?.querySelector<HTMLElement>(`[data-node="${node}"]`)?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    const at = rows.findIndex(({ node }) => node === focused);
    const row = rows[at];
    if (row === undefined) return;
    const target =
      event.key === 'ArrowDown' ? rows[at + 1] : event.key === 'ArrowUp' ? rows[at - 1] : undefined;
    if (target !== undefined) go(target.node);
    else if (event.key === 'ArrowRight' && row.segments > 0) setIsOpen(row.node, true);
    else if (event.key === 'ArrowLeft' && row.isOpen) setIsOpen(row.node, false);
    else if (event.key === 'ArrowLeft' && row.node > 0) go(paper.tree.parent[row.node]!);
    else if (event.key === 'Enter' || event.key === ' ') onSelect(row.node);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section className={classes['tree']} aria-label="Division tree">
      <div className={classes['panelHead']} title="Bold: cut by C">
        <h3>Division tree</h3>
        <span className={`${layout['legend']} ${classes['kinds']}`}>
          {KINDS.map((kind) => (
            <span key={kind}>
              <KindMark kind={kind} />
              {kind}
            </span>
          ))}
        </span>
      </div>
      <div
        ref={list}
        role="tree"
        aria-label="Independent segments"
        className={classes['treeRows']}
        onKeyDown={press}
      >
        {rows.map((row) => (
          <TreeLine
            key={row.node}
            row={row}
            paper={paper}
            batch={batch}
            isSelected={row.node === selected}
            isFocusable={row.node === focused}
            onSelect={() => onSelect(row.node === selected ? null : row.node)}
            onOpen={() => setIsOpen(row.node, !row.isOpen)}
          />
        ))}
      </div>
      {all.length > rows.length && (
        <p className={layout['note']}>
          {formatCount(all.length - rows.length)} more. Close some segments to see them.
        </p>
      )}
    </section>
  );
}

interface TreeLineProps {
  readonly row: TreeRow;
  readonly paper: PaperGraph;
  readonly batch: number;
  readonly isSelected: boolean;
  readonly isFocusable: boolean;
  readonly onSelect: () => void;
  readonly onOpen: () => void;
}

function TreeLine({ row, paper, batch, isSelected, isFocusable, onSelect, onOpen }: TreeLineProps) {
  const ends = `${idOfVertex(paper, row.source)} → ${idOfVertex(paper, row.target)}`;
  const isParent = row.segments > 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all its lines
    <div
      role="treeitem"
      tabIndex={isFocusable ? 0 : -1}
      className={classes['treeRow']}
      style={{ paddingLeft: 4 + row.depth * 14 }}
      data-node={row.node}
      data-cut={row.isCut || undefined}
      aria-level={row.depth + 1}
      aria-selected={isSelected}
      aria-expanded={isParent ? row.isOpen : undefined}
      aria-label={`${row.kind}, ${ends}, ${formatBytes(row.bytes * batch)}, ${row.isCut ? 'cut' : 'whole'}`}
      title={`${ends}: ${formatCount(row.segments)} segments and ${formatCount(row.edges)} edges`}
      onClick={onSelect}
    >
      <svg
        width={12}
        height={12}
        viewBox="0 0 10 10"
        aria-hidden="true"
        className={classes['chevron']}
        data-open={row.isOpen || undefined}
        onClick={(event) => {
          if (!isParent) return;
          event.stopPropagation();
          onOpen();
        }}
      >
        {isParent && <path d="M3 1.5 7 5 3 8.5" fill="none" stroke="currentColor" strokeWidth={1.5} />}
      </svg>
      <KindMark kind={row.kind} />
      <span className={classes['treeEnds']}>
        {row.via === null ? ends : `via ${idOfVertex(paper, row.via)}`}
      </span>
      <span className={classes['treeBytes']}>{formatBytes(row.bytes * batch)}</span>
    </div>
  );
}

const KINDS = ['linear', 'branch', 'complicate'] as const;

const KIND_PATHS: Readonly<Record<TreeRow['kind'], string>> = {
  linear: 'M8 1v14M6.5 5h3M6.5 10.5h3',
  branch: 'M8 1v2C3 5 3 11 8 13v2M8 3c5 2 5 8 0 10',
  complicate: 'M8 1v2C3 5 3 11 8 13v2M8 3c5 2 5 8 0 10M4.5 9.5l7-3',
};

function KindMark({ kind }: { readonly kind: TreeRow['kind'] }) {
  return (
    <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden="true" style={{ flex: 'none' }}>
      <path d={KIND_PATHS[kind]} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinecap="round" />
    </svg>
  );
}
