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
    text: `A chain of ${layers} layers is trained regularly. Its input, each activation and each gradient of one take a pebble. How many pebbles are on the board at the peak?`,
    hint: 'Go to the first step of backward: what did the forward pass leave, and what comes on top?',
    unit: 'pebbles',
    value,
    because: `${counted(activations, 'activation')}, the input among them, and ${counted(gradients, 'gradient')}, make ${value}.`,
    slips: [
      [activations, 'that many activations are there, but you left out the gradients.'],
      [value - 1, 'one is missing: the input is stored throughout, and two gradients meet.'],
      [activations - 1, 'the layers alone; the input and the gradients are on the board, too.'],
      [
        2 * activations,
        'not every activation has a gradient at the same time: one is let go as soon as the next is there.',
      ],
      [
        2 * layers,
        'not every layer has a gradient at the same time: one is let go as soon as the next is there.',
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
    hint: 'Batch × channels × height × width, and four bytes each. The stride is 1 and the padding 1: height and width stay.',
    unit: 'bytes',
    tolerance: 0.01,
    value,
    because: `${batch} × ${channels} × ${side} × ${side} elements of ${value / (batch * channels * side * side)} bytes.`,
    slips: [
      [graph.bytes[0]!, 'that is what it reads; its output has a channel for each filter.'],
      [value / batch, 'that is the output for one image; a tensor holds those of the whole batch.'],
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
    hint: 'An activation comes with its forward and may go after the last backward that needs it.',
    options: chance.shuffled(
      candidates.map((v) => ({
        text: layerName(v),
        isRight: steps(v) === most,
        why: `${layerName(v)} is on the board during ${steps(v)} of ${frames.length} operations${steps(v) === most ? ': what is computed first is needed last.' : '; another one is there for longer.'}`,
      })),
    ),
  };
});

export const REGULAR_EXERCISES = [peak, bytes, last];
