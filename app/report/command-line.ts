import type { StrategyTraits } from '../../engine/strategies/strategy/strategy.ts';
import type { TrainingFields } from './setup-facts.ts';

/** The experiment's fields that the command line can name. */
export interface CommandInput extends TrainingFields {
  readonly models: readonly string[];
  readonly batch: number;
  readonly input?: number | undefined;
  readonly dropout?: number | undefined;
  readonly profile: string;
  readonly dtype: string;
  readonly seed: number;
  readonly budgetBytes?: number | undefined;
  readonly checkpoints?: readonly string[] | undefined;
  readonly slots?: string | undefined;
  readonly segments?: number | undefined;
  readonly timeLimitSeconds?: number | undefined;
  readonly checkpointing?: string | undefined;
  /** Paths of files. */
  readonly plan?: string | undefined;
  readonly costs?: string | undefined;
  /** The options that say what transfers take; an experiment's own device is about memory. */
  readonly transfers?: Transfers | undefined;
}

interface Transfers {
  readonly link?: string | undefined;
  readonly device?: string | undefined;
  readonly overlap?: boolean | undefined;
}

type Reads = StrategyTraits['reads'];

/** `zigzag compare resnet50 --batch 64`, or `solve` with one strategy; what is the default is left out. */
export function commandLine(
  input: CommandInput,
  strategy?: { readonly name: string; readonly reads: Reads },
): string {
  const { models, profile, dtype, seed, budgetBytes, checkpoints, slots, segments, checkpointing, plan } =
    input;
  const reads = (option: keyof Reads): boolean => strategy === undefined || option in strategy.reads;
  const option = (name: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [`--${name}`, quoted(String(value))];
  return [
    'zigzag',
    strategy === undefined ? 'compare' : 'solve',
    ...models.map(quoted),
    ...option('batch', input.batch),
    ...option('input', input.input),
    ...option('dropout', input.dropout),
    ...option('profile', profile === 'pytorch' ? undefined : profile),
    ...option('dtype', dtype === 'float32' || input.precision !== undefined ? undefined : dtype),
    ...option('precision', input.precision),
    ...option('optimizer', input.optimizer),
    ...option('optimizer-state', input.optimizerState),
    ...option('accumulate', input.accumulate),
    ...option('gradients', input.gradients),
    ...option('seed', reads('seed') && seed !== 0 ? seed : undefined),
    ...option('budget', reads('budgetBytes') ? budgetBytes : undefined),
    ...option('checkpoints', reads('checkpoints') && checkpoints?.length ? checkpoints.join(',') : undefined),
    ...option('slots', reads('slots') ? slots : undefined),
    ...option('segments', reads('segments') ? segments : undefined),
    ...option('time-limit', reads('timeLimitSeconds') ? input.timeLimitSeconds : undefined),
    ...option(
      'checkpointing',
      reads('checkpointing') && checkpointing === 'reentrant' ? checkpointing : undefined,
    ),
    ...option('plan', reads('plan') ? plan : undefined),
    ...option('costs', input.costs),
    ...(reads('link') ? transferOptions(input.transfers ?? {}) : []),
    ...option('strategy', strategy?.name),
  ].join(' ');
}

function transferOptions({ link, device, overlap }: Transfers): string[] {
  return [
    ...(link === undefined ? [] : ['--link', link]),
    ...(device === undefined ? [] : ['--device', device]),
    ...(overlap === false ? ['--no-overlap'] : []),
  ];
}

/** A word of a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
