import { type Experiment, experimentSchema, type NetworkChoice } from '../../../app/contract/experiment.ts';
import { given } from '../../../engine/given.ts';
import { LANGUAGE_OPTIONS, type OptionName, optionOf } from '../../../engine/options/options.ts';
import { MAX_BATCH } from '../../../engine/options/sizes.ts';
import { isFileNetwork } from '../../../app/contract/opened-file.ts';
import type { ModelInfoRow } from '../../../app/contract/results.ts';
import type { Precision } from '../../../engine/training-memory/setup.ts';
import { toFront } from './networks.ts';

/** Strategies of a first visit, where the lab has them. */
export const FIRST_STRATEGIES = ['regular', 'chen-sqrt', 'random', 'optimal', 'budget'] as const;
/** The one of them in front: the least recompute that fits the device. */
export const FIRST_SELECTED = 'budget';

export const FIRST_EXPERIMENT: Experiment = experimentSchema.parse({
  model: 'resnet50',
  batch: 64,
  strategies: [...FIRST_STRATEGIES],
});

/** True for a network from a Hugging Face configuration: only these have adapters and are split. */
export const isLanguageModel = (model: ModelInfoRow | undefined): boolean =>
  model?.family === 'Language models' || (model?.inputUnit === 'tokens' && isFileNetwork(model.name));

/** Adapters of another rank. Without a rank, all parameters are trained. */
export function withLora(experiment: Experiment, rank: number | undefined): Experiment {
  const { lora: _rank, loraTargets, loraDropout, baseBits, ...rest } = experiment;
  if (rank === undefined) return rest;
  return { ...rest, lora: rank, ...given({ loraTargets, loraDropout, baseBits }) };
}

/** One model shared by another number of GPUs. Without a number, each has the whole. */
export function withTensor(experiment: Experiment, tensor: number | undefined): Experiment {
  const { tensor: _gpus, sequenceParallel, ...rest } = experiment;
  return tensor === undefined ? rest : { ...rest, tensor, ...given({ sequenceParallel }) };
}

/** Layers divided over another number of stages. Without a number, a GPU has all of them. */
export function withPipeline(experiment: Experiment, pipeline: number | undefined): Experiment {
  const { pipeline: _stages, pipelineSchedule, pipelineStage, ...rest } = experiment;
  return pipeline === undefined ? rest : { ...rest, pipeline, ...given({ pipelineSchedule, pipelineStage }) };
}

/** Without what language models alone have. */
function withoutLanguage(experiment: Experiment): Experiment {
  const kept = Object.entries(experiment).filter(([name]) => !LANGUAGE_OPTIONS.includes(name as OptionName));
  return Object.fromEntries(kept) as Experiment;
}

/** A network as it is drawn where nothing is chosen: of its own size, whole, and without adapters. */
export function withDefaults(experiment: Experiment, model: string): Experiment {
  const { input: _input, dropout: _dropout, ...rest } = withoutLanguage(experiment);
  return { ...rest, model };
}

/** Another network in front: an input size stays if it was chosen and still fits. One from beside changes places. */
export function withModel(experiment: Experiment, model: ModelInfoRow): Experiment {
  const place = (experiment.also ?? []).findIndex((beside) => beside.model === model.name);
  if (place >= 0) return toFront(experiment, place + 1);
  const adapted = isLanguageModel(model) ? experiment : withoutLanguage(experiment);
  const { input, dropout: _dropout, checkpoints: _checkpoints, ...rest } = adapted;
  // A file has its own sizes and data type.
  if (isFileNetwork(model.name)) return { ...rest, model: model.name, dtype: 'float32' };
  const keepsInput = input !== undefined && input >= model.minInput;
  return { ...rest, model: model.name, ...(keepsInput ? { input } : {}) };
}

/** One option of an experiment, which leaves it where that value goes without saying: links stay short. */
export function withOption<Name extends OptionName>(
  experiment: Experiment,
  name: Name,
  value: Experiment[Name] | undefined,
): Experiment {
  const { [name]: _old, ...rest } = experiment;
  const isLeft = value === undefined || value === optionOf(name).implied;
  return (isLeft ? rest : { ...rest, [name]: value }) as Experiment;
}

/** The type of the optimizer's state, which nobody states where it is that of the weights anyway. */
export function withOptimizerState(
  experiment: Experiment,
  state: 'weights' | 'float32' | undefined,
): Experiment {
  // Two bytes an element by a link’s data type or by a file bring a state in float32 along, unless that is refused.
  const isSaid = experiment.dtype === 'float16' || isFileNetwork(experiment.model);
  return withOption(experiment, 'optimizerState', state === 'weights' && !isSaid ? undefined : state);
}

/** Another precision; `own` is the network's. It takes the place of the data type, which older links have. */
export function withPrecision(experiment: Experiment, precision: Precision | 'own'): Experiment {
  const isOwn = precision === 'own' || (precision === 'fp32' && !isFileNetwork(experiment.model));
  const other = { ...experiment, dtype: 'float32' } as const;
  const set = withOption(other, 'precision', isOwn ? undefined : (precision as Precision));
  return withOptimizerState(set, set.optimizerState);
}

/** A strategy in or out, in the catalogue's order; the last one cannot leave. */
export function withStrategy(
  experiment: Experiment,
  name: string,
  chosen: boolean,
  order: readonly string[],
): Experiment {
  const wanted = new Set(experiment.strategies);
  if (chosen) wanted.add(name);
  else wanted.delete(name);
  if (wanted.size === 0) return experiment;
  const known = order.filter((strategy) => wanted.has(strategy));
  const others = [...wanted].filter((strategy) => !order.includes(strategy));
  return { ...experiment, strategies: [...known, ...others] };
}

/**
 * The experiment without strategies that this lab lacks. Those that a first visit wishes for leave
 * silently; others, which came from a link, are named.
 */
export function withoutUnknown(
  experiment: Experiment,
  available: readonly string[],
): { next: Experiment; unknown: readonly string[]; changed: boolean } {
  const kept = experiment.strategies.filter((name) => available.includes(name));
  const missing = experiment.strategies.filter((name) => !available.includes(name));
  if (missing.length === 0) return { next: experiment, unknown: [], changed: false };
  const strategies = kept.length > 0 ? kept : available.slice(0, 1);
  const wished: readonly string[] = FIRST_STRATEGIES;
  const unknown = missing.filter((name) => !wished.includes(name));
  return { next: { ...experiment, strategies }, unknown, changed: true };
}

export const halved = (batch: number): number => Math.max(1, Math.floor(batch / 2));
export const doubled = (batch: number): number => Math.min(MAX_BATCH, batch * 2);

/** The network and its size, as training and solving ask for them. */
export function networkOf(experiment: Experiment): NetworkChoice {
  const { model, batch, input, dropout } = experiment;
  return given({ model, batch, input, dropout });
}
