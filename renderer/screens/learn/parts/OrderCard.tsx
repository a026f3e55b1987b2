import { useCallback, useMemo } from 'react';
import { idOf } from '../../../../engine/graph/graph.ts';
import type { Pebbling } from '../../../../engine/pebbling/pebbles.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import layout from '../../../shared/layout/layout.module.css';
import { moveSentence, type OrderGame } from '../model/order-games.ts';
import classes from './learn.module.css';
import { ORDER_ROOM, OrderBoard } from './OrderBoard.tsx';
import { PlayerCard } from './PlayerCard.tsx';
import { spread } from './SmallGraph.tsx';

export interface OrderCardProps {
  readonly title: string;
  readonly game: OrderGame;
  readonly play: Pebbling;
  readonly beside: Pebbling;
  readonly besideTitle: string;
}

const PEBBLES = 'var(--zz-hold-checkpoints)';

/** A forward alone, played on its graph, over the curve of another order. */
export function OrderCard({ title, game, play, beside, besideTitle }: OrderCardProps) {
  const board = useCallback(
    (width: number) => {
      const room = spread(game.places, width, ORDER_ROOM);
      const draw = (at: number) => <OrderBoard game={game} layout={room} play={play} at={at} />;
      return { height: room.height, draw };
    },
    [game, play],
  );
  const table = useMemo(() => orderTable(title, game, play), [title, game, play]);
  const live = [...play.live];
  return (
    <PlayerCard
      layer="order"
      title={title}
      fileName="order-of-computing"
      table={table}
      summary={`The order needs ${play.peakBytes} pebbles at most; ${besideTitle} ${beside.peakBytes}.`}
      sentence={(at) => moveSentence(game, play, at)}
      counters={(at) => ({
        'Pebbles now': live[at] ?? 0,
        'Most so far': Math.max(...live.slice(0, at + 1)),
      })}
      board={board}
      trace={{
        live,
        color: 'var(--zz-ink)',
        bands: [{ fill: PEBBLES, held: live }],
        peakFrame: play.peakMove,
        beside: { live: [...beside.live], color: 'var(--zz-muted)', dash: '2 3' },
      }}
      legend={
        <p className={layout['legend']}>
          <span>
            <i className={classes['disc']} style={{ background: PEBBLES }} />
            on the board
          </span>
          <span>
            <i className={classes['disc']} style={{ background: PEBBLES, opacity: 0.45 }} />
            faint: removed next
          </span>
          <span>
            <i className={classes['ring']} />
            placed now
          </span>
          <span>dotted: {besideTitle}</span>
        </p>
      }
      caption={(at) => `${idOf(game.problem.graph, play.order[at]!)} is placed: ${live[at]}`}
      marks={[play.peakMove]}
    />
  );
}

function orderTable(title: string, { problem: { graph } }: OrderGame, play: Pebbling): ChartTable {
  return {
    caption: title,
    columns: ['Move', 'Placed', 'Pebbles'],
    rows: Array.from(play.order, (v, i) => [i + 1, idOf(graph, v), play.live[i] ?? 0]),
  };
}
