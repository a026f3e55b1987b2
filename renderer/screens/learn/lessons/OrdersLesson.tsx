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
      lead="Without backward the game has one pass: a pebble goes once everything that reads it has its own. That is inference. Even where nothing is computed twice, the order decides how many pebbles it takes."
      fields={
        <>
          {graphs}
          {orders}
          {graph === 'fed' && length}
        </>
      }
      text={[
        'A bar above is a value from the move that computes it to the last that reads it; the sandy part is the time in which it only waits. Computing as late as possible shortens the waiting, not the work: the same bars, pushed to where they are needed.',
        'The expression is the one of OpenAI’s article: with all leaves first x4 waits for x3, and takes a [pebble](pebble) while it waits. As late as possible one pebble less will do. On the chain that is fed, as soon as possible takes a pebble for every step; as late as possible takes three, however long it is.',
        `A forward may recompute too. With two skips, one inside the other, the article forgets the first value after the middle one and computes it again for the last: ${peakOf('recompute')} pebbles in place of ${peakOf('alap')}, for one more move. Small graphs are searched for the least.`,
        'Where every value is read once, the graph is a tree, and Liu’s order (1987) is the best there is: it cuts each subtree’s order at its lowest points and merges the pieces, those first that free the most. The two chains show it: each is stopped at its smallest tensor before either ends. Numbers in the discs are sizes. For graphs that are no trees even coming near the optimum is hard.',
      ]}
      tries={[
        {
          text: 'The same expression with convolutions for leaves; on the command line, zigzag pebble expression.',
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
