import { hasLink } from '../../../engine/options/options.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import type { ModelInfoRow } from '../../../app/contract/results.ts';
import { type Backend, BACKENDS } from '../../../app/contract/backends.ts';
import type { TrainRequestInput } from '../../../app/contract/training.ts';
import { given } from '../../../engine/given.ts';
import { defaultStrategy } from '../../../engine/strategies/default-strategy.ts';
import { readOf } from '../comparison/comparison.ts';
import { networkOf } from '../experiment/experiment.ts';
import { GIVEN_PLAN } from '../files/given-plan.ts';

export { MAX_ITERATIONS, MAX_PAIRS } from '../../../app/contract/training.ts';
export type BackendChoice = Backend | 'auto';

export type TrainMode = 'train' | 'largest';

export interface TrainSettings {
  readonly mode: TrainMode;
  /** The user's choice; `null` follows the strategy in front. */
  readonly strategy: string | null;
  readonly backend: BackendChoice;
  readonly iterations: number;
  /** Regular training first, so that the overhead can be measured. */
  readonly withRegular: boolean;
  /** Pairs of regular and strategy iterations after the run, for the overhead in time; 0 for none. */
  readonly pairs: number;
  /** Classic mistakes of recomputation, made on purpose. */
  readonly naiveStatistics: boolean;
  readonly naiveDropout: boolean;
  /** The plan minimises this device's measured times in place of FLOPs. */
  readonly measuredCosts: boolean;
  readonly batchDifference: boolean;
  /** Folder of CIFAR-10 on the machine of the lab; empty for synthetic images. */
  readonly dataFolder: string;
  /** Most bytes that the trainer may hold; none where a mode needs none. */
  readonly capBytes: number | undefined;
}

/** A search needs a cap: on backends that know no limit of their own it would end where the machine does. */
export const FIRST_CAP_BYTES = 2 * 1024 ** 3;

export const FIRST_SETTINGS: TrainSettings = {
  mode: 'train',
  strategy: null,
  backend: 'auto',
  iterations: 10,
  withRegular: false,
  pairs: 0,
  naiveStatistics: false,
  naiveDropout: false,
  measuredCosts: false,
  batchDifference: false,
  dataFolder: '',
  capBytes: undefined,
};

export function optionsSet(settings: TrainSettings): number {
  const { mode, pairs, naiveStatistics, naiveDropout, measuredCosts, batchDifference } = settings;
  const own = [settings.dataFolder !== '', settings.capBytes !== undefined && mode === 'train'];
  const training = [pairs > 0, naiveStatistics, naiveDropout, batchDifference];
  return [measuredCosts, ...own, ...(mode === 'train' ? training : [])].filter(Boolean).length;
}

export const BACKEND_CHOICES: readonly { readonly value: BackendChoice; readonly label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  ...BACKENDS.map((backend) => ({
    value: backend,
    label: { tensorflow: 'TensorFlow', webgpu: 'WebGPU', wasm: 'WebAssembly', cpu: 'Plain JavaScript' }[
      backend
    ],
  })),
];

/** Names of the strategies that a run can follow: a plan of a file only where one is open. */
export const trainable = (names: readonly string[], { plan }: Pick<Experiment, 'plan'>): string[] =>
  names.filter((name) => name !== GIVEN_PLAN || plan !== undefined);

/** The strategy of a run: the choice, else the one in front, else the first that is not regular. */
export function strategyToTrain(
  settings: TrainSettings,
  experiment: Pick<Experiment, 'strategies'> & Partial<Experiment>,
  selected: string | null,
): string {
  const strategies = trainable(experiment.strategies, experiment);
  const [chosen] = settings.strategy === null ? [] : trainable([settings.strategy], experiment);
  if (chosen !== undefined) return chosen;
  if (selected !== null && strategies.includes(selected)) return selected;
  const usual = defaultStrategy({ ...experiment, link: hasLink(experiment) || undefined });
  return (
    strategies.find((name) => name === usual) ?? strategies.find((name) => name !== 'regular') ?? 'regular'
  );
}

/** @param plan for the strategy that follows the plan of a file: the text of the file */
export function requestsFor(
  settings: TrainSettings,
  experiment: Experiment,
  strategy: string,
  plan?: string,
): TrainRequestInput[] {
  const { backend, iterations, capBytes, dataFolder, mode } = settings;
  const common = (name: string): TrainRequestInput =>
    given({
      ...readOf(experiment),
      ...networkOf(experiment),
      strategy: name,
      iterations,
      seed: experiment.seed,
      backend: backend === 'auto' ? undefined : backend,
      dataFolder: dataFolder === '' ? undefined : dataFolder,
      memoryCapBytes: capBytes,
      measuredCosts: (settings.measuredCosts && name !== 'regular') || undefined,
      plan: name === GIVEN_PLAN ? plan : undefined,
    });
  if (mode === 'largest') {
    const { dataFolder: _unused, ...search } = common(strategy);
    return [{ ...search, largestBatch: true, memoryCapBytes: capBytes ?? FIRST_CAP_BYTES }];
  }
  const careful = (name: string): TrainRequestInput => ({
    ...common(name),
    ...(settings.batchDifference ? { batchDifference: true } : {}),
  });
  if (strategy === 'regular') return [careful('regular')];
  const { pairs, naiveStatistics, naiveDropout } = settings;
  const own: TrainRequestInput = {
    ...careful(strategy),
    // The regular run beside it stays the careful one that the mistakes are seen against.
    ...(naiveStatistics ? { naiveStatistics } : {}),
    ...(naiveDropout ? { naiveDropout } : {}),
    // Regular training has no overhead over itself.
    ...(pairs > 0 ? { pairs } : {}),
  };
  return settings.withRegular ? [careful('regular'), own] : [own];
}

/** Values a second of one forward on WebAssembly, roughly; only to warn before a run of minutes. */
const SLOW_PIXELS = 8 * 64 * 64;

/** An iteration may take long where there is no GPU: many pixels through a real network. */
export function isSlowSize(experiment: Experiment, model: ModelInfoRow | undefined): boolean {
  const side = experiment.input ?? model?.defaultInput ?? 0;
  return experiment.batch * side * side > SLOW_PIXELS;
}

/** The same network, or ResNet-18 where it does not admit it, at a size that trains in seconds. */
export function quickSize(experiment: Experiment, models: readonly ModelInfoRow[]): Experiment | null {
  const own = models.find(({ name }) => name === experiment.model);
  const fits = own !== undefined && own.minInput <= 32 && own.vertices <= 120 && own.parameters < 3e7;
  const model = fits ? own : models.find(({ name }) => name === 'resnet18');
  if (model === undefined) return null;
  const { input: _input, ...rest } = experiment;
  return { ...rest, model: model.name, batch: 8, ...(model.defaultInput > 32 ? { input: 32 } : {}) };
}
