import { BadInputError } from '../../errors.ts';
import type { OptionValues } from '../../options/options.ts';
import type { FineTuning } from './fine-tuning.ts';
import type { LanguageModel, Layer } from './model.ts';

/** Part of a model that one GPU of several computes. */
export interface RankShare {
  /** GPUs among which products, heads and the vocabulary are split. */
  readonly tensor: number;
  /** True if norms and residuals are split among them too, along the sequence. */
  readonly isSequence: boolean;
  /** GPUs among which the experts of each layer are divided; absent where each has all. */
  readonly experts?: number | undefined;
  /** GPUs among which every sequence is divided; absent where each has the whole of its own. */
  readonly context?: number | undefined;
  /** Pipeline stage; absent where a GPU has all layers. */
  readonly stage?: Stage | undefined;
}

/** Neighbouring layers of a model: one of so many parts, counted from 0. */
export interface Stage {
  readonly index: number;
  readonly count: number;
}

type ShareOptions = Pick<
  OptionValues,
  'tensor' | 'sequenceParallel' | 'expertParallel' | 'contextParallel' | 'pipeline' | 'pipelineStage'
>;

/**
 * A GPU's share as options ask for it; undefined where each GPU has the whole model.
 * @throws BadInputError for options that do not go together
 */
export function rankShareOf(options: ShareOptions): RankShare | undefined {
  const { tensor = 1, sequenceParallel, expertParallel = 1, contextParallel = 1 } = options;
  const { pipeline = 1, pipelineStage = 1 } = options;
  if (pipelineStage > pipeline)
    throw new BadInputError(
      pipeline === 1
        ? 'a stage is part of a pipeline; set pipeline stages to 2 or more (--pipeline 2)'
        : `a pipeline of ${pipeline} stages has no stage ${pipelineStage}; use a stage from 1 to ${pipeline}`,
    );
  if (tensor === 1 && sequenceParallel === 'on')
    throw new BadInputError(
      'sequence parallel splits what tensor parallel leaves whole; set tensor parallel to 2 (--tensor 2)',
    );
  if (tensor * pipeline * expertParallel * contextParallel === 1) return undefined;
  const stage = pipeline === 1 ? undefined : { index: pipelineStage - 1, count: pipeline };
  const isSequence = sequenceParallel === 'on';
  return { tensor, isSequence, experts: expertParallel, context: contextParallel, stage };
}

/** @throws BadInputError for a network that is drawn from no config.json */
export function refuseShare(share: RankShare | undefined, name: string): void {
  if (share === undefined) return;
  const { tensor, experts = 1, context = 1 } = share;
  const way = tensor > 1 ? 'tensor' : experts > 1 ? 'expert' : context > 1 ? 'context' : undefined;
  const what = way === undefined ? 'pipeline stages need' : `${way} parallel needs`;
  throw new BadInputError(
    `${what} a language model by its name or its config.json, and ${name} is another network; leave it out`,
  );
}

const refusing =
  (what: string) =>
  (why: string): never => {
    throw new BadInputError(`${what}: ${why}`);
  };

/** @throws BadInputError through `refuse` where layers read more than what the one before them wrote */
function requireOwnInputs(
  { perLayer, layers }: LanguageModel,
  refuse: (why: string) => never,
  what: string,
): void {
  if (perLayer !== null || layers.some(({ attention }) => attention.shared !== null))
    refuse(`its layers read what earlier ones wrote; leave ${what} out`);
}

/**
 * The layers of a stage: as many in each, and one more in the first ones where they do not divide.
 * @throws BadInputError for a model that cannot be divided so
 */
export function layersOfStage(
  model: LanguageModel,
  { index, count }: Stage,
): readonly [first: number, end: number] {
  const { name, layers, encoder, pooler, maskedHead } = model;
  const refuse = refusing(`a pipeline of ${count} stages cannot divide ${name}`);
  if (encoder !== null) refuse('its encoder is not divided; leave the pipeline out');
  if (pooler !== null) refuse('it makes one vector of a sequence; leave the pipeline out');
  if (maskedHead !== null) refuse('its head is for hidden tokens; leave the pipeline out');
  requireOwnInputs(model, refuse, 'the pipeline');
  if (layers.length < count) refuse(`it has ${layers.length} layers; use ${layers.length} stages or fewer`);
  const start = (i: number): number =>
    i * Math.floor(layers.length / count) + Math.min(i, layers.length % count);
  return [start(index), start(index + 1)];
}

/**
 * The model that one rank of tensor parallel computes (Shoeybi et al. 2019, section 3): its heads, its part of the inner
 * width and of the vocabulary, which is the largest part where it does not divide.
 *
 * @throws BadInputError for a model that cannot be split so
 */
