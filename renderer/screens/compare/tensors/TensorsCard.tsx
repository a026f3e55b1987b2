import { Flex } from '@mantine/core';
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { asSentence } from '../../../shared/format/sentence.ts';
import { ChartCard } from '../../../shared/charts/ChartCard.tsx';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { HOLDER_TITLES, HOLDERS } from '../../../state/comparison/sized-timeline.ts';
import { type Size, useSize } from '../../../shared/use-size.ts';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { doneIn, stepView } from '../zigzag/describe-step.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import type { ZigzagSession } from '../zigzag/zigzag-session.ts';
import { TensorsTable } from './TensorsTable.tsx';
import layout from '../../../shared/layout/layout.module.css';
import classes from './tensors.module.css';
import { liveTable, type LiveTensor, matching, sumBytes } from './tensor-list.ts';
import { useTensors } from './use-tensors.ts';
import { HEAD, type Tile, type TileGroup, treeMap } from './tree-map.ts';

export interface TensorsCardProps {
  readonly view: CompareView;
  readonly session: ZigzagSession;
}

export function TensorsCard({ view, session }: TensorsCardProps) {
  const { experiment: store } = useWorkspace();
  const { state, step, isPeak, live: latest } = useTensors(view, session);
  // The cursor goes on moving while a long list is drawn.
  const live = useDeferredValue(latest);
  const [filter, setFilter] = useState('');
  const [ref, size] = useSize<HTMLDivElement>();
  const matched = useMemo(() => matching(live, filter), [live, filter]);
  const bright = useMemo(
    () => (matched.length === live.length ? null : new Set(matched.map(({ key }) => key))),
    [matched, live],
  );
  const onShow = useCallback(
    (id: string): void => {
      store.goTo('graph');
      store.setView({ at: id });
    },
    [store],
  );
  const { front } = view;
  const { shown } = view.state;
  const sized = front?.sized ?? null;
  const name = front?.identity.title ?? '';
  const at = sized === null || shown === null || step === null ? null : stepView(sized, step, shown);
  const title = isPeak ? `Memory of ${name} at its peak` : `Memory of ${name} at the cursor`;
  const where = at === null ? '' : `step ${formatCount(at.step + 1)}, ${doneIn(at)}`;

  return (
    <div className={`${layout['beside']} ${classes['row']}`}>
      <ChartCard
        title={title}
        summary={`${title}, ${where}: ${formatCount(live.length)} tensors, ${formatBytes(sumBytes(live))}. The list beside it shows all.`}
        pictureTitle={`${title}, ${where}`}
        fileName={`live-${front?.identity.name ?? 'tensors'}-step-${(step ?? 0) + 1}`}
        height={320}
        axisTitles={{
          x: `Areas: live memory, ${formatBytes(sumBytes(live))} in ${formatCount(live.length)} tensors`,
        }}
        data={() => liveTable(live, title)}
        table={null}
        legend={HOLDERS.map((holder) => ({
          title: HOLDER_TITLES[holder],
          color: `var(--zz-hold-${holder})`,
          mark: 'bar' as const,
        }))}
        tools={<span className={`${layout['note']} ${layout['cut']} ${classes['where']}`}>{where}</span>}
        empty={
          live.length > 0
            ? undefined
            : state.failure === null
              ? 'Listing the tensors…'
              : asSentence(state.failure.message)
        }
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and screen readers use the list beside it */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
        <div
          ref={ref}
          className={`${layout['fill']} ${classes['picture']}`}
          data-testid="treemap"
          onClick={(event) => {
            const tile = event.target instanceof Element ? event.target.closest('[data-filter]') : null;
            const wanted = tile?.getAttribute('data-filter') ?? '';
            setFilter(wanted === filter ? '' : wanted);
          }}
        >
          {size.width > 0 && <TreeMap live={live} size={size} bright={bright} />}
        </div>
      </ChartCard>
      <Flex direction="column" h={386} className={`${layout['card']} ${layout['padded']}`}>
        <TensorsTable live={live} matched={matched} filter={filter} onFilter={setFilter} onShow={onShow} />
      </Flex>
    </div>
  );
}

interface TreeMapProps {
  readonly live: readonly LiveTensor[];
  readonly size: Size;
  /** Ids that the list shows; the others are faint. */
  readonly bright: ReadonlySet<string> | null;
}

const LETTER = 6.6;
const LINE = 14;
const SMALL = 11;

const TreeMap = memo(function TreeMap({ live, size, bright }: TreeMapProps) {
  const { width, height } = size;
  const groups = useMemo(() => treeMap(live, width, height), [live, width, height]);
  return (
    <svg data-layer="treemap" width={width} height={height} aria-hidden="true" fontSize={SMALL}>
      {groups.map((group) => (
        <g key={group.name}>
          {group.hasHead && <GroupHead group={group} />}
          {group.tiles.map((tile) => (
            <TileMark key={tile.key} tile={tile} isFaint={bright !== null && !bright.has(tile.key)} />
          ))}
        </g>
      ))}
    </svg>
  );
});

function GroupHead({ group }: { readonly group: TileGroup }) {
  const name = group.name === '' ? 'outside of blocks' : group.name;
  return (
    <g data-filter={group.name}>
      <title>{`${name}: ${formatBytes(group.bytes)}`}</title>
      <rect x={group.left} y={group.top} width={group.width} height={HEAD} fill="transparent" />
      <text x={group.left + 2} y={group.top + 12} fill="var(--zz-ink)" fontWeight={600}>
        {fitted(name, group.width - 4)}
      </text>
    </g>
  );
}

function TileMark({ tile, isFaint }: { readonly tile: Tile; readonly isFaint: boolean }) {
  const { left, top, width, height, label, bytes, holder } = tile;
  const lines = Math.floor((height - 4) / LINE);
  return (
    <g data-filter={tile.filter} opacity={isFaint ? 0.3 : 1}>
      <title>{`${tile.title}: ${formatBytes(bytes)}`}</title>
      <rect x={left} y={top} width={width} height={height} rx={2} fill={`var(--zz-hold-${holder})`} />
      {lines >= 1 && (
        <text x={left + 4} y={top + 13} fill="var(--zz-ink)">
          {fitted(label, width - 8)}
        </text>
      )}
      {lines >= 2 && (
        <text x={left + 4} y={top + 13 + LINE} fill="var(--zz-ink)">
          {fitted(formatBytes(bytes), width - 8, false)}
        </text>
      )}
    </g>
  );
}

function fitted(text: string, room: number, mayCut = true): string {
  const most = Math.floor(room / LETTER);
  if (text.length <= most) return text;
  return mayCut && most >= 4 ? `${text.slice(0, most - 1)}…` : '';
}
