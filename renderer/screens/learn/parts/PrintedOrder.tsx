import { idOf } from '../../../../engine/graph/graph.ts';
import type { Pebbling } from '../../../../engine/pebbling/pebbles.ts';
import type { OrderGame } from '../model/order-games.ts';
import { OrderBoard, orderLayout } from './OrderBoard.tsx';
import { PrintedSteps } from './PrintedSteps.tsx';
import { printedFrames } from './printed-frames.ts';

/** Drawn in this width, and scaled to the column of the page. */
const WIDTH = 400;

/** The moves of an order as boards, since paper does not play. */
export function PrintedOrder({ game, play }: { readonly game: OrderGame; readonly play: Pebbling }) {
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
