import { statedOptions } from '../../../engine/options/options.ts';
import type { GameRequest } from '../../../app/contract/checkpoint-game.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { LEVELS, type Level } from './levels.ts';

export interface Game {
  /** Equal for equal games: scores are kept under it. */
  readonly key: string;
  readonly request: GameRequest;
  /** Null for a network of one's own, a drawn one, or a level's at another size. */
  readonly level: Level | null;
}

/** The part of an experiment that is the game: everything that changes a byte of the drawing or of a step. */
export function gameOf(experiment: Experiment): Game {
  const { model, batch, input, dropout, profile, dtype, precision, checkpointing } = experiment;
  const { lora, loraTargets, loraDropout, baseBits } = experiment;
  const request: GameRequest = {
    model,
    ...statedOptions(experiment, 'graph'),
    batch,
    profile,
    dtype,
    ...(checkpointing === undefined ? {} : { checkpointing }),
  };
  const others = [
    ...(input === undefined ? [] : [`input ${input}`]),
    ...(dropout === undefined ? [] : [`dropout ${dropout}`]),
    ...(profile === 'pytorch' ? [] : [profile]),
    ...(dtype === 'float32' ? [] : [dtype]),
    ...(precision === undefined ? [] : [precision]),
    ...(lora === undefined ? [] : [['LoRA', lora, loraTargets, loraDropout, baseBits].join(' ')]),
    ...(checkpointing === undefined || checkpointing === 'non-reentrant' ? [] : [checkpointing]),
  ];
  const key = [keyOf({ model, batch }), ...others].join(', ');
  return { key, request, level: LEVELS.find((one) => keyOf(one) === key) ?? null };
}

export const keyOf = ({ model, batch }: Pick<Level, 'model' | 'batch'>): string => `${model} at ${batch}`;
