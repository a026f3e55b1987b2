import { InternalError } from '../../../../engine/errors.ts';
import { chenSqrt } from '../../../../engine/strategies/chen/chen-sqrt.ts';
import { planFromCheckpoints } from '../../../../engine/strategies/strategy/from-checkpoints.ts';
import { live } from '../../../../engine/strategies/live/live.ts';
import { memoryPoor } from '../../../../engine/strategies/memory-poor.ts';
import { optimal } from '../../../../engine/strategies/optimal/optimal.ts';
import { regular } from '../../../../engine/strategies/regular.ts';
import { revolve } from '../../../../engine/strategies/chain/revolve.ts';
import { NO_CONTROL, type Strategy } from '../../../../engine/strategies/strategy/strategy.ts';
import { chainGame, type GameName, gameOf } from './games.ts';
import { memoize } from './memoize.ts';
import { type Play, playOf } from './play.ts';

export const PLAYERS: readonly Strategy[] = [regular, memoryPoor, chenSqrt, optimal, revolve, live];

export const playedBy = memoize((game: GameName, layers: number, name: string): Play | string => {
  const strategy = PLAYERS.find((player) => player.name === name) ?? regular;
  const { problem } = gameOf(game, layers);
  const plan = strategy.plan(problem, { seed: 0 }, NO_CONTROL);
  return plan.applicable ? playOf(problem, plan.schedule) : plan.reason;
});

export function chainPlay(layers: number, name: string): Play {
  const play = playedBy('chain', layers, name);
  if (typeof play === 'string') throw new InternalError(`${name} on a chain: ${play}`);
  return play;
}

export const playWithSegments = memoize((layers: number, k: number): Play => {
  const { problem } = chainGame(layers);
  return playOf(problem, planFromCheckpoints(problem, { seed: 0 }, everyKth(layers, k)).schedule);
});

/** Tensors k, 2k, … before the last of a chain. */
export function everyKth(layers: number, k: number): number[] {
  return Array.from({ length: Math.ceil(layers / k) - 1 }, (_, i) => (i + 1) * k);
}
