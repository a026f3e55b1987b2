import { InfeasibleError } from '../../../../engine/errors.ts';
import { chainDp } from '../../../../engine/strategies/chain/chain-dp.ts';
import { revolve } from '../../../../engine/strategies/chain/revolve.ts';
import {
  NO_CONTROL,
  type NotApplicable,
  type Plan,
} from '../../../../engine/strategies/strategy/strategy.ts';
import { chainGame } from './games.ts';
import { memoize } from './memoize.ts';
import { type Play, playOf } from './play.ts';
import { playWithSegments } from './plays.ts';

/** One plan of a chain: how many pebbles it needs and how many forwards it repeats. */
export interface Trade {
  readonly peak: number;
  readonly recomputes: number;
}

/** The dynamic programme's plan within a budget of pebbles, or null where none fits. */
export const playWithin = memoize((layers: number, budget: number): Play | null => {
  const { problem } = chainGame(layers);
  try {
    return playedPlan(layers, chainDp.plan(problem, { seed: 0, budgetBytes: budget }, NO_CONTROL));
  } catch (error) {
    if (error instanceof InfeasibleError) return null;
    throw error;
  }
}, 128);

function playedPlan(layers: number, plan: Plan | NotApplicable): Play | null {
  return plan.applicable ? playOf(chainGame(layers).problem, plan.schedule) : null;
}

export interface BudgetSteps {
  /** Least and most budget that makes sense, in pebbles. */
  readonly least: number;
  readonly most: number;
  readonly trades: readonly (Trade & { readonly budget: number })[];
}

export const budgetSteps = memoize((layers: number): BudgetSteps => {
  const most = playWithSegments(layers, 1).timeline.peakBytes;
  const trades: (Trade & { budget: number })[] = [];
  for (let budget = most; ; budget--) {
    const play = playWithin(layers, budget);
    if (play === null) break;
    trades.push({ budget, peak: play.timeline.peakBytes, recomputes: play.recomputes });
  }
  trades.reverse();
  return { least: trades[0]!.budget, most, trades };
}, 8);

/** One level of checkpoints, a segment length at a time: what lesson 4 can reach. */
export const oneLevelTrades = memoize((layers: number): readonly Trade[] =>
  undominated(Array.from({ length: layers }, (_, i) => tradeOf(playWithSegments(layers, i + 1)))),
);

export const revolveTrades = memoize((layers: number): readonly Trade[] => {
  const { problem } = chainGame(layers);
  const trades: Trade[] = [];
  for (let slots = 0; slots < layers; slots++) {
    const play = playedPlan(layers, revolve.plan(problem, { seed: 0, slots }, NO_CONTROL));
    if (play !== null) trades.push(tradeOf(play));
  }
  return undominated(trades);
});

const tradeOf = ({ timeline, recomputes }: Play): Trade => ({ peak: timeline.peakBytes, recomputes });

/** By growing peak, those that no other beats or equals in both figures. */
function undominated(trades: readonly Trade[]): Trade[] {
  const sorted = [...trades].sort((a, b) => a.peak - b.peak || a.recomputes - b.recomputes);
  const front: Trade[] = [];
  for (const trade of sorted) {
    const last = front.at(-1);
    if (last === undefined || trade.recomputes < last.recomputes) front.push(trade);
  }
  return front;
}
