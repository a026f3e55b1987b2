import { BadInputError } from '../../errors.ts';
import type { OptionValues } from '../../options/options.ts';

/** Training of adapters beside frozen products, as peft's LoRA does (Hu et al. 2021). */
export interface FineTuning {
  readonly rank: number;
  /** peft's `target_modules`: its own choice for a model type, or every product but the head. */
  readonly targets: NonNullable<OptionValues['loraTargets']>;
  /** True if frozen products have weights of four bits, as QLoRA (Dettmers et al. 2023). */
  readonly isQuantised: boolean;
}

/**
 * Fine-tuning as options ask for it; undefined where all is trained.
 * @throws BadInputError for an option of it without a rank
 */
export function fineTuningOf({
  lora,
  loraTargets,
  baseBits,
}: Pick<OptionValues, 'lora' | 'loraTargets' | 'baseBits'>): FineTuning | undefined {
  if (lora !== undefined)
    return { rank: lora, targets: loraTargets ?? 'usual', isQuantised: baseBits === '4' };
  const flag =
    loraTargets !== undefined ? '--lora-targets' : baseBits !== undefined ? '--base-bits' : undefined;
  if (flag === undefined) return undefined;
  throw new BadInputError(`${flag} says how LoRA trains; add --lora with a rank, such as --lora 16`);
}

/** @throws BadInputError for a network that is drawn from no config.json */
export function refuseFineTuning(tuning: FineTuning | undefined, name: string): void {
  if (tuning === undefined) return;
  throw new BadInputError(
    `--lora needs a language model by its name or its config.json, and ${name} is another network; leave --lora out`,
  );
}
