import { GraphBuilder } from '../../../../../engine/graph/builder.ts';
import { conv2d } from '../../../../../engine/ops/make.ts';
import { chainPlay } from '../plays.ts';
import type { Play } from '../play.ts';
import { exercise, counted, layerName } from './question.ts';

export function atPeak({ frames, peakFrame }: Play): { activations: number; gradients: number } {
  const { live, gradients } = frames[peakFrame]!;
  const count = gradients.reduce((sum, one) => sum + one, 0);
  return { activations: live - count, gradients: count };
}

const peak = exercise('regular.peak', 'The peak of a chain', (chance) => {
  const layers = chance.between(6, 60);
  const play = chainPlay(layers, 'regular');
  const { activations, gradients } = atPeak(play);
  const value = play.timeline.peakBytes;
  return {
    text: `Regular training runs on a chain of ${layers} layers. The input, each activation and each of their gradients takes one pebble. How many pebbles are on the board at the peak?`,
    hint: 'Go to the first step of backward. Which tensors did the forward pass leave, and which come on top?',
    unit: 'pebbles',
    value,
    because: `${counted(activations, 'activation')}, the input among them, and ${counted(gradients, 'gradient')}, make ${value}.`,
    slips: [
      [activations, 'that is the number of activations; add the gradients.'],
      [value - 1, 'one is missing: the input is stored throughout, and two gradients meet.'],
      [activations - 1, 'that is only the layers; the input and the gradients are on the board too.'],
      [
        2 * activations,
        'gradients are not all in memory at the same time: each is freed as soon as the next one is computed.',
      ],
      [
        2 * layers,
        'gradients are not all in memory at the same time: each is freed as soon as the next one is computed.',
      ],
    ],
  };
});

const bytes = exercise('regular.bytes', 'One pebble in bytes', (chance) => {
  const [batch, channels, side] = [
    chance.oneOf([16, 32, 64, 128]),
    chance.oneOf([64, 128, 256]),
    chance.oneOf([28, 56, 112]),
  ];
  const before = chance.oneOf([3, 24, 48]);
  const b = new GraphBuilder('one convolution');
  b.add('conv', conv2d(channels, 3, { padding: 1 }), [b.input('input', [batch, before, side, side])]);
  const graph = b.build();
  const value = graph.bytes[1]!;
  return {
    text: `A 3 × 3 convolution with ${channels} filters, stride 1 and padding 1, reads a batch of ${batch} images of ${before} × ${side} × ${side} in float32. How much memory does its output take?`,
    hint: 'Batch × channels × height × width elements of four bytes. With stride 1 and padding 1, height and width stay the same.',
    unit: 'bytes',
    tolerance: 0.01,
    value,
    because: `${batch} × ${channels} × ${side} × ${side} elements of ${value / (batch * channels * side * side)} bytes.`,
    slips: [
      [graph.bytes[0]!, 'that is its input; the output has one channel per filter.'],
      [value / batch, 'that is the output for one image; the tensor holds the whole batch.'],
      [value / 4, 'that is the number of elements; each takes four bytes.'],
      [value / 2, 'that would be float16, with two bytes an element.'],
    ],
  };
});

const last = exercise('regular.longest', 'Kept the longest', (chance) => {
  const layers = chance.between(7, 20);
  const { frames } = chainPlay(layers, 'regular');
  const steps = (v: number): number => frames.filter(({ pebbles }) => pebbles[v]! > 0).length;
  const candidates = [1, chance.between(2, 3), Math.ceil(layers / 2), layers];
  const most = Math.max(...candidates.map(steps));
  return {
    text: `Which of these activations of a regularly trained chain of ${layers} layers is kept the longest?`,
    hint: 'An activation is computed by its forward and can be freed after the last backward that needs it.',
    options: chance.shuffled(
      candidates.map((v) => ({
        text: layerName(v),
        isRight: steps(v) === most,
        why: `${layerName(v)} is on the board during ${steps(v)} of ${frames.length} operations${steps(v) === most ? ': the tensor that is computed first is needed last.' : '; another one is kept longer.'}`,
      })),
    ),
  };
});

export const REGULAR_EXERCISES = [peak, bytes, last];
