import { type Experiment, type ExperimentInput, experimentSchema } from '../../../app/contract/experiment.ts';
import { sameExperiment } from '../experiment/experiment-store.ts';

/** An experiment worth looking at, with what it shows. A test holds each sentence against the engine. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly screen: string;
  readonly experiment: Experiment;
  /** The strategy in front. */
  readonly selected: string | null;
  readonly view: Readonly<Record<string, string>>;
  readonly commentary: string;
}

interface Given extends Pick<Preset, 'id' | 'title' | 'commentary'> {
  readonly experiment: ExperimentInput;
  readonly screen?: string;
  readonly selected?: string;
  readonly view?: Readonly<Record<string, string>>;
}

const preset = ({ experiment, screen = 'compare', selected, view = {}, ...rest }: Given): Preset => ({
  ...rest,
  screen,
  experiment: experimentSchema.parse(experiment),
  selected: selected ?? null,
  view,
});

export const PRESETS: readonly Preset[] = [
  preset({
    id: 'table-2-resnets',
    title: 'Table 2, the ResNet rows',
    experiment: {
      model: 'resnet50',
      batch: 64,
      strategies: ['regular', 'chen-sqrt', 'random', 'optimal', 'live'],
      also: [
        { model: 'resnet18', batch: 256 },
        { model: 'resnet34', batch: 128 },
        { model: 'resnet101', batch: 32 },
        { model: 'resnet152', batch: 16 },
      ],
    },
    selected: 'optimal',
    commentary:
      'At the papers’ batch sizes: the deeper the ResNet, the larger the share that checkpoints save. The papers’ ' +
      'optimum never saves less than Chen’s √n, for the same time; Live saves more for less.',
  }),
  preset({
    id: 'why-vgg',
    title: 'Why VGG saves so little',
    experiment: {
      model: 'vgg16',
      batch: 64,
      strategies: ['regular', 'chen-sqrt', 'optimal', 'live'],
      also: [{ model: 'resnet50' }],
    },
    selected: 'live',
    view: { networks: 'share' },
    commentary:
      'VGG-16’s first tensors are so large that no schedule at all can go below half of what regular training needs. ' +
      'ResNet-50 has many tensors of similar size, and there the same strategies save far more.',
  }),
  preset({
    id: 'chen-and-ours-on-densenet',
    title: 'Chen and ours on DenseNet',
    experiment: {
      model: 'densenet121',
      batch: 32,
      strategies: ['regular', 'chen-sqrt', 'chen-greedy', 'optimal', 'live'],
    },
    selected: 'live',
    commentary:
      'Dense connections leave few tensors that everything passes through, and those are all that Chen’s √n may keep. ' +
      'The papers’ optimum goes lower for less time; Live, which cuts several tensors at once, goes lowest for less ' +
      'than half of Chen’s extra time.',
  }),
  preset({
    id: 'largest-batch-2080-ti',
    title: 'Largest batch on an RTX 2080 Ti',
    screen: 'limits',
    experiment: {
      model: 'resnet50',
      batch: 64,
      strategies: ['regular', 'chen-sqrt', 'optimal', 'live'],
      device: 'rtx-2080-ti',
    },
    selected: 'live',
    commentary:
      'On the papers’ own card, ResNet-50 trains with over twice the batch under Chen’s √n, over three times under ' +
      'the papers’ optimum, and more still under Live.',
  }),
  preset({
    id: 'fused-attention',
    title: 'Attention with and without fused kernels',
    experiment: {
      model: 'gpt2',
      batch: 8,
      strategies: ['regular', 'optimal', 'live'],
      also: [{ model: 'gpt2-fused' }],
    },
    selected: 'live',
    view: { measure: 'peak' },
    commentary:
      'Attention that is written out stores a figure for every pair of tokens; fused kernels never do, and regular ' +
      'training of GPT-2 needs two fifths less. Under Live the two come close: those tensors are the ones to compute again.',
  }),
  preset({
    id: 'skips-of-unet',
    title: 'The long skips of U-Net',
    experiment: {
      model: 'unet',
      batch: 4,
      strategies: ['regular', 'chen-sqrt', 'optimal', 'live'],
    },
    selected: 'live',
    commentary:
      'Skips from the first half of U-Net to its second leave hardly a tensor that everything passes through: Chen’s ' +
      '√n saves less than a fifth. Live cuts several tensors at once and saves over three times as much.',
  }),
  preset({
    id: 'a-thousand-layers',
    title: 'A thousand layers',
    experiment: {
      model: 'chain-1000',
      batch: 32,
      strategies: ['regular', 'chen-sqrt', 'revolve', 'optimal'],
    },
    selected: 'chen-sqrt',
    commentary:
      'A thousand equal layers: Chen’s √n keeps one in about thirty and saves over nine tenths of the memory for a third ' +
      'more time. Revolve runs parts of the forward again and again, and saves most of what is left for more than half.',
  }),
  preset({
    id: 'two-towers',
    title: 'Two towers and a, b, c, d',
    screen: 'graph',
    experiment: {
      model: 'two-towers',
      batch: 32,
      strategies: ['regular', 'articulation', 'manual', 'optimal', 'live'],
      checkpoints: ['a', 'b', 'c', 'd'],
    },
    selected: 'manual',
    view: { panel: 'yours' },
    commentary:
      'No single tensor cuts two towers, so OpenAI’s automatic mode finds no checkpoint; its article keeps a, b, c and d ' +
      'by hand, which saves over six tenths of the peak, and the papers’ optimum keeps the same four.',
  }),
  preset({
    id: 'pebbles-in-order',
    title: 'Four pebbles or three',
    screen: 'learn',
    experiment: { model: 'expression', batch: 32, strategies: ['regular', 'optimal', 'live'] },
    view: { lesson: 'orders', graph: 'expression', by: 'asap', at: '3' },
    commentary:
      'The expression of OpenAI’s article takes four pebbles when everything is computed as soon as possible, and three ' +
      'as late as possible. Liu’s order is the best for every tree.',
  }),
];

/** The preset that is on screen, as long as nothing of its experiment is changed. */
export function presetOf(screen: string, experiment: Experiment): Preset | null {
  return PRESETS.find((one) => one.screen === screen && sameExperiment(one.experiment, experiment)) ?? null;
}
