import { SegmentedControl } from '@mantine/core';
import { ORDER_TITLES, type PebbleOrder } from '../../../../engine/pebbling/orders.ts';
import { oneOf, wholeNumber } from '../../../state/learn/page-state.ts';
import { Term } from '../../../state/parts/Term.tsx';
import { usePage } from '../../../state/parts/use-page.ts';
import layout from '../../../shared/layout/layout.module.css';
import {
  MIN_STEPS,
  MAX_STEPS,
  ORDER_GAME_TITLES,
  ORDER_GAMES,
  type OrderGameName,
  orderGame,
  orderPlay,
} from '../model/order-games.ts';
import { LifetimesPicture } from '../parts/LifetimesPicture.tsx';
import { OrderCard } from '../parts/OrderCard.tsx';
import classes from '../parts/learn.module.css';
import { SliderField } from '../parts/SliderField.tsx';
import { Try } from '../parts/Try.tsx';

const ORDERS = ['asap', 'alap', 'liu', 'recompute'] as const satisfies readonly PebbleOrder[];
const SHORT: Readonly<Record<(typeof ORDERS)[number], string>> = {
  asap: ORDER_TITLES.asap,
  alap: ORDER_TITLES.alap,
  liu: 'Liu’s order',
  recompute: 'With recompute',
};

const peakOf = (order: PebbleOrder): number => {
  const play = orderPlay('skips', 0, order);
  return typeof play === 'string' ? Number.NaN : play.peakBytes;
};

export function OrdersLesson() {
  const { params, set } = usePage();
  const graph = oneOf<OrderGameName>(params['graph'], ORDER_GAMES, 'expression');
  const order = oneOf(params['by'], ORDERS, 'asap');
  const steps = wholeNumber(params['n'], MIN_STEPS, MAX_STEPS, 8);
  const play = orderPlay(graph, steps, order);
  const other = order === 'asap' ? 'alap' : 'asap';
  const beside = orderPlay(graph, steps, other);
  const asap = orderPlay(graph, steps, 'asap');
  const alap = orderPlay(graph, steps, 'alap');
  return (
    <>
      <p className={classes['lead']}>
        Without backward the game has one pass: a pebble goes once everything that reads it has its own. That
        is inference. Even where nothing is computed twice, the order decides how many pebbles it takes.
      </p>
      <div className={classes['fields']}>
        <SegmentedControl
          size="sm"
          aria-label="Graph"
          value={graph}
          onChange={(value) => set({ graph: value, at: undefined })}
          data={ORDER_GAMES.map((name) => ({ value: name, label: ORDER_GAME_TITLES[name] }))}
        />
        <SegmentedControl
          size="sm"
          aria-label="Order"
          value={order}
          onChange={(value) => set({ by: value, at: undefined })}
          data={ORDERS.map((name) => ({ value: name, label: SHORT[name] }))}
        />
        {graph === 'fed' && (
          <SliderField
            label="Steps"
            value={steps}
            min={MIN_STEPS}
            max={MAX_STEPS}
            onValue={(n) => set({ n, at: undefined })}
          />
        )}
      </div>
      {typeof play === 'string' || typeof beside === 'string' ? (
        <p className={`${layout['card']} ${layout['empty']} ${classes['empty']}`} role="status">
          {SHORT[order]} does not apply here: {typeof play === 'string' ? play : ''}. Choose another order or
          graph.
        </p>
      ) : (
        <OrderCard
          title={`${ORDER_GAME_TITLES[graph]}: ${SHORT[order].toLowerCase()}`}
          game={orderGame(graph, steps)}
          play={play}
          beside={beside}
          besideTitle={SHORT[other].toLowerCase()}
          at={wholeNumber(params['at'], 0, play.order.length - 1, 0)}
          onRest={(at) => set({ at })}
        />
      )}
      {typeof asap === 'string' || typeof alap === 'string' ? null : (
        <div className={classes['pair']}>
          {[
            { name: 'asap' as const, of: asap },
            { name: 'alap' as const, of: alap },
          ].map(({ name, of }) => (
            <LifetimesPicture
              key={name}
              title={`Lifetimes, ${ORDER_TITLES[name].toLowerCase()}`}
              game={orderGame(graph, steps)}
              play={of}
              most={Math.max(asap.peakBytes, alap.peakBytes)}
            />
          ))}
        </div>
      )}
      <div className={classes['text']}>
        <p>
          A bar above is a value from the move that computes it to the last that reads it; the sandy part is
          the time in which it only waits. Computing as late as possible shortens the waiting, not the work:
          the same bars, pushed to where they are needed.
        </p>
        <p>
          The expression is the one of OpenAI’s article: with all leaves first x4 waits for x3, and takes a{' '}
          <Term id="pebble">pebble</Term> while it waits. As late as possible one pebble less will do. On the
          chain that is fed, as soon as possible takes a pebble for every step; as late as possible takes
          three, however long it is.
        </p>
        <p data-again>
          A forward may recompute too. With two skips, one inside the other, the article forgets the first
          value after the middle one and computes it again for the last: {peakOf('recompute')} pebbles in
          place of {peakOf('alap')}, for one more move. Small graphs are searched for the least.
        </p>
        <p>
          Where every value is read once, the graph is a tree, and Liu’s order (1987) is the best there is: it
          cuts each subtree’s order at its lowest points and merges the pieces, those first that free the
          most. The two chains show it: each is stopped at its smallest tensor before either ends. Numbers in
          the discs are sizes. For graphs that are no trees even coming near the optimum is hard.
        </p>
      </div>
      <Try
        trial={{
          screen: 'graph',
          experiment: { model: 'expression', strategies: ['regular', 'optimal', 'live'] },
          view: { panel: 'yours' },
        }}
        action="Open the expression as a network"
      >
        The same expression with convolutions for leaves; on the command line, zigzag pebble expression.
      </Try>
    </>
  );
}
