import { GAME_TITLES } from '../model/games.ts';
import { PLAYERS, playedBy } from '../model/plays.ts';
import { useChoice, useLayers, useStrategy } from '../parts/fields.tsx';
import { playerIdentity } from '../parts/identities.ts';
import { LessonPage, NoPicture } from '../parts/LessonPage.tsx';
import { PlayCard } from '../parts/PlayCard.tsx';

/** The strategies of article 002, in its order. */
const ARTICLE = ['regular', 'memory-poor', 'chen-sqrt'] as const;
const said = new Intl.ListFormat('en-GB');

/** "7 units regular": the peak of five convolutions. */
function articleUnits(name: (typeof ARTICLE)[number]): string {
  const play = playedBy('convolutions', 0, name);
  const { title } = playerIdentity(name);
  return typeof play === 'string' ? `${title}: ${play}` : `${play.timeline.peakBytes} units for ${title}`;
}

export function PebblesLesson() {
  const graph = useChoice('graph', { label: 'Graph', titles: GAME_TITLES, first: 'chain' });
  const layers = useLayers(9);
  const strategy = useStrategy(PLAYERS, 'chen-sqrt');
  const play = playedBy(graph.value, layers.value, strategy.value);
  const identity = playerIdentity(strategy.value);
  const { title } = identity;
  return (
    <LessonPage
      lead="A pebble on a vertex means that its tensor is in memory. You may place a pebble if every input of the vertex has one, and remove any pebble at any time. The memory that you need is the largest number of pebbles on the board at once."
      fields={
        <>
          {graph.field}
          {strategy.field}
          {graph.value === 'chain' && layers.field}
        </>
      }
      text={[
        'Training has two boards. The upper one holds the activations, computed from left to right. The lower one holds their gradients, computed from right to left. The backward of a layer needs the pebbles of its input and of its output; the backward of a sum or a concatenation needs neither.',
        graph.value === 'convolutions'
          ? `The backward of a convolution needs only its input. OpenAI’s article draws five convolutions and prints the same figures: ${said.format(ARTICLE.map(articleUnits))}.`
          : '',
        'A pebble may be placed again later. That is a [recompute](recompute); the number in the disc counts how often the vertex was computed. Recomputing saves memory and costs work. The thin line in the lower picture is regular training.',
        'Every move shown here is a step of a [schedule](schedule) that one of the lab’s strategies made. The simulator replays it and counts tensors as pebbles. Press Space to play, the arrow keys to step.',
      ]}
      tries={[
        {
          text: 'Play on a real network with three residual blocks. Click tensors to keep them, and compare your zigzag with the optimum.',
          action: 'Place checkpoints yourself',
          screen: 'graph',
          experiment: { model: 'tiny-residual' },
          view: { panel: 'yours' },
        },
      ]}
    >
      {typeof play === 'string' ? (
        <NoPicture>
          {title} has no schedule here: {play}. Choose another strategy or the other graph.
        </NoPicture>
      ) : (
        <PlayCard
          title={`${title} on ${GAME_TITLES[graph.value].toLowerCase()}`}
          graph={graph.value}
          layers={layers.value}
          play={play}
          identity={identity}
        />
      )}
    </LessonPage>
  );
}
