import { describe, expect, it } from 'vitest';
import {
  budgetSteps,
  oneLevelTrades,
  playWithin,
  revolveTrades,
} from '../../../../renderer/screens/learn/model/budgets.ts';
import { chainPlay } from '../../../../renderer/screens/learn/model/plays.ts';

const LAYERS = 12;

describe('budgets', () => {
  it('fits every budget, with more recompute for smaller ones', () => {
    const { trades, least, most } = budgetSteps(LAYERS);
    expect(most).toBe(chainPlay(LAYERS, 'regular').timeline.peakBytes);
    expect(trades).toHaveLength(most - least + 1);
    expect(trades.at(-1)?.recomputes).toBe(0);
    trades.forEach(({ budget, peak, recomputes }, i) => {
      expect(peak).toBeLessThanOrEqual(budget);
      expect(playWithin(LAYERS, budget)?.timeline.peakBytes).toBe(peak);
      expect(recomputes).toBeLessThanOrEqual(trades[i - 1]?.recomputes ?? Number.POSITIVE_INFINITY);
    });
    expect(playWithin(LAYERS, least - 1)).toBeNull();
  });

  it('is never worse than one level of checkpoints or than revolve', () => {
    const { trades } = budgetSteps(LAYERS);
    for (const { peak, recomputes } of [...oneLevelTrades(LAYERS), ...revolveTrades(LAYERS)]) {
      const within = trades.filter(({ budget }) => budget <= peak);
      expect(Math.min(...within.map((trade) => trade.recomputes))).toBeLessThanOrEqual(recomputes);
    }
  });

  it('goes below one level’s peak, by forwarding some tensors more than twice', () => {
    const { least } = budgetSteps(LAYERS);
    expect(least).toBeLessThan(oneLevelTrades(LAYERS)[0]?.peak ?? 0);
    const counts = playWithin(LAYERS, least)?.frames.at(-1)?.forwards ?? [];
    expect(Math.max(...counts)).toBeGreaterThan(2);
  });
});
