import { useMemo } from 'react';
import { idOf } from '../../../../engine/graph/graph.ts';
import type { Pebbling } from '../../../../engine/pebbling/pebbles.ts';
import { PictureCard } from './PictureCard.tsx';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import shared from '../../../shared/layout/layout.module.css';
import { useSize } from '../../../shared/use-size.ts';
import { moveSentence, type OrderGame } from '../model/order-games.ts';
import { usePrinting } from './use-printing.ts';
import { OrderBoard, orderLayout } from './OrderBoard.tsx';
import { OrderTrace } from './OrderTrace.tsx';
import classes from './learn.module.css';
import { Counter } from './Counter.tsx';
import { PlayerBar } from './PlayerBar.tsx';
import { Scrubber } from './Scrubber.tsx';
import { TRACE_HEIGHT, traceArea } from './Trace.tsx';
import { usePlayer } from './use-player.ts';
import { PrintedSteps } from './PrintedSteps.tsx';
import { printedFrames } from './printed-frames.ts';

export interface OrderCardProps {
  readonly title: string;
  readonly game: OrderGame;
  readonly play: Pebbling;
  readonly beside: Pebbling;
  readonly besideTitle: string;
  readonly at: number;
  readonly onRest: (at: number) => void;
}

export function OrderCard(props: OrderCardProps) {
  const { title, game, play, beside, besideTitle } = props;
  const moves = play.order.length;
  const player = usePlayer({ frames: moves, at: props.at, onRest: props.onRest });
  const { at, playing } = player;
  const isPrinting = usePrinting();
  const size = useSize<HTMLDivElement>();
  const [, { width }] = size;
  const layout = useMemo(() => orderLayout(game, width), [game, width]);
  const height = layout.height + TRACE_HEIGHT;
  const table = useMemo(() => orderTable(title, game, play), [title, game, play]);
  const sentence = moveSentence(game, play, at);
  const most = play.live.subarray(0, at + 1).reduce((a, b) => Math.max(a, b), 0);
  return (
    <PictureCard
      layer="order"
      size={size}
      title={title}
      summary={`${sentence} The order needs ${play.peakBytes} pebbles at most; ${besideTitle} ${beside.peakBytes}.`}
      fileName="order-of-computing"
      height={height}
      table={table}
      overlay={
        <Scrubber
          area={traceArea(width)}
          top={layout.height}
          frames={moves}
          places={moves}
          at={at}
          text={sentence}
          onSeek={player.seek}
          onToggle={player.toggle}
        />
      }
      bar={
        <div className={classes['playRow']}>
          <PlayerBar player={player} last={moves - 1} />
          <dl className={classes['counters']}>
            <Counter name="Pebbles now" value={play.live[at] ?? 0} />
            <Counter name="Most so far" value={most} />
          </dl>
        </div>
      }
      footer={
        <div className={classes['playFoot']}>
          <p className={classes['reading']} role="status" aria-live={playing ? 'off' : 'polite'}>
            {sentence}
          </p>
          <p className={shared['legend']}>
            <span>
              <i className={classes['disc']} style={{ background: 'var(--zz-hold-checkpoints)' }} />
              on the board
            </span>
            <span>
              <i
                className={classes['disc']}
                style={{ background: 'var(--zz-hold-checkpoints)', opacity: 0.45 }}
              />
              faint: taken away next
            </span>
            <span>
              <i className={classes['ring']} />
              placed now
            </span>
            <span>dotted: {besideTitle}</span>
          </p>
          {isPrinting && <PrintedOrder game={game} play={play} />}
        </div>
      }
    >
      <OrderBoard game={game} layout={layout} play={play} at={at} />
      <g transform={`translate(0 ${layout.height})`}>
        <OrderTrace width={width} play={play} beside={beside} at={at} />
      </g>
    </PictureCard>
  );
}

function orderTable(title: string, { problem: { graph } }: OrderGame, play: Pebbling): ChartTable {
  return {
    caption: title,
    columns: ['Move', 'Placed', 'Pebbles'],
    rows: Array.from(play.order, (v, i) => [i + 1, idOf(graph, v), play.live[i] ?? 0]),
  };
}

const WIDTH = 400;

function PrintedOrder({ game, play }: { readonly game: OrderGame; readonly play: Pebbling }) {
  const { order, live, peakMove } = play;
  const layout = orderLayout(game, WIDTH);
  return (
    <PrintedSteps
      all={order.length}
      width={WIDTH}
      height={layout.height}
      steps={printedFrames(order.length, [peakMove]).map((at) => ({
        at,
        text: `${idOf(game.problem.graph, order[at]!)} is placed: ${live[at]}`,
        board: <OrderBoard game={game} layout={layout} play={play} at={at} />,
      }))}
    />
  );
}
