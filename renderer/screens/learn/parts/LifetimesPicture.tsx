import { idOf, successorsOf } from '../../../../engine/graph/graph.ts';
import type { Pebbling } from '../../../../engine/pebbling/pebbles.ts';
import { PictureCard } from './PictureCard.tsx';
import { useSize } from '../../../shared/use-size.ts';
import type { OrderGame } from '../model/order-games.ts';

export interface LifetimesPictureProps {
  readonly title: string;
  readonly game: OrderGame;
  readonly play: Pebbling;
  /** Most pebbles that the pictures beside each other reach, so that their sums have one scale. */
  readonly most: number;
}

const LEFT = 56;
const RIGHT = 12;
const TOP = 20;
const ROW = 18;
const SUM_TOP = 28;
const SUM_HEIGHT = 64;
const BOTTOM = 24;

/** When each value lies in memory: a bar from the move that computes it to the last that reads it; below, their sum. */
export function LifetimesPicture({ title, game, play, most }: LifetimesPictureProps) {
  const size = useSize<HTMLDivElement>();
  const [, { width }] = size;
  const { graph } = game.problem;
  const { order, until, live, peakBytes, peakMove } = play;
  const moves = order.length;
  const rows = TOP + moves * ROW;
  const foot = rows + SUM_TOP + SUM_HEIGHT;
  const height = foot + BOTTOM;
  const step = Math.max(1, width - LEFT - RIGHT) / moves;
  const x = (move: number): number => LEFT + move * step;
  const y = (value: number): number => foot - (value * SUM_HEIGHT) / most;
  const waits = waitingMoves(play, game);
  const table = {
    caption: title,
    columns: ['Value', 'Computed in move', 'Last read in move', 'Moves spent waiting'],
    rows: [...order].map((v, i) => [idOf(graph, v), i + 1, Math.min(until[i]!, moves - 1) + 1, waits[i]!]),
  };
  return (
    <PictureCard
      layer="lifetimes"
      size={size}
      title={title}
      summary={`Of ${moves} values, at most ${peakBytes} are in memory at once, in move ${peakMove + 1}. Values wait ${sum(waits)} moves in total before they are first read.`}
      fileName="lifetimes"
      height={height}
      table={table}
    >
      <rect
        x={x(peakMove)}
        y={TOP - 4}
        width={step}
        height={foot - TOP + 4}
        fill="var(--zz-raised)"
        stroke="var(--zz-hairline)"
      />
      {[...order].map((v, i) => {
        const end = Math.min(until[i]!, moves - 1) + 1;
        const first = i + 1 + waits[i]!;
        return (
          <g key={v} data-life={idOf(graph, v)}>
            <text x={LEFT - 8} y={TOP + i * ROW + 12} textAnchor="end" fill="var(--zz-muted)">
              {idOf(graph, v)}
            </text>
            <rect
              x={x(i)}
              y={TOP + i * ROW + 2}
              width={x(end) - x(i)}
              height={ROW - 5}
              rx={3}
              fill="var(--zz-hold-checkpoints)"
              stroke="var(--zz-ink)"
              strokeWidth={1}
            />
            {waits[i]! > 0 && (
              <rect
                data-waits={waits[i]}
                x={x(i + 1)}
                y={TOP + i * ROW + 2}
                width={x(first) - x(i + 1)}
                height={ROW - 5}
                fill="var(--zz-hold-recomputed)"
                stroke="var(--zz-ink)"
                strokeWidth={1}
              />
            )}
          </g>
        );
      })}
      {Array.from(live, (value, i) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a move is its index
          key={i}
          x={x(i)}
          y={y(value)}
          width={step}
          height={foot - y(value)}
          fill={i === peakMove ? 'var(--zz-axis)' : 'var(--zz-hold-input)'}
        />
      ))}
      <line x1={LEFT} x2={width - RIGHT} y1={foot} y2={foot} stroke="var(--zz-axis)" />
      <text x={LEFT - 8} y={foot} textAnchor="end" fill="var(--zz-muted)">
        sum
      </text>
      <text
        x={x(peakMove + 0.5)}
        y={y(peakBytes) - 6}
        textAnchor="middle"
        fill="var(--zz-ink)"
        fontWeight={600}
      >
        {peakBytes}
      </text>
      <text x={width - RIGHT} y={foot + 18} textAnchor="end" fill="var(--zz-muted)">
        moves →
      </text>
    </PictureCard>
  );
}

/** By move: how many moves its value only waits until something reads it first. */
export function waitingMoves({ order }: Pebbling, { problem: { graph } }: OrderGame): number[] {
  const place = new Int32Array(graph.size);
  order.forEach((v, i) => {
    place[v] = i;
  });
  return Array.from(order, (v, i) => {
    const readers = successorsOf(graph, v);
    return readers.length === 0 ? 0 : Math.min(...Array.from(readers, (w) => place[w]!)) - i - 1;
  });
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
