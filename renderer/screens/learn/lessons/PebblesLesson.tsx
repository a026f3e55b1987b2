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
  return typeof play === 'string' ? `${title}: ${play}` : `${play.timeline.peakBytes} units by ${title}`;
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
      lead="A pebble on a vertex says that its tensor is in memory. You may place one where every input has its own, and take away any. The most pebbles that are ever on the board are the memory that you need."
      fields={
        <>
          {graph.field}
          {strategy.field}
          {graph.value === 'chain' && layers.field}
        </>
      }
      text={[
        'Training plays on two boards. Above are the activations, computed from left to right; below their gradients, from right to left. The backward of a layer needs the pebbles of its input and of its output; a sum or a concatenation needs none.',
        graph.value === 'convolutions'
          ? `A convolution’s backward needs its input alone. OpenAI’s article draws five of them: ${said.format(ARTICLE.map(articleUnits))}, as it prints.`
          : '',
        'A pebble may be placed again later: that is a [recompute](recompute), and the number in the disc counts the times. Memory and work can be traded for each other. The thin line in the lower picture is regular training.',
        'Every move shown here is a step of a [schedule](schedule) that a strategy of this lab made and its simulator replayed; pebbles are the tensors that it counts. Space plays, the arrow keys step.',
      ]}
      tries={[
        {
          text: 'Play on a real network: click tensors of three residual blocks to keep them and watch your zigzag race the optimum.',
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
