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
      lead="Training runs forward through the layers and then backward. The backward of a layer needs values that its forward computed. So regular training keeps every tensor until its backward has run."
      fields={field}
      text={[
        'A disc is an [activation](activation) in memory, a square is a [gradient](gradient). During the forward pass the pile only grows: b1, the last step of all, still needs f1, the first.',
        `Where both passes meet, all ${layers + 1} activations are in memory, and two gradients on top: the one that comes in and the one that goes out. These ${play.timeline.peakBytes} pebbles are the [peak](peak). It grows with every layer.`,
        'Each pebble is a tensor for the whole batch, so the mountain also grows with the batch. The weights do not: they are [stationary](stationary). The next lessons cut the mountain down to a [zigzag](zigzag).',
      ]}
      tries={[
        {
          text: 'See the mountain of a real network, ResNet-50 with 64 images, and how far a good schedule cuts it down.',
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
