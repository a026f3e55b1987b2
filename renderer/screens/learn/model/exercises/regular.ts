import { GraphBuilder } from '../../../../../engine/graph/builder.ts';
import { conv2d } from '../../../../../engine/ops/make.ts';
import { chainPlay } from '../plays.ts';
import type { Play } from '../play.ts';
import { chanceOf } from './chance.ts';
import { choiceQuestion } from './choice-question.ts';
import { layerName } from './chain-drawing.ts';
import { numberQuestion } from './number-question.ts';
import { counted, type Exercise } from './question.ts';

export function atPeak({ frames, peakFrame }: Play): { activations: number; gradients: number } {
  const { live, gradients } = frames[peakFrame]!;
  const count = gradients.reduce((sum, one) => sum + one, 0);
  return { activations: live - count, gradients: count };
}

const peak: Exercise = {
  id: 'peak',
  title: 'The peak of a chain',
  make: (seed) => {
    const layers = chanceOf('regular.peak', seed).between(6, 60);
    const play = chainPlay(layers, 'regular');
    const { activations, gradients } = atPeak(play);
    const value = play.timeline.peakBytes;
    return numberQuestion({
      text: `A chain of ${layers} layers is trained regularly. Its input, each activation and each gradient of one take a pebble. How many pebbles are on the board at the peak?`,
      hint: 'Go to the first step of backward: what did the forward pass leave, and what comes on top?',
      unit: 'pebbles',
      value,
      because: `${counted(activations, 'activation')}, the input among them, and ${counted(gradients, 'gradient')}, make ${value}.`,
      slips: [
        { value: activations, why: 'that many activations are there, but you left out the gradients.' },
        { value: value - 1, why: 'one is missing: the input is stored throughout, and two gradients meet.' },
        {
          value: activations - 1,
          why: 'the layers alone; the input and the gradients are on the board, too.',
        },
        {
          value: 2 * activations,
          why: 'not every activation has a gradient at the same time: one is let go as soon as the next is there.',
        },
        {
          value: 2 * layers,
          why: 'not every layer has a gradient at the same time: one is let go as soon as the next is there.',
        },
      ],
    });
  },
};

const bytes: Exercise = {
  id: 'bytes',
  title: 'One pebble in bytes',
  make: (seed) => {
    const chance = chanceOf('regular.bytes', seed);
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
    return numberQuestion({
      text: `A 3 × 3 convolution with ${channels} filters, stride 1 and padding 1, reads a batch of ${batch} images of ${before} × ${side} × ${side} in float32. How much memory does its output take?`,
      hint: 'Batch × channels × height × width, and four bytes each. The stride is 1 and the padding 1: height and width stay.',
      unit: 'bytes',
      tolerance: 0.01,
      value,
      because: `${batch} × ${channels} × ${side} × ${side} elements of ${value / (batch * channels * side * side)} bytes.`,
      slips: [
        { value: graph.bytes[0]!, why: 'that is what it reads; its output has a channel for each filter.' },
        {
          value: value / batch,
          why: 'that is the output for one image; a tensor holds those of the whole batch.',
        },
        { value: value / 4, why: 'that is the number of elements; each takes four bytes.' },
        { value: value / 2, why: 'that would be float16, with two bytes an element.' },
        { value: value * 1.048576, why: 'MB and MiB differ by 5 %: a MiB has 1024 × 1024 bytes.' },
        { value: value / 1.048576, why: 'MB and MiB differ by 5 %: a MiB has 1024 × 1024 bytes.' },
        { value: value * 1.073741824, why: 'GB and GiB differ by 7 %: a GiB has 1024 × 1024 × 1024 bytes.' },
      ],
    });
  },
};

const last: Exercise = {
  id: 'longest',
  title: 'Kept the longest',
  make: (seed) => {
    const chance = chanceOf('regular.longest', seed);
    const layers = chance.between(7, 20);
    const { frames } = chainPlay(layers, 'regular');
    const steps = (v: number): number => frames.filter(({ pebbles }) => pebbles[v]! > 0).length;
    const candidates = [1, chance.between(2, 3), Math.ceil(layers / 2), layers];
    const most = Math.max(...candidates.map(steps));
    return choiceQuestion(
      {
        text: `Which of these activations of a regularly trained chain of ${layers} layers is kept the longest?`,
        hint: 'An activation comes with its forward and may go after the last backward that needs it.',
        options: candidates.map((v) => ({
          text: layerName(v),
          isRight: steps(v) === most,
          why: `${layerName(v)} is on the board during ${steps(v)} of ${frames.length} operations${steps(v) === most ? ': what is computed first is needed last.' : '; another one is there for longer.'}`,
        })),
      },
      chance,
    );
  },
};

export const REGULAR_EXERCISES: readonly Exercise[] = [peak, bytes, last];
