import { BadInputError } from '../../errors.ts';
import type { OptionValues } from '../../options/options.ts';
import { type FineTuning, fineTuningOf, refuseFineTuning } from './fine-tuning.ts';
import { type RankShare, rankShareOf, refuseShare } from './share.ts';

/** Settings that a language model alone has. */
export interface LanguageSettings {
  /** Adapters to train in place of all else. */
  readonly tuning?: FineTuning | undefined;
  /** Part that one of several GPUs computes. */
  readonly share?: RankShare | undefined;
  /** Tokens whose scores the loss holds at a time. */
  readonly lossTokens?: number | undefined;
  /** True if sequences are padded or packed. */
  readonly isMasked?: boolean | undefined;
}

/**
 * The settings as options ask for them.
 * @throws BadInputError for options that do not go together
 */
export const languageSettingsOf = (
  options: Parameters<typeof fineTuningOf>[0] &
    Parameters<typeof rankShareOf>[0] &
    Pick<OptionValues, 'lossChunk' | 'attentionMask'>,
): LanguageSettings => ({
  tuning: fineTuningOf(options),
  share: rankShareOf(options),
  lossTokens: options.lossChunk,
  isMasked: options.attentionMask === 'on',
});

/** @throws BadInputError for a network that is drawn from no config.json */
export function refuseLanguageSettings(
  { tuning, share, lossTokens, isMasked = false }: LanguageSettings,
  name: string,
): void {
  refuseFineTuning(tuning, name);
  refuseShare(share, name);
  const flag = lossTokens !== undefined ? '--loss-chunk' : isMasked ? '--attention-mask' : undefined;
  if (flag === undefined) return;
  throw new BadInputError(
    `${flag} needs a language model by its name or its config.json, and ${name} is another network; leave ${flag} out`,
  );
}
