import { wholeNumber } from '../../../state/learn/page-state.ts';
import { usePage } from '../../../state/parts/use-page.ts';
import { chainGame } from '../model/games.ts';
import { chainPlay } from '../model/plays.ts';
import { playerIdentity } from './identities.ts';
import { PlayCard } from './PlayCard.tsx';
import type { Played } from './Trace.tsx';

export interface ChainCardProps extends Played {
  readonly title: string;
  readonly layers: number;
  /** The frame that is shown until the reader moves. */
  readonly first: number;
}

export function ChainCard({ title, layers, play, identity, first }: ChainCardProps) {
  const { params, set } = usePage();
  const regular = playerIdentity('regular');
  return (
    <PlayCard
      title={title}
      game={chainGame(layers)}
      play={play}
      identity={identity}
      {...(identity.name === regular.name
        ? {}
        : { beside: { play: chainPlay(layers, 'regular'), identity: regular } })}
      at={wholeNumber(params['at'], 0, play.frames.length - 1, first)}
      onRest={(at) => set({ at })}
    />
  );
}
