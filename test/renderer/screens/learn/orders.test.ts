import { describe, expect, it } from 'vitest';
import {
  moveSentence,
  ORDER_GAMES,
  orderGame,
  orderPlay,
} from '../../../../renderer/screens/learn/model/order-games.ts';

const peak = (...args: Parameters<typeof orderPlay>): number => {
  const play = orderPlay(...args);
  return typeof play === 'string' ? Number.NaN : play.peakBytes;
};

describe('the lesson on orders', () => {
  it('002: plays 4 pebbles against 3, and 3 units for a chain of any length', () => {
    expect(peak('expression', 8, 'asap')).toBe(4);
    expect(peak('expression', 8, 'alap')).toBe(3);
    for (const steps of [2, 8, 16]) {
      expect(peak('fed', steps, 'alap')).toBe(3);
      expect(peak('fed', steps, 'asap')).toBe(steps + 2);
    }
  });

  it('shows two chains that Liu’s order interleaves, and a graph that is no tree', () => {
    expect(peak('chains', 8, 'liu')).toBe(11);
    expect(peak('chains', 8, 'alap')).toBeGreaterThan(11);
    expect(orderPlay('residual', 8, 'liu')).toBe('the network is not a tree: f1 feeds 2 operations');
  });

  it('002: forgets a value during the forward and computes it again, for 3 pebbles in place of 4', () => {
    expect([peak('skips', 8, 'alap'), peak('skips', 8, 'recompute')]).toEqual([4, 3]);
    const play = orderPlay('skips', 8, 'recompute');
    if (typeof play === 'string') throw new Error(play);
    expect(moveSentence(orderGame('skips', 8), play, 4)).toBe(
      'Move 5 of 6. Place f1 again: 2 on the board; none goes.',
    );
  });

  it('has a place for every vertex, and a sentence for every move', () => {
    for (const name of ORDER_GAMES) {
      const game = orderGame(name, 5);
      expect(game.places).toHaveLength(game.problem.graph.size);
    }
    const play = orderPlay('expression', 8, 'asap');
    if (typeof play === 'string') throw new Error(play);
    expect(moveSentence(orderGame('expression', 8), play, 2)).toBe(
      'Move 3 of 5. Place x4: 3 on the board; none goes.',
    );
    expect(moveSentence(orderGame('expression', 8), play, 3)).toBe(
      'Move 4 of 5. Place x3: 4 on the board; x1 and x2 go.',
    );
  });
});
