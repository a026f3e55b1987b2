import { idOf, predecessorsOf } from '../../../../../engine/graph/graph.ts';
import { liuOrder } from '../../../../../engine/pebbling/liu-order.ts';
import { playPebbles } from '../../../../../engine/pebbling/pebbles.ts';
import type { DrawnVertex } from '../drawn.ts';
import { drawnGame, type OrderGame } from '../order-games.ts';
import type { Chance } from './chance.ts';
import { exercise, type Drawing, listed, right, wrong } from './question.ts';

/** A tree of two or three leaves a side: `x1` … as in the article, each read once, all of one pebble. */
function treeOf(chance: Chance): OrderGame {
  const vertices: DrawnVertex[] = [];
  const add = (column: number, lane: number, ...inputs: readonly string[]): DrawnVertex => {
    const vertex = { id: `x${vertices.length + 1}`, column, lane, size: 1, inputs };
    vertices.push(vertex);
    return vertex;
  };
  const ends = Array.from({ length: chance.between(3, 4) }, (_, lane) => {
    const leaf = add(0, lane);
    return chance.between(0, 1) === 0 ? leaf : add(1, lane, leaf.id);
  });
  while (ends.length > 1) {
    const at = chance.between(0, ends.length - 2);
    const [a, b] = ends.slice(at, at + 2) as [DrawnVertex, DrawnVertex];
    ends.splice(at, 2, add(Math.max(a.column, b.column) + 1, (a.lane + b.lane) / 2, a.id, b.id));
  }
  return drawnGame('exercise', vertices);
}

function drawingOf({ problem: { graph }, places }: OrderGame): Drawing {
  const all = Array.from({ length: graph.size }, (_, v) => v).slice(1);
  const reads = (v: number): number[] => [...predecessorsOf(graph, v)].filter((u) => u > 0);
  const said = all
    .filter((v) => reads(v).length > 0)
    .map((v) => `${idOf(graph, v)} reads ${listed(reads(v).map((u) => idOf(graph, u)))}`);
  return {
    summary: `A tree in which ${said.join('; ')}. The others read no inputs.`,
    names: all.map((v) => idOf(graph, v)),
    notes: all.map(() => ''),
    places: all.map((v) => places[v]!),
    // Without the source, which weighs nothing and is not drawn.
    edges: all.flatMap((v) => reads(v).map((u): [number, number] => [u - 1, v - 1])),
  };
}

/** Some order that computes everything after its inputs. */
function anyOrder({ problem: { graph } }: OrderGame, chance: Chance): number[] {
  const order: number[] = [];
  while (order.length < graph.size - 1) {
    const ready = Array.from({ length: graph.size - 1 }, (_, i) => i + 1).filter(
      (v) => !order.includes(v) && [...predecessorsOf(graph, v)].every((u) => u === 0 || order.includes(u)),
    );
    order.push(chance.oneOf(ready));
  }
  return order;
}

function leastOf({ problem: { graph, memory } }: OrderGame): { peak: number; order: readonly number[] } {
  const order = liuOrder(graph, memory);
  if (typeof order === 'string') throw new Error(order);
  return { peak: playPebbles(graph, memory, order).peakBytes, order: [...order] };
}

const play = exercise('orders.play', 'Pebbles of an order', (chance) => {
  const game = treeOf(chance);
  const { graph, memory } = game.problem;
  const order = anyOrder(game, chance);
  const { live, peakBytes, peakMove } = playPebbles(graph, memory, order);
  const ids = order.map((v) => idOf(graph, v));
  // Pebbles left after each move: readers who take pebbles away too early count these.
  const after = Math.max(...order.map((_, i) => (i + 1 < order.length ? live[i + 1]! - 1 : 1)));
  return {
    text: `The vertices are computed in the order ${ids.join(', ')}. A pebble is removed once every reader has its own. What is the largest number of pebbles on the board at once?`,
    hint: 'While a vertex is computed, the pebbles of its inputs are still there, and its own comes on top.',
    unit: 'pebbles',
    drawing: drawingOf(game),
    value: peakBytes,
    because: `The maximum is reached when ${ids[peakMove]} is placed.`,
    slips: [
      [
        after,
        'while a vertex is computed, the pebbles of its inputs are still there; they are removed afterwards.',
      ],
      [graph.size - 1, 'that counts every vertex; pebbles without a remaining reader are removed.'],
    ],
  };
});

const least = exercise('orders.least', 'The fewest pebbles', (chance) => {
  const game = treeOf(chance);
  const { graph, memory } = game.problem;
  const best = leastOf(game);
  const asap = playPebbles(graph, memory, anyOrder(game, chance)).peakBytes;
  return {
    text: 'What is the smallest number of pebbles that computes the last vertex of this tree, if each vertex is computed once?',
    hint: 'Finish the subtree that needs the most pebbles first; afterwards only one of its pebbles remains.',
    unit: 'pebbles',
    drawing: drawingOf(game),
    value: best.peak,
    because: `Liu’s order ${best.order.map((v) => idOf(graph, v)).join(', ')} needs ${best.peak}, and no order of a tree needs fewer.`,
    slips: [
      [asap, 'another order needs fewer: finish one subtree before you begin the next.'],
      [
        best.peak - 1,
        'while a vertex is computed, its own pebble and those of its inputs are there together.',
      ],
    ],
  };
});

const order = exercise('orders.order', 'Find an order', (chance) => {
  const game = treeOf(chance);
  const { graph, memory } = game.problem;
  const best = leastOf(game);
  const drawing = drawingOf(game);
  return {
    kind: 'placing',
    text: `Mark the vertices in an order that computes the whole tree with ${best.peak} pebbles.`,
    hint: 'Finish the subtree that needs the most pebbles first; afterwards only one of its pebbles remains.',
    drawing,
    isOrdered: true,
    open: drawing.names.map((_, v) => v),
    solution: () => `For example ${best.order.map((v) => idOf(graph, v)).join(', ')}.`,
    judge: (marked) => {
      const wanted = marked.map((v) => v + 1);
      const done = new Set<number>([0]);
      for (const v of wanted) {
        const missing = [...predecessorsOf(graph, v)].filter((u) => !done.has(u));
        if (missing.length > 0)
          return wrong(
            `${idOf(graph, v)} comes before ${listed(missing.map((u) => idOf(graph, u)))}, which it reads.`,
          );
        done.add(v);
      }
      const left = drawing.names.filter((_, v) => !marked.includes(v));
      if (left.length > 0)
        return wrong(`${listed(left)} ${left.length === 1 ? 'is' : 'are'} not computed yet.`);
      const { peakBytes, peakMove } = playPebbles(graph, memory, wanted);
      if (peakBytes === best.peak) return right(`${peakBytes} pebbles at most, the minimum.`);
      return wrong(
        `Your order needs ${peakBytes} pebbles, when ${idOf(graph, wanted[peakMove]!)} is placed.`,
      );
    },
  };
});

export const ORDERS_EXERCISES = [play, least, order];
