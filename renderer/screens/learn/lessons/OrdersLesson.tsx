import { ORDER_TITLES, type PebbleOrder } from '../../../../engine/pebbling/orders.ts';
import type { Pebbling } from '../../../../engine/pebbling/pebbles.ts';
import { MAX_STEPS, MIN_STEPS, ORDER_GAME_TITLES, orderGame, orderPlay } from '../model/order-games.ts';
import { useChoice, useSlider } from '../parts/fields.tsx';
import classes from '../parts/learn.module.css';
import { LessonPage, NoPicture } from '../parts/LessonPage.tsx';
import { LifetimesPicture } from '../parts/LifetimesPicture.tsx';
import { OrderCard } from '../parts/OrderCard.tsx';

const TITLES = {
  asap: ORDER_TITLES.asap,
  alap: ORDER_TITLES.alap,
  liu: 'Liu’s order',
  recompute: 'With recompute',
} as const satisfies Partial<Record<PebbleOrder, string>>;

const peakOf = (order: PebbleOrder): number => {
  const play = orderPlay('skips', 0, order);
  return typeof play === 'string' ? Number.NaN : play.peakBytes;
};

export function OrdersLesson() {
  const { value: graph, field: graphs } = useChoice('graph', {
    label: 'Graph',
    titles: ORDER_GAME_TITLES,
    first: 'expression',
  });
  const { value: order, field: orders } = useChoice('by', { label: 'Order', titles: TITLES, first: 'asap' });
  const { value: steps, field: length } = useSlider('n', {
    label: 'Steps',
    min: MIN_STEPS,
    max: MAX_STEPS,
    first: 8,
  });
  const play = orderPlay(graph, steps, order);
  // Both apply to every graph.
  const [asap, alap] = (['asap', 'alap'] as const).map((name) => orderPlay(graph, steps, name)) as [
    Pebbling,
    Pebbling,
  ];
  return (
    <LessonPage
      lead="Without a backward pass, the game is inference: a pebble is removed once every reader has its own. Even if nothing is computed twice, the order decides how many pebbles are needed."
      fields={
        <>
          {graphs}
          {orders}
          {graph === 'fed' && length}
        </>
      }
      text={[
        'Each bar above is the lifetime of a value: from the move that computes it to the last move that reads it. In the sand-coloured part it only waits. Computing as late as possible shortens the waiting, not the work: the bars start later, closer to where they are needed.',
        'The expression comes from OpenAI’s article. If all leaves are computed first, x4 waits for x3 and holds a [pebble](pebble) meanwhile. Computed as late as possible, the expression needs one pebble less. On the chain with an input at every step, as soon as possible needs a pebble per step; as late as possible needs three, however long the chain is.',
        `A forward pass can recompute too. In the example with two nested skips, the article frees the first value after the middle one and recomputes it for the last: ${peakOf('recompute')} pebbles instead of ${peakOf('alap')}, for one more move. For small graphs the lab searches all orders for the minimum.`,
        'If every value is read once, the graph is a tree, and Liu’s order (1987) is optimal. It cuts each subtree’s order at its lowest points and merges the pieces; the pieces that free the most come first. The two chains show this: each pauses at its smallest tensor before either one ends. The numbers in the discs are sizes. For other graphs, even approximating the optimum is hard.',
      ]}
      tries={[
        {
          text: 'The same expression with convolutions as leaves. On the command line: zigzag pebble expression.',
          action: 'Open the expression as a network',
          screen: 'graph',
          experiment: { model: 'expression', strategies: ['regular', 'optimal', 'live'] },
          view: { panel: 'yours' },
        },
      ]}
    >
      {typeof play === 'string' ? (
        <NoPicture>
          {TITLES[order]} does not apply here: {play}. Choose another order or graph.
        </NoPicture>
      ) : (
        <OrderCard
          title={`${ORDER_GAME_TITLES[graph]}: ${TITLES[order].toLowerCase()}`}
          game={orderGame(graph, steps)}
          play={play}
          beside={order === 'asap' ? alap : asap}
          besideTitle={TITLES[order === 'asap' ? 'alap' : 'asap'].toLowerCase()}
        />
      )}
      <div className={classes['pair']}>
        {[asap, alap].map((of, i) => (
          <LifetimesPicture
            key={i === 0 ? 'asap' : 'alap'}
            title={`Lifetimes, ${ORDER_TITLES[i === 0 ? 'asap' : 'alap'].toLowerCase()}`}
            game={orderGame(graph, steps)}
            play={of}
            most={Math.max(asap.peakBytes, alap.peakBytes)}
          />
        ))}
      </div>
    </LessonPage>
  );
}
