import { GraphBuilder } from '../../../../engine/graph/builder.ts';
import { idOf } from '../../../../engine/graph/graph.ts';
import { orderOf, type PebbleOrder } from '../../../../engine/pebbling/orders.ts';
import { type Pebbling, playPebbles } from '../../../../engine/pebbling/pebbles.ts';
import { createProblem } from '../../../../engine/problem.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { type DrawnVertex, drawnVertices, type Place } from './drawn.ts';
import { memoize } from './memoize.ts';

/** A small graph whose forward alone is played. Its source weighs nothing and is not drawn. */
export interface OrderGame {
  readonly problem: Problem;
  /** By vertex; that of the source means nothing. */
  readonly places: readonly Place[];
}

export const ORDER_GAMES = ['expression', 'fed', 'chains', 'residual', 'skips'] as const;
export type OrderGameName = (typeof ORDER_GAMES)[number];

export const ORDER_GAME_TITLES: Readonly<Record<OrderGameName, string>> = {
  expression: 'Expression',
  fed: 'Chain that is fed',
  chains: 'Two chains',
  residual: 'Residual blocks',
  skips: 'Two skips',
};

export const MIN_STEPS = 2;
export const MAX_STEPS = 16;

export function drawnGame(name: string, vertices: readonly DrawnVertex[]): OrderGame {
  const b = new GraphBuilder(name);
  b.addOpaque('source', 0, []);
  for (const { id, size, inputs } of vertices)
    b.addOpaque(id, size, inputs.length === 0 ? ['source'] : inputs);
  return { problem: createProblem(b.build(), 'pytorch'), places: [{ column: 0, lane: 0 }, ...vertices] };
}

const DRAWN: Readonly<Record<Exclude<OrderGameName, 'fed'>, string>> = {
  // Article 002's first example.
  expression: 'x1 0 0 1, x2 0 1 1, x4 0 2 1, x3 1 0.5 1 x1 x2, x5 2 1 1 x3 x4',
  // Subtrees that are best interleaved: both wait at their valley before either ends.
  chains: 'a1 0 0 9, a2 1 0 1 a1, a3 2 0 5 a2, b1 0 1 9, b2 1 1 1 b1, b3 2 1 5 b2, end 3 0.5 1 a3 b3',
  residual: 'f1 0 1 1, f2 1 0 1 f1, f3 2 1 1 f1 f2, f4 3 0 1 f3, f5 4 1 1 f3 f4',
  // "we can forget the first node after the middle node is computed, and then compute it again" (article 002).
  skips: 'f1 0 2 1, f2 1 1 1 f1, f3 2 0 1 f2, f4 3 1 1 f2 f3, f5 4 2 1 f1 f4',
};

/** Article 002's second example: each step reads the one before it and a value of its own. */
function fed(steps: number): string {
  const step = (i: number): string =>
    `v${i} ${i - 0.5} 1 1, s${i} ${i} 0 1 ${i === 1 ? 'v0' : `s${i - 1}`} v${i}`;
  return ['v0 0 0 1', ...Array.from({ length: steps }, (_, i) => step(i + 1))].join(', ');
}

export const orderGame = memoize(
  (name: OrderGameName, steps: number): OrderGame =>
    drawnGame(name, drawnVertices(name === 'fed' ? fed(steps) : DRAWN[name])),
);

export const orderPlay = memoize(
  (name: OrderGameName, steps: number, order: PebbleOrder): Pebbling | string => {
    const { graph, memory } = orderGame(name, steps).problem;
    const vertices = orderOf(graph, memory, order);
    return typeof vertices === 'string' ? vertices : playPebbles(graph, memory, vertices);
  },
);

/** A move in one sentence: `Move 3 of 5. x4 gets its pebble: 3 on the board; none goes.` */
export function moveSentence({ problem: { graph } }: OrderGame, play: Pebbling, at: number): string {
  const gone = [...play.order].filter((_, move) => play.until[move] === at);
  const names = new Intl.ListFormat('en-GB').format(gone.map((v) => idOf(graph, v)));
  const goes = gone.length === 0 ? 'none goes' : `${names} ${gone.length === 1 ? 'goes' : 'go'}`;
  const vertex = idOf(graph, play.order[at] ?? 0);
  const again = play.order.indexOf(play.order[at] ?? 0) < at ? ' again' : '';
  return `Move ${at + 1} of ${play.order.length}. Place ${vertex}${again}: ${play.live[at]} on the board; ${goes}.`;
}
