import { identityOf, type StrategyIdentity } from '../../../state/strategies/identity.ts';
import { PLAYERS } from '../model/plays.ts';

export function playerIdentity(name: string): StrategyIdentity {
  return identityOf(name, PLAYERS.find((player) => player.name === name)?.title ?? name);
}
