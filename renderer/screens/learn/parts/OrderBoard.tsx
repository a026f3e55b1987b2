import { idOf, predecessorsOf } from '../../../../engine/graph/graph.ts';
import type { Pebbling } from '../../../../engine/pebbling/pebbles.ts';
import type { OrderGame } from '../model/order-games.ts';
import { type Spot, linkPath } from './board-layout.ts';
import classes from './learn.module.css';

const TOP = 40;
const LANE = 60;
const LEFT = 96;
const RIGHT = 40;
const MAX_RADIUS = 15;

export interface OrderLayout {
  readonly height: number;
  readonly radius: number;
  readonly spots: readonly Spot[];
}

export function orderLayout({ places, columns, lanes }: OrderGame, width: number): OrderLayout {
  const pitch = Math.min(120, Math.max(1, width - LEFT - RIGHT) / Math.max(1, columns - 1));
  return {
    height: TOP + (lanes - 1) * LANE + 44,
    radius: Math.max(6, Math.min(MAX_RADIUS, pitch * 0.3)),
    spots: places.map(({ column, lane }) => ({ x: LEFT + column * pitch, y: TOP + lane * LANE })),
  };
}

interface OrderBoardProps {
  readonly game: OrderGame;
  readonly layout: OrderLayout;
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
            <path
              key={`${u} ${v}`}
              d={linkPath(spots[u]!, spots[v]!, false)}
              fill="none"
              stroke={v === current ? 'var(--zz-ink)' : 'var(--zz-border)'}
              strokeWidth={v === current ? 2 : 1.5}
            />
          )),
      )}
      {vertices.map((v) => {
        const { x, y } = spots[v]!;
        const until = play.until[placed.lastIndexOf(v)] ?? -1;
        const isOn = until >= at;
        const leaves = until === at;
        return (
          <g key={v}>
            <circle cx={x} cy={y} r={radius} fill="var(--zz-card)" />
            <circle
              className={classes['pebble']}
              data-pebble={isOn ? 'kept' : 'none'}
              cx={x}
              cy={y}
              r={radius}
              fill={isOn ? 'var(--zz-hold-checkpoints)' : 'var(--zz-card)'}
              stroke={isOn ? 'var(--zz-ink)' : 'var(--zz-border)'}
              strokeWidth={isOn ? 1.5 : 2}
              opacity={leaves ? 0.45 : 1}
            />
            {isWeighed && (
              <text x={x} y={y + 4} textAnchor="middle" fill="var(--zz-ink)">
                {graph.bytes[v]}
              </text>
            )}
            <text x={x} y={y + radius + 19} textAnchor="middle" fill="var(--zz-muted)">
              {idOf(graph, v)}
            </text>
          </g>
        );
      })}
      <circle
        data-ring="forward"
        cx={spots[current]!.x}
        cy={spots[current]!.y}
        r={radius + 5}
        fill="none"
        stroke="var(--zz-ink)"
        strokeWidth={2.5}
      />
    </g>
  );
}