export function shareOfModel(
  model: LanguageModel,
  { tensor }: RankShare,
  tuning: FineTuning | undefined,
): LanguageModel {
  const refuse = refusing(`tensor parallel of ${tensor} cannot split ${model.name}`);
  if (tuning?.isQuantised === true)
    refuse('bitsandbytes splits no weights of four bits; leave --base-bits out');
  if (model.maskedHead !== null) refuse('its head is for hidden tokens; leave tensor parallel out');
  if (model.pooler !== null) refuse('it makes one vector of a sequence; leave tensor parallel out');
  if (model.encoder !== null) refuse('its encoder is not split; leave tensor parallel out');
  requireOwnInputs(model, refuse, 'tensor parallel');
  const shared = (what: string, count: number): number =>
    count % tensor === 0
      ? count / tensor
      : refuse(`its ${count} ${what} are not a multiple of ${tensor}; use a divisor of ${count}`);
  const layerShare = ({ attention, mlp, ...layer }: Layer): Layer => {
    if (attention.latent !== null) refuse('its latent attention is not split; leave tensor parallel out');
    if (attention.normsAllHeads) refuse('a norm goes over all its heads; leave tensor parallel out');
    if (layer.order === 'parallel-one-norm')
      refuse('its layers of one norm are not split; leave tensor parallel out');
    if (mlp.experts !== null) refuse('its experts are not split; leave tensor parallel out');
    if (layer.delta !== null) refuse('its linear attention is not split; leave tensor parallel out');
    const heads = shared('heads', attention.heads);
    const groups = shared('heads of keys and values', attention.groups);
    const inner = shared('inner features', mlp.inner);
    return { ...layer, attention: { ...attention, heads, groups }, mlp: { ...mlp, inner } };
  };
  return { ...model, vocabulary: Math.ceil(model.vocabulary / tensor), layers: model.layers.map(layerShare) };
}

/** @throws BadInputError for a model whose experts cannot be divided so */
export function requireExperts(
  { name, layers }: LanguageModel,
  { experts = 1 }: RankShare,
  tuning: FineTuning | undefined,
): void {
  if (experts === 1) return;
  const refuse = refusing(`expert parallel of ${experts} cannot divide ${name}`);
  const all = layers.flatMap(({ mlp }) => mlp.experts ?? []);
  if (all.length === 0) refuse('it has no experts; leave --expert-parallel out');
  if (tuning?.targets === 'all-linear')
    refuse('adapters of experts are not divided; set LoRA targets to attention (--lora-targets attention)');
  for (const { count, computesAll, isBounded } of all) {
    if (isBounded) refuse('biases of its experts are not divided; leave --expert-parallel out');
    if (computesAll) refuse('each of its experts computes every token; leave --expert-parallel out');
    if (count % experts !== 0)
      refuse(`its ${count} experts are not a multiple of ${experts}; use a divisor of ${count}`);
  }
}

/**
 * A rank has the first part of a sequence of twice as many as there are ranks, and the last (PyTorch,
 * `torch.distributed.tensor.experimental.context_parallel`), so that all compute as much of a causal mask.
 *
 * @throws BadInputError for a model or a sequence that cannot be divided so
 */
export function requireContext(
  { name, layers, encoder, image, pair, pooler, maskedHead }: LanguageModel,
  { context = 1 }: RankShare,
  length: number,
  isMasked: boolean,
): void {
  if (context === 1) return;
  const refuse = refusing(`context parallel of ${context} cannot divide ${name}`);
  const leaveOut = 'leave --context-parallel out';
  if (MASKED.includes(name)) refuse(`PyTorch does not turn its mask off; ${leaveOut}`);
  if (image !== null || pair !== null || encoder !== null || pooler !== null || maskedHead !== null)
    refuse(`its attention is not causal throughout; ${leaveOut}`);
  for (const { attention, delta } of layers) {
    if (delta !== null) refuse(`its linear attention reads the whole sequence; ${leaveOut}`);
    if (attention.kernel !== 'sdpa')
      refuse(`its attention is ${attention.kernel}; set attn_implementation to sdpa in its config.json`);
    if (attention.window !== null) refuse(`its attention has windows; ${leaveOut}`);
  }
  if (isMasked) refuse('PyTorch divides no attention mask; leave --attention-mask out');
  if (length % (2 * context) !== 0)
    refuse(
      `a sequence of ${length} is not a multiple of ${2 * context}; use ${nextMultiple(length, 2 * context)}`,
    );
}

/** Model types whose attention modules have another name than accelerate's context parallel looks for. */
const MASKED = ['gpt2', 'gpt_neox'];

const nextMultiple = (n: number, of: number): number => Math.ceil(n / of) * of;
