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
    title: 'CVPR Table 2: deeper ResNets save more',
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
      'At the papers’ batch sizes: the deeper the ResNet, the larger the share of memory that checkpoints save. The ' +
      'papers’ optimum never saves less than Chen’s √n, for the same time. Live saves more for less time.',
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
      'The first tensors of VGG-16 are so large that no schedule needs less than half the memory of regular ' +
      'training. ResNet-50 has many tensors of similar size, and the same strategies save far more there.',
  }),
  preset({
    id: 'chen-and-ours-on-densenet',
    title: 'DenseNet: Chen’s √n, the optimum and Live',
    experiment: {
      model: 'densenet121',
      batch: 32,
      strategies: ['regular', 'chen-sqrt', 'chen-greedy', 'optimal', 'live'],
    },
    selected: 'live',
    commentary:
      'Dense connections leave few tensors that every path passes, and Chen’s √n can keep only those. The papers’ ' +
      'optimum goes lower for less time. Live cuts several tensors at once: it goes lowest, for less than half of ' +
      'Chen’s extra time.',
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
      'Attention without fused kernels stores a number for every pair of tokens. Fused kernels never do, and ' +
      'regular training of GPT-2 then needs two fifths less. Under Live the two come close, because it recomputes ' +
      'those tensors.',
  }),
  preset({
    id: 'skips-of-unet',
    title: 'U-Net: long skips leave few places to cut',
    experiment: { model: 'unet', batch: 4, strategies: ['regular', 'chen-sqrt', 'optimal', 'live'] },
    selected: 'live',
    commentary:
      'Skips from the first half of U-Net to its second leave hardly a tensor that every path passes. Chen’s √n ' +
      'saves less than a fifth. Live cuts several tensors at once and saves over three times as much.',
  }),
  preset({
    id: 'a-thousand-layers',
    title: 'A thousand layers: nine tenths saved',
    experiment: {
      model: 'chain-1000',
      batch: 32,
      strategies: ['regular', 'chen-sqrt', 'revolve', 'optimal'],
    },
    selected: 'chen-sqrt',
    commentary:
      'A thousand equal layers: Chen’s √n keeps one in about thirty and saves over nine tenths of the memory for a ' +
      'third more time. Revolve recomputes parts of the forward pass several times. It saves most of the rest, for ' +
      'more than half more time.',
  }),
  preset({
    id: 'cvpr-table-1',
    title: 'CVPR Table 1: which strategy is optimal where',
    screen: 'tables',
    experiment: { model: 'customnet', batch: 64, strategies: ['regular', 'chen-greedy', 'optimal'] },
    view: { table: 'capabilities' },
    commentary:
      'Every strategy runs on small graphs, and an exhaustive search shows if a better plan exists. Chen and ' +
      'Revolve are optimal only on chains of equal tensors. The papers’ optimum is optimal everywhere by its own ' +
      'measure, as they print.',
  }),
  preset({
    id: 'cvpr-figure-1',
    title: 'CVPR Figure 1: larger batches on four GPUs',
    screen: 'limits',
    experiment: { model: 'resnet50', batch: 64, strategies: ['regular', 'optimal'], device: 'rtx-2080-ti' },
    selected: 'optimal',
    commentary:
      'On four cards the paper trains a batch of 256 at 224 pixels; with checkpoints, 512 at 224 or 256 at 320. The ' +
      'optimum fits both here, and regular training fits neither.',
  }),
  preset({
    id: 'one-segment-of-forty-layers',
    title: '40 layers, one segment: the peak hardly falls',
    experiment: {
      model: 'forty-layers',
      batch: 512,
      strategies: ['regular', 'manual', 'optimal'],
      checkpoints: ['out1', 'layers.39.out'],
    },
    selected: 'manual',
    commentary:
      'The article measures 244.5352 MB without and 166.5352 MB with a checkpoint. The figures here agree to the ' +
      'last digit: weights and the tensors held after the forward pass. But one segment recomputes all 40 layers at ' +
      'once, and the peak hardly falls.',
  }),
  preset({
    id: 'forty-layers-in-segments',
    title: '40 layers, six segments: three fifths less',
    experiment: {
      model: 'forty-layers',
      batch: 512,
      strategies: ['regular', 'sequential', 'optimal'],
      segments: 6,
    },
    selected: 'sequential',
    commentary:
      'In six equal segments the article’s network holds 188.5 MB after the forward pass, more than the 166.5 MB ' +
      'with one segment. But the peak of the step’s tensors falls by over three fifths.',
  }),
  preset({
    id: 'memory-against-depth',
    title: 'Memory grows with depth, or with its root',
    experiment: {
      model: 'cifar-resnet-1202',
      batch: 1280,
      strategies: ['regular', 'chen-sqrt', 'articulation'],
      also: [20, 32, 56, 110, 218, 434].map((depth) => ({ model: `cifar-resnet-${depth}` })),
    },
    selected: 'articulation',
    view: { measure: 'peak' },
    commentary:
      'The article’s ResNet for CIFAR-10 at batch 1,280. The memory of regular training grows with the depth, with ' +
      'checkpoints with its square root. At 1,202 layers OpenAI’s automatic mode needs about 6 GB, as the article ' +
      'prints.',
  }),
  preset({
    id: 'the-collection-speed',
    title: 'Recompute cheap operations only',
    experiment: { model: 'cifar-resnet-110', batch: 1280, strategies: ['regular', 'articulation', 'speed'] },
    selected: 'speed',
    commentary:
      'By the article, OpenAI’s package costs one more forward pass, 20 to 30 % of the time. Its collection “speed” ' +
      'recomputes no convolution: it halves the memory for under 1 % more time. The automatic mode saves over four ' +
      'fifths.',
  }),
  preset({
    id: 'two-towers',
    title: 'Two towers: four checkpoints placed by hand',
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
      'No single tensor cuts two towers, so OpenAI’s automatic mode finds no checkpoint. Its article keeps a, b, c ' +
      'and d by hand, which saves over six tenths of the peak. The papers’ optimum keeps the same four.',
  }),
  preset({
    id: 'pebbles-in-order',
    title: 'The right order saves a pebble',
    screen: 'learn',
    experiment: { model: 'expression', batch: 32, strategies: ['regular', 'optimal', 'live'] },
    view: { lesson: 'orders', graph: 'expression', by: 'asap', at: '3' },
    commentary:
      'The expression of OpenAI’s article needs four pebbles if everything is computed as soon as possible, and ' +
      'three if as late as possible. Liu’s order is optimal for every tree.',
  }),
  preset({
    id: 'resnet-in-bags',
    title: 'ResNet-50 is almost a tree',
    screen: 'graph',
    experiment: { model: 'resnet50', batch: 64, strategies: ['regular', 'optimal', 'live'] },
    view: { panel: 'bags' },
    commentary:
      'OpenAI’s article says “Resnet, treewidth=3” and counts the largest bag of a tree decomposition, which is ' +
      'shown here bag by bag. By the usual definition the width is one less. Tables lists all widths of the ' +
      'article.',
  }),
  preset({
    id: 'cvpr-figure-6',
    title: 'CVPR Figure 6: the linear solver at C = 25',
    screen: 'graph',
    experiment: { model: 'figure-6', batch: 32, strategies: ['chen-greedy', 'optimal'] },
    selected: 'optimal',
    view: { panel: 'division', c: String((25 * 2 ** 20) / 32) },
    commentary:
      'The members have 10, 5, 10, 10, 30 and 10 MiB, and C is 25 MiB. The member of 30 MiB is divided: both its ' +
      'ends and a tensor inside are kept. Of the four before it, the linear solver keeps one more tensor, v2.',
  }),
  preset({
    id: 'reforwarding-figure-9',
    title: 'CVPR Figure 9: Chen beside the optimum on VGG-16',
    screen: 'graph',
    experiment: { model: 'vgg16', batch: 1, strategies: ['chen-greedy', 'optimal'] },
    selected: 'optimal',
    commentary:
      'The 22 tensors of VGG-16 for one image. The optimum keeps two and saves 51 % by Eq. 1, as the paper prints. ' +
      'Chen’s greedy rule also keeps two; the second is a different one.',
  }),
  preset({
    id: 'reforwarding-figure-10',
    title: 'CVPR Figure 10: a network that Chen cannot split',
    screen: 'graph',
    experiment: { model: 'customnet', batch: 1, strategies: ['chen-greedy', 'optimal'] },
    selected: 'optimal',
    commentary:
      'The 35 tensors of CustomNet, which no single tensor splits. Chen’s approach does not apply, as the figure ' +
      'says. The optimum keeps tensors inside the branches.',
  }),
];

/** The preset that is on screen, as long as nothing of its experiment is changed. */
export function presetOf(screen: string, experiment: Experiment): Preset | null {
  return PRESETS.find((one) => one.screen === screen && sameExperiment(one.experiment, experiment)) ?? null;
}
