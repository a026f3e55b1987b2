import { type Experiment, type ExperimentInput, experimentSchema } from '../../../app/contract/experiment.ts';
import { sameExperiment } from '../experiment/experiment-store.ts';

/** An experiment worth looking at, with what it shows. A test holds each sentence against the engine. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly screen: string;
  readonly experiment: Experiment;
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
    experiment: { model: 'unet', batch: 4, strategies: ['regular', 'chen-sqrt', 'optimal', 'live'] },
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
      'more time. Revolve recomputes parts of the forward pass several times, and saves most of what is left for more than half.',
  }),
  preset({
    id: 'cvpr-table-1',
    title: 'Table 1, what applies where',
    screen: 'tables',
    experiment: { model: 'customnet', batch: 64, strategies: ['regular', 'chen-greedy', 'optimal'] },
    view: { table: 'capabilities' },
    commentary:
      'Every strategy runs on small graphs, and an exhaustive search says whether anything is better. Chen and Revolve ' +
      'are optimal on chains of equal tensors only, the papers’ optimum everywhere by its own measure, as they print.',
  }),
  preset({
    id: 'cvpr-figure-1',
    title: 'Figure 1, four RTX 2080 Ti',
    screen: 'limits',
    experiment: { model: 'resnet50', batch: 64, strategies: ['regular', 'optimal'], device: 'rtx-2080-ti' },
    selected: 'optimal',
    commentary:
      'On four cards the paper trains a batch of 256 at 224 pixels; with checkpoints 512 at 224, or 256 at 320. Both ' +
      'are within what the optimum admits here, and neither is within what regular training does.',
  }),
  preset({
    id: 'one-segment-of-forty-layers',
    title: '40 layers in one segment',
    experiment: {
      model: 'forty-layers',
      batch: 512,
      strategies: ['regular', 'manual', 'optimal'],
      checkpoints: ['out1', 'layers.39.out'],
    },
    selected: 'manual',
    commentary:
      'The article measures 244.5352 MB without and 166.5352 MB with a checkpoint: weights and what is held after the ' +
      'forward, to the last digit. But one segment computes all 40 layers again at once, and the peak hardly falls.',
  }),
  preset({
    id: 'forty-layers-in-segments',
    title: '40 layers in six segments',
    experiment: {
      model: 'forty-layers',
      batch: 512,
      strategies: ['regular', 'sequential', 'optimal'],
      segments: 6,
    },
    selected: 'sequential',
    commentary:
      'Cut into six equal segments, the article’s network holds 188.5 MB after the forward, more than the 166.5 MB of ' +
      'one segment; but the peak of what the step stores falls by over three fifths.',
  }),
  preset({
    id: 'memory-against-depth',
    title: 'Memory against depth',
    experiment: {
      model: 'cifar-resnet-1202',
      batch: 1280,
      strategies: ['regular', 'chen-sqrt', 'articulation'],
      also: [20, 32, 56, 110, 218, 434].map((depth) => ({ model: `cifar-resnet-${depth}` })),
    },
    selected: 'articulation',
    view: { measure: 'peak' },
    commentary:
      'The article’s ResNet for CIFAR-10 at batch 1,280: regular training grows with the depth, checkpoints with its ' +
      'root. At 1,202 layers OpenAI’s automatic mode needs about 6 GB, as the article prints.',
  }),
  preset({
    id: 'the-collection-speed',
    title: 'Only what is cheap again',
    experiment: { model: 'cifar-resnet-110', batch: 1280, strategies: ['regular', 'articulation', 'speed'] },
    selected: 'speed',
    commentary:
      'OpenAI’s package costs one more forward, 20 to 30 % of the time by the article. Its collection speed computes no ' +
      'convolution twice: it halves the memory for under 1 %, where the automatic mode saves over four fifths.',
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
  preset({
    id: 'resnet-in-bags',
    title: 'ResNet-50 is almost a tree',
    screen: 'graph',
    experiment: { model: 'resnet50', batch: 64, strategies: ['regular', 'optimal', 'live'] },
    view: { panel: 'bags' },
    commentary:
      'OpenAI’s article says “Resnet, treewidth=3” and counts the largest bag of a tree decomposition; here it is, bag by ' +
      'bag. By the usual definition the width is one less. Tables has all widths of the article.',
  }),
  preset({
    id: 'cvpr-figure-6',
    title: 'Figure 6, the solver under C = 25',
    screen: 'graph',
    experiment: { model: 'figure-6', batch: 32, strategies: ['chen-greedy', 'optimal'] },
    selected: 'optimal',
    view: { panel: 'division', c: String((25 * 2 ** 20) / 32) },
    commentary:
      'Members of 10, 5, 10, 10, 30 and 10 MiB, and C of 25 MiB: the one of 30 is divided, so both its ends and a tensor ' +
      'within are kept, and the linear solver keeps one more tensor, v2, among the four before it.',
  }),
  preset({
    id: 'reforwarding-figure-9',
    title: 'Figure 9, VGG-16 and Chen beside ours',
    screen: 'graph',
    experiment: { model: 'vgg16', batch: 1, strategies: ['chen-greedy', 'optimal'] },
    selected: 'optimal',
    commentary:
      'The 22 tensors of VGG-16 for one image: the optimum keeps two and cuts 51 % by Eq. 1, as the paper prints; Chen’s ' +
      'greedy rule also keeps two, the second a different one.',
  }),
  preset({
    id: 'reforwarding-figure-10',
    title: 'Figure 10, CustomNet',
    screen: 'graph',
    experiment: { model: 'customnet', batch: 1, strategies: ['chen-greedy', 'optimal'] },
    selected: 'optimal',
    commentary:
      'The 35 tensors of a network that no single one splits: Chen’s approach is not applicable, as the figure says, and ' +
      'the optimum keeps tensors within its branches.',
  }),
];

/** The preset that is on screen, as long as nothing of its experiment is changed. */
export function presetOf(screen: string, experiment: Experiment): Preset | null {
  return PRESETS.find((one) => one.screen === screen && sameExperiment(one.experiment, experiment)) ?? null;
}
