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
}

type ShareOptions = Pick<OptionValues, 'tensor' | 'sequenceParallel'>;

/**
 * A GPU's share as options ask for it; undefined where each GPU has the whole model.
 * @throws BadInputError for options that do not go together
 */
export function rankShareOf(options: ShareOptions): RankShare | undefined {
  const { tensor, sequenceParallel } = options;
  if (tensor === undefined) {
    if (sequenceParallel !== 'on') return undefined;
    throw new BadInputError(
      'sequence parallel splits what tensor parallel leaves whole; set tensor parallel to 2 (--tensor 2)',
    );
  }
  return { tensor, isSequence: sequenceParallel === 'on' };
}

/** @throws BadInputError for a network that is drawn from no config.json */
export function refuseShare(share: RankShare | undefined, name: string): void {
  if (share === undefined) return;
  throw new BadInputError(
    `tensor parallel needs a language model by its name or its config.json, and ${name} is another network; leave it out`,
  );
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
  const refuse = (why: string): never => {
    throw new BadInputError(`tensor parallel of ${tensor} cannot split ${model.name}: ${why}`);
  };
  if (tuning !== undefined) refuse('adapters are not split; leave tensor parallel out');
  if (model.maskedHead !== null) refuse('its head is for hidden tokens; leave tensor parallel out');
  if (model.pooler !== null) refuse('it makes one vector of a sequence; leave tensor parallel out');
  if (model.encoder !== null) refuse('its encoder is not split; leave tensor parallel out');
  const shared = (what: string, count: number): number =>
    count % tensor === 0
      ? count / tensor
      : refuse(`its ${count} ${what} are not a multiple of ${tensor}; use a divisor of ${count}`);
  const layerShare = ({ attention, mlp, ...layer }: Layer): Layer => {
    if (attention.latent !== null) refuse('its latent attention is not split; leave tensor parallel out');
    if (layer.order === 'parallel-one-norm')
      refuse('its layers of one norm are not split; leave tensor parallel out');
    if (mlp.experts !== null) refuse('its experts are not split; leave tensor parallel out');
    const heads = shared('heads', attention.heads);
    const groups = shared('heads of keys and values', attention.groups);
    const inner = shared('inner features', mlp.inner);
    return { ...layer, attention: { ...attention, heads, groups }, mlp: { ...mlp, inner } };
  };
  return { ...model, vocabulary: Math.ceil(model.vocabulary / tensor), layers: model.layers.map(layerShare) };
}
