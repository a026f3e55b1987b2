import { idOf, predecessorsOf } from '../../../../engine/graph/graph.ts';
import type { Pebbling } from '../../../../engine/pebbling/pebbles.ts';
import type { OrderGame } from '../model/order-games.ts';
import { Disc, Link, Ring, type Room, type Spread } from './SmallGraph.tsx';

export const ORDER_ROOM: Room = {
  ...{ left: 96, right: 40, top: 40, bottom: 44, lane: 60 },
  ...{ radius: [6, 15], share: 0.3, pitch: [1, 120] },
};

interface OrderBoardProps {
  readonly game: OrderGame;
  readonly layout: Spread;
  readonly play: Pebbling;
  readonly at: number;
}

/** The graph of one forward: filled is on the board, faint goes after this move, the ring is what is placed now. */
export function OrderBoard({ game, layout: { spots, radius }, play, at }: OrderBoardProps) {
  const { graph } = game.problem;
  const vertices = Array.from({ length: graph.size - 1 }, (_, i) => i + 1);
  const current = play.order[at] ?? 0;
  const placed = play.order.subarray(0, at + 1);
  const isWeighed = graph.bytes.some((bytes, v) => v > 0 && bytes !== 1);
  return (
    <g>
      {vertices.flatMap((v) =>
        [...predecessorsOf(graph, v)]
          .filter((u) => u > 0)
          .map((u) => (
            <Link
              key={`${u} ${v}`}
              from={spots[u]!}
              to={spots[v]!}
              stroke={v === current ? 'var(--zz-ink)' : 'var(--zz-border)'}
              width={v === current ? 2 : 1.5}
            />
          )),
      )}
      {vertices.map((v) => {
        const until = play.until[placed.lastIndexOf(v)] ?? -1;
        const isOn = until >= at;
        return (
          <Disc
            key={v}
            at={spots[v]!}
            radius={radius}
            fill={isOn ? 'var(--zz-hold-checkpoints)' : 'var(--zz-card)'}
            stroke={isOn ? 'var(--zz-ink)' : 'var(--zz-border)'}
            strokeWidth={isOn ? 1.5 : 2}
            opacity={until === at ? 0.45 : 1}
            text={isWeighed ? String(graph.bytes[v]) : undefined}
            note={idOf(graph, v)}
            data={{ 'data-pebble': isOn ? 'kept' : 'none' }}
          />
        );
      })}
      <Ring at={spots[current]!} radius={radius} kind="forward" />
    </g>
  );
}
