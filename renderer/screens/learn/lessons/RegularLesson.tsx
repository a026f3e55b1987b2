import { playerIdentity } from '../parts/identities.ts';
import classes from '../parts/learn.module.css';
import { chainPlay } from '../model/plays.ts';
import { wholeNumber } from '../../../state/learn/page-state.ts';
import { ChainCard } from '../parts/ChainCard.tsx';
import { SliderField } from '../parts/SliderField.tsx';
import { Term } from '../../../state/parts/Term.tsx';
import { Try } from '../parts/Try.tsx';
import { usePage } from '../../../state/parts/use-page.ts';

const MOST = 24;

export function RegularLesson() {
  const { params, set } = usePage();
  const layers = wholeNumber(params['n'], 2, MOST, 10);
  const play = chainPlay(layers, 'regular');
  const peak = play.timeline.peakBytes;
  return (
    <>
      <p className={classes['lead']}>
        Training runs forward through the layers and then backward. The backward of a layer needs what its
        forward computed, so regular training keeps every tensor until backward comes by.
      </p>
      <div className={classes['fields']}>
        <SliderField
          label="Layers"
          value={layers}
          min={2}
          max={MOST}
          onValue={(n) => set({ n, at: undefined })}
        />
      </div>
      <ChainCard
        title="Regular training of a chain"
        layers={layers}
        play={play}
        identity={playerIdentity('regular')}
        first={0}
      />
      <div className={classes['text']}>
        <p>
          A disc is an <Term id="activation">activation</Term> in memory, a square a{' '}
          <Term id="gradient">gradient</Term>. On the way forward the pile only grows: b1, the very last step,
          still needs f1, the very first.
        </p>
        <p>
          Where both passes meet, all {layers + 1} activations are there with two gradients on top, the one
          that comes in and the one that goes out. These {peak} pebbles are the <Term id="peak">peak</Term>,
          and it grows with every layer.
        </p>
        <p>
          Each pebble is a tensor of the whole batch, so the mountain also grows with the batch. The weights
          do not: they are <Term id="stationary">stationary</Term>. The lessons that follow cut the mountain
          down to a <Term id="zigzag">zigzag</Term>.
        </p>
      </div>
      <Try
        trial={{
          screen: 'compare',
          experiment: { model: 'resnet50', batch: 64, strategies: ['regular', 'live'] },
          selected: 'regular',
        }}
        action="Compare on ResNet-50"
      >
        See the mountain of a real network, ResNet-50 with 64 images, and what a good schedule makes of it.
      </Try>
    </>
  );
}
