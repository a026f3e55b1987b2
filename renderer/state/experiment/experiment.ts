import {
  type Experiment,
  experimentSchema,
  MAX_BATCH,
  MAX_INPUT,
  type NetworkChoice,
} from '../../../app/contract/experiment.ts';
import { isFileNetwork } from '../../../app/contract/opened-file.ts';
import type { ModelInfoRow } from '../../../app/contract/results.ts';
import { type Precision, USUAL_SETUP } from '../../../engine/training-memory/setup.ts';
import { toFront } from './networks.ts';

/** What a first visit compares, where the lab has them. */
export const FIRST_STRATEGIES = ['regular', 'chen-sqrt', 'random', 'optimal', 'live', 'budget'] as const;

export const FIRST_EXPERIMENT: Experiment = experimentSchema.parse({
  model: 'resnet50',
  batch: 64,
  strategies: [...FIRST_STRATEGIES],
});

/** Another network in front: an input size stays if it was chosen and still fits. One from beside changes places. */
export function withModel(experiment: Experiment, model: ModelInfoRow): Experiment {
  const place = (experiment.also ?? []).findIndex((beside) => beside.model === model.name);
  if (place >= 0) return toFront(experiment, place + 1);
  const { input, dropout: _dropout, checkpoints: _checkpoints, ...rest } = experiment;
  // A file has its own sizes and data type.
  if (isFileNetwork(model.name)) return { ...rest, model: model.name, dtype: 'float32' };
  const keepsInput = input !== undefined && input >= model.minInput;
  return { ...rest, model: model.name, ...(keepsInput ? { input } : {}) };
}

/** Settings of training, without those that are as usual: links stay short, and old ones say the same. */
export function withTraining(experiment: Experiment, part: TrainingPart): Experiment {
  const all: TrainingPart = {
    precision: experiment.precision,
    optimizer: experiment.optimizer,
    optimizerState: experiment.optimizerState,
    accumulate: experiment.accumulate,
    gradients: experiment.gradients,
    ...part,
  };
  const {
    precision: _p,
    optimizer: _o,
    optimizerState: _s,
    accumulate: _a,
    gradients: _g,
    ...rest
  } = experiment;
  // Two bytes an element by a link’s data type or by a file bring a state in float32 along, unless that is refused.
  const isSaid = experiment.dtype === 'float16' || isFileNetwork(experiment.model);
  const set = Object.entries(all).filter(
    ([name, value]) =>
      value !== undefined && (value !== USUAL[name] || (name === 'optimizerState' && isSaid)),
  );
  return { ...rest, ...Object.fromEntries(set) };
}

type TrainingPart = { readonly [Name in TrainingField]?: Experiment[Name] | undefined };
type TrainingField = 'precision' | 'optimizer' | 'optimizerState' | 'accumulate' | 'gradients';
/** What a file is captured in is its own, so that fp32 may be asked of it: of a network of the zoo it is the data type. */
const USUAL: Readonly<Record<string, string | number>> = {
  optimizer: USUAL_SETUP.optimizer,
  optimizerState: 'weights',
  accumulate: 1,
  gradients: 'freed',
};

/** Another precision; `own` is the network's. It takes the place of the data type, which older links have. */
export function withPrecision(experiment: Experiment, precision: Precision | 'own'): Experiment {
  const isOwn = precision === 'own' || (precision === 'fp32' && !isFileNetwork(experiment.model));
  return withTraining(
    { ...experiment, dtype: 'float32' },
    { precision: isOwn ? undefined : (precision as Precision) },
  );
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
  return {
    model,
    batch,
    ...(input === undefined ? {} : { input }),
    ...(dropout === undefined ? {} : { dropout }),
  };
}

export { MAX_BATCH, MAX_INPUT };
