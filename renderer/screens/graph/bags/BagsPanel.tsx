import { type KeyboardEvent, useMemo, useRef } from 'react';
import { formatCount } from '../../../shared/format/numbers.ts';
import layout from '../../../shared/layout/layout.module.css';
import { Term } from '../../../state/parts/Term.tsx';
import { type BagRow, bagRows, type Decomposition } from './bag-rows.ts';
import classes from '../graph.module.css';
import { type PaperGraph, idOfVertex } from '../state/paper-graph.ts';
import type { PanelProps } from '../state/panel-props.ts';

const ROW = 24;
const LANE = 12;
const MAX_ROWS = 1000;

export function BagsPanel({ model, onChange, onBag }: PanelProps) {
  const { paper } = model.network;
  const { decomposition } = paper.view;
  const all = useMemo(() => bagRows(decomposition), [decomposition]);
  const rows = all.slice(0, MAX_ROWS);
  const list = useRef<HTMLDivElement>(null);
  const selected = model.view.bag;
  const focused = rows.some(({ bag }) => bag === selected) ? selected : (rows[0]?.bag ?? null);
  const largest = decomposition.width + 1;
  const count = decomposition.bags.filter((bag) => bag.length === largest).length;
  const go = (bag: number): void => {
    onChange({ bag });
    onBag(decomposition.bags[bag] ?? []);
    list.current?.querySelector<HTMLElement>(`[data-bag="${bag}"]`)?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    const at = rows.findIndex(({ bag }) => bag === focused);
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = rows[at + by];
    if (event.key === 'ArrowLeft') {
      const up = rows[rows[at]?.parentRow ?? -1];
      if (up === undefined) return;
      go(up.bag);
    } else if (by !== 0 && next !== undefined) go(next.bag);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const lanes = 1 + rows.reduce((most, { lane }) => Math.max(most, lane), 0);
  return (
    <>
      <div className={classes['panelHead']}>
        <h2>Tree decomposition</h2>
      </div>
      <div className={classes['verdict']} role="status">
        {formatCount(decomposition.bags.length)} bags; the largest, {formatCount(count)} of them, hold{' '}
        <b>{formatCount(largest)}</b> tensors: <Term id="treewidth">treewidth</Term> at most{' '}
        <b>{formatCount(decomposition.width)}</b>, found by min-fill.
      </div>
      <div ref={list} className={classes['bags']} role="tree" aria-label="Bags" onKeyDown={press}>
        <svg width={lanes * LANE + 8} height={rows.length * ROW} aria-hidden="true">
          <BagLines rows={rows} decomposition={decomposition} />
        </svg>
        {rows.map(({ bag, lane }) => {
          const text = namesOf(paper, decomposition.bags[bag] ?? []);
          return (
            <button
              key={bag}
              type="button"
              role="treeitem"
              className={classes['bag']}
              style={{ paddingLeft: lanes * LANE + 12 }}
              tabIndex={bag === focused ? 0 : -1}
              data-bag={bag}
              data-largest={decomposition.bags[bag]?.length === largest || undefined}
              aria-level={lane + 1}
              aria-selected={bag === selected}
              title={text}
              onClick={() => (bag === selected ? onChange({ bag: null }) : go(bag))}
            >
              {text}
            </button>
          );
        })}
      </div>
      {all.length > rows.length && (
        <p className={layout['note']}>
          {formatCount(all.length - rows.length)} more; the saved file lists all.
        </p>
      )}
    </>
  );
}

const namesOf = (paper: PaperGraph, bag: readonly number[]): string =>
  bag.map((v) => idOfVertex(paper, v)).join(', ');

/** The tree as lanes: a disc a bag, as large as the bag; a line leads to the parent above. */
function BagLines({ rows, decomposition }: { rows: readonly BagRow[]; decomposition: Decomposition }) {
  const x = (lane: number): number => 8 + lane * LANE;
  const y = (row: number): number => (row + 0.5) * ROW;
  return (
    <>
      {rows.map(({ bag, lane, parentRow }, row) => {
        const up = rows[parentRow];
        if (up === undefined) return null;
        return (
          <path
            key={bag}
            d={`M${x(up.lane)} ${y(parentRow)}V${y(row)}H${x(lane)}`}
            fill="none"
            stroke="var(--zz-axis)"
          />
        );
      })}
      {rows.map(({ bag, lane }, row) => (
        <circle
          key={bag}
          cx={x(lane)}
          cy={y(row)}
          r={Math.min(5.5, 1.5 + (decomposition.bags[bag]?.length ?? 0))}
          fill="var(--zz-card)"
          stroke="var(--zz-ink)"
        />
      ))}
    </>
  );
}
