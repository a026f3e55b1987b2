import { memo, useMemo } from 'react';
import { formatBytes } from '../../../shared/format/bytes.ts';
import type { Size } from '../../../shared/use-size.ts';
import type { LiveTensor } from './tensor-list.ts';
import { HEAD, type Tile, type TileGroup, treeMap } from './tree-map.ts';

export interface TreeMapProps {
  readonly live: readonly LiveTensor[];
  readonly size: Size;
  /** Ids that the list shows; the others are faint. */
  readonly bright: ReadonlySet<string> | null;
}

const LETTER = 6.6;
const LINE = 14;
const SMALL = 11;

/** Areas of what is live, by layer, in the colours of what holds it. */
export const TreeMap = memo(function TreeMap({ live, size, bright }: TreeMapProps) {
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

/** The text where it has room, cut where a part of it still says something. */
function fitted(text: string, room: number, mayCut = true): string {
  const most = Math.floor(room / LETTER);
  if (text.length <= most) return text;
  return mayCut && most >= 4 ? `${text.slice(0, most - 1)}…` : '';
}
