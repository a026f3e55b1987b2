import { chainPlay } from '../plays.ts';
import { exercise } from './question.ts';

const forwardsOf = (layers: number): number => layers + chainPlay(layers, 'memory-poor').recomputes;

const total = exercise('poor.total', 'All forwards of a step', (chance) => {
  const layers = chance.between(4, 20);
  const value = forwardsOf(layers);
  const again = value - layers;
  return {
    text: `Memory-poor trains a chain of ${layers} layers. How many forwards does one step run, including the forward pass itself?`,
    hint: 'First the forward pass; then a sweep for the last layer, a shorter one for the layer before it, and so on.',
    unit: 'forwards',
    value,
    because: `${layers} in the forward pass and ${again} in the sweeps ${layers} + ${layers - 1} + … + 1.`,
    slips: [
      [again, 'those are only the sweeps; the forward pass comes before them.'],
      [
        layers * layers,
        'each sweep is one layer shorter than the one before, so about half of that remains.',
      ],
      [layers * layers + layers, 'each sweep is one layer shorter than the one before.'],
      [2 * layers, 'nothing is kept between two backwards, so every backward has a sweep of its own.'],
      [layers, 'that is only the forward pass.'],
      [value - 1, 'the sweep for the last layer runs that layer too: its output was freed.'],
    ],
  };
});

const memory = exercise('poor.memory', 'Pebbles for a long chain', (chance) => {
  const layers = chance.between(30, 64);
  const { timeline } = chainPlay(layers, 'memory-poor');
  const small = chainPlay(8, 'memory-poor').timeline.peakBytes;
  const value = timeline.peakBytes;
  return {
    text: `How many pebbles does memory-poor need for a chain of ${layers} layers?`,
    hint: 'Play the lesson’s chain with two lengths. What does the peak depend on?',
    unit: 'pebbles',
    value,
    because: `A chain of 8 layers needs ${small}, and so does any other: the input, an input and an output of one layer, and two gradients.`,
    slips: [
      [chainPlay(layers, 'regular').timeline.peakBytes, 'that is regular training, which keeps everything.'],
      [
        value - 1,
        'one is missing: one gradient enters a backward and one leaves it, so two are in memory at once.',
      ],
      [value - 2, 'that is only the activations; a backward also holds two gradients.'],
      [layers, 'the memory does not depend on the length of the chain.'],
    ],
  };
});

const growth = exercise('poor.growth', 'A chain of other length', (chance) => {
  const times = chance.oneOf([2, 3]);
  const layers = chance.between(14, 20);
  const [before, after] = [forwardsOf(layers), forwardsOf(times * layers)];
  const ratio = after / before;
  const options = [1, times, times * times, times * times * times];
  const nearest = options.reduce((best, one) =>
    Math.abs(one - ratio) < Math.abs(best - ratio) ? one : best,
  );
  return {
    text: `The chain grows from ${layers} to ${times * layers} layers. About how many times as long do memory-poor’s forwards take?`,
    hint: 'N + (N − 1) + … + 1 grows like N².',
    options: options.map((one) => ({
      text: one === 1 ? 'as long as before' : `${one} times as long`,
      isRight: one === nearest,
      why:
        one === nearest
          ? `From ${before} to ${after} forwards, ${ratio.toFixed(2)} times as many.`
          : one === 1
            ? 'The memory stays the same, but there are more sweeps and each is longer.'
            : one < nearest
              ? `There are ${times} times as many sweeps, and each is also about ${times} times as long.`
              : 'Both the number of sweeps and their length grow; nothing else does.',
    })),
  };
});

export const POOR_EXERCISES = [total, memory, growth];
