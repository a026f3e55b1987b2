import { identityOf, type StrategyIdentity } from '../../../state/strategies/identity.ts';
import { PLAYERS } from '../model/plays.ts';

/** How the lessons name and draw a strategy: the same everywhere in the lab. */
export function playerIdentity(name: string): StrategyIdentity {
  return identityOf(name, PLAYERS.find((player) => player.name === name)?.title ?? name);
}
