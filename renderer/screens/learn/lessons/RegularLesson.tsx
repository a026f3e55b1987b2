import { chainPlay } from '../model/plays.ts';
import { useLayers } from '../parts/fields.tsx';
import { playerIdentity } from '../parts/identities.ts';
import { LessonPage } from '../parts/LessonPage.tsx';
import { PlayCard } from '../parts/PlayCard.tsx';

export function RegularLesson() {
  const { value: layers, field } = useLayers(10);
  const play = chainPlay(layers, 'regular');
  return (
    <LessonPage
      lead="Training runs forward through the layers and then backward. The backward of a layer needs what its forward computed, so regular training keeps every tensor until backward comes by."
      fields={field}
      text={[
        'A disc is an [activation](activation) in memory, a square a [gradient](gradient). On the way forward the pile only grows: b1, the very last step, still needs f1, the very first.',
        `Where both passes meet, all ${layers + 1} activations are there with two gradients on top, the one that comes in and the one that goes out. These ${play.timeline.peakBytes} pebbles are the [peak](peak), and it grows with every layer.`,
        'Each pebble is a tensor of the whole batch, so the mountain also grows with the batch. The weights do not: they are [stationary](stationary). The lessons that follow cut the mountain down to a [zigzag](zigzag).',
      ]}
      tries={[
        {
          text: 'See the mountain of a real network, ResNet-50 with 64 images, and what a good schedule makes of it.',
          action: 'Compare on ResNet-50',
          screen: 'compare',
          experiment: { model: 'resnet50', batch: 64, strategies: ['regular', 'live'] },
          selected: 'regular',
        },
      ]}
    >
      <PlayCard
        title="Regular training of a chain"
        layers={layers}
        play={play}
        identity={playerIdentity('regular')}
      />
    </LessonPage>
  );
}
