import type { FineTuning } from '../../engine/zoo/language/fine-tuning.ts';

/** Adapters alone are trained; null targets are peft's own for the model type, and a list has the products of attention. */
export interface LoraCase {
  readonly rank: number;
  readonly dropout?: number;
  readonly targets: null | 'all-linear' | readonly string[];
}

/** The same, as a network is built with. */
export const tuningOf = (lora: LoraCase | undefined): FineTuning | undefined =>
  lora && {
    rank: lora.rank,
    dropout: lora.dropout,
    targets: lora.targets === null ? 'usual' : lora.targets === 'all-linear' ? 'all-linear' : 'attention',
    isQuantised: false,
  };
