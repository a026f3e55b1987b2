import { BadInputError } from '../../errors.ts';
import { optionOf, type OptionValues } from '../../options/options.ts';

type TuningOptions = Pick<OptionValues, 'lora' | 'loraTargets' | 'loraDropout' | 'baseBits'>;

const USUAL_RANK = 16;
const ASKING_FOR_RANK = ['loraTargets', 'loraDropout', 'baseBits'] as const;

/** Options that need less memory than these, the smallest change first: adapters, of attention alone, then four bits too. */
export function lighterTunings({ lora, baseBits }: TuningOptions): readonly TuningOptions[] {
  const adapters: readonly TuningOptions[] =
    lora === undefined ? [{ lora: USUAL_RANK }, { lora: USUAL_RANK, loraTargets: 'attention' }] : [];
  return baseBits === undefined ? [...adapters, { ...adapters[0], baseBits: '4' }] : adapters;
}

/** Training of adapters beside frozen products, as peft's LoRA does (Hu et al. 2021). */
export interface FineTuning {
  readonly rank: number;
  /** peft's `target_modules`: its own choice for a model type, the products of attention, or all but the head. */
  readonly targets: NonNullable<OptionValues['loraTargets']>;
  /** Rate of the dropout of what adapters read; 0 where absent. */
  readonly dropout?: number | undefined;
  /** True if frozen products have weights of four bits, as QLoRA (Dettmers et al. 2023). */
  readonly isQuantised: boolean;
}

/**
 * Fine-tuning as options ask for it; undefined where all is trained.
 * @throws BadInputError for an option of it without a rank
 */
export function fineTuningOf(options: TuningOptions): FineTuning | undefined {
  const { lora, loraTargets, loraDropout, baseBits } = options;
  if (lora !== undefined)
    return {
      rank: lora,
      targets: loraTargets ?? 'usual',
      dropout: loraDropout,
      isQuantised: baseBits === '4',
    };
  const alone = ASKING_FOR_RANK.find((name) => options[name] !== undefined);
  if (alone === undefined) return undefined;
  throw new BadInputError(
    `--${optionOf(alone).flag} says how LoRA trains; add --lora with a rank, such as --lora ${USUAL_RANK}`,
  );
}

/** @throws BadInputError for a network that is drawn from no config.json */
export function refuseFineTuning(tuning: FineTuning | undefined, name: string): void {
  if (tuning === undefined) return;
  throw new BadInputError(
    `--lora needs a language model by its name or its config.json, and ${name} is another network; leave --lora out`,
  );
}
