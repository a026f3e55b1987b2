import type { FineTuning } from '../../engine/zoo/language/fine-tuning.ts';

/** Adapters alone are trained; null targets are peft's own for the model type. */
export interface LoraCase {
  readonly rank: number;
  readonly targets: null | 'all-linear';
}

/** The same, as a network is built with. */
export const tuningOf = (lora: LoraCase | undefined): FineTuning | undefined =>
  lora && { rank: lora.rank, targets: lora.targets ?? 'usual', isQuantised: false };
