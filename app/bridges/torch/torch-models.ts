import type { Graph } from '../../../engine/graph/graph.ts';

/** How PyTorch's libraries make one of the zoo's networks; `dropout` stands for the rate that the plan was made with. */
export interface TorchModel {
  readonly library: 'torchvision' | 'timm';
  /** An expression of Python. */
  readonly make: string;
}

/**
 * The same network in PyTorch, or why none is. A network that PyTorch computes with other operations is planned again: the
 * Python package captures the model and plans it within the same peak.
 */
export type TorchModels =
  | { readonly models: readonly TorchModel[]; readonly isReplanned: boolean }
  | { readonly reason: string };

const vision = (make: string): TorchModel => ({ library: 'torchvision', make: `torchvision.models.${make}` });
const timm = (name: string, options = ''): TorchModel => ({
  library: 'timm',
  make: `timm.create_model('${name}'${options})`,
});

const DENSE =
  'in torchvision and timm every layer of a DenseNet concatenates all results before it; in the papers’ network a layer adds its own to what was concatenated before';

/** Models that the test with torchvision and timm covers (test/app/bridges/torch-zoo.test.ts). */
const SAME: Readonly<Record<string, (dropout: number) => readonly TorchModel[]>> = {
  alexnet: (dropout) => [vision(`alexnet(dropout=${dropout})`)],
  vgg11: (dropout) => [vision(`vgg11(dropout=${dropout})`)],
  vgg13: (dropout) => [vision(`vgg13(dropout=${dropout})`)],
  vgg16: (dropout) => [vision(`vgg16(dropout=${dropout})`)],
  vgg19: (dropout) => [vision(`vgg19(dropout=${dropout})`)],
  resnet18: () => [vision('resnet18()'), timm('resnet18')],
  resnet34: () => [vision('resnet34()'), timm('resnet34')],
  resnet50: () => [vision('resnet50()'), timm('resnet50')],
  resnet101: () => [vision('resnet101()'), timm('resnet101')],
  resnet152: () => [vision('resnet152()'), timm('resnet152')],
  inceptionv3: (dropout) => [
    vision(`inception_v3(aux_logits=False, dropout=${dropout})`),
    timm('inception_v3', dropout > 0 ? `, drop_rate=${dropout}` : ''),
  ],
  'mobilenet-v2': (dropout) => [
    vision(`mobilenet_v2(dropout=${dropout})`),
    timm('mobilenetv2_100', dropout > 0 ? `, drop_rate=${dropout}` : ''),
  ],
};

/** Why the library's model of the same name is another network. */
const OTHERS: Readonly<Record<string, string>> = {
  densenet121: DENSE,
  densenet161: DENSE,
  densenet169: DENSE,
  densenet201: DENSE,
  nasnet: 'timm’s nasnetalarge is for ImageNet; the zoo’s NASNet is for CIFAR-10',
};

/** Operations that the Python file tells apart by what they are. */
const COMPARED = new Set([
  'input',
  'conv2d',
  'batch-norm',
  'relu',
  'relu6',
  'max-pool',
  'avg-pool',
  'adaptive-avg-pool',
  'linear',
  'add',
  'multiply',
  'concat',
  'dropout',
  'flatten',
  'identity',
]);

const CAPTURED = /@\d+(-\d+)?$/;

/** True when a graph's operations carry the names that `zigzag_torch.capture` gives. */
export function isCaptured({ ids }: Graph): boolean {
  return ids.some((id) => CAPTURED.test(id));
}

/**
 * Expressions that build a network of the zoo in PyTorch; empty when neither library has it, but a model of one's own
 * that runs the same operations is found by them.
 */
export function torchModels(
  graph: Graph,
  ofZoo: { readonly model: string; readonly dropout?: number | undefined } | null,
): TorchModels {
  const other = ofZoo === null ? undefined : OTHERS[ofZoo.model];
  if (other !== undefined) return { reason: other };
  const isMatched =
    graph.operations[0]?.kind === 'input' &&
    graph.operations.every((op) => COMPARED.has(op?.kind ?? 'opaque'));
  const models = ofZoo === null || !isMatched ? [] : (SAME[ofZoo.model]?.(ofZoo.dropout ?? 0) ?? []);
  return { models, isReplanned: !isMatched };
}
