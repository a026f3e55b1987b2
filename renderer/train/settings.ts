import type { Experiment } from '../../app/contract/experiment.ts';
import type { ModelInfoRow } from '../../app/contract/results.ts';
import { type Backend, BACKENDS, type TrainRequestInput } from '../../app/contract/training.ts';
import { networkOf } from '../experiment/experiment.ts';

export const MAX_ITERATIONS = 100_000;
export const MAX_PAIRS = 1000;
export type BackendChoice = Backend | 'auto';

export interface TrainSettings {
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
}

export const FIRST_SETTINGS: TrainSettings = {
  strategy: null,
  backend: 'auto',
  iterations: 10,
  withRegular: false,
  pairs: 0,
  naiveStatistics: false,
  naiveDropout: false,
};

export const BACKEND_CHOICES: readonly { readonly value: BackendChoice; readonly label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  ...BACKENDS.map((backend) => ({
    value: backend,
    label: { tensorflow: 'TensorFlow', webgpu: 'WebGPU', wasm: 'WebAssembly', cpu: 'Plain JavaScript' }[
      backend
    ],
  })),
];

/** Which strategy a run would follow: the choice, else the one in front, else the first that is not regular. */
export function strategyToTrain(
  settings: TrainSettings,
  experiment: Pick<Experiment, 'strategies'>,
  selected: string | null,
): string {
  const { strategies } = experiment;
  if (settings.strategy !== null) return settings.strategy;
  if (selected !== null && strategies.includes(selected)) return selected;
  return (
    strategies.find((name) => name === 'optimal') ??
    strategies.find((name) => name !== 'regular') ??
    'regular'
  );
}

export function requestsFor(
  settings: TrainSettings,
  experiment: Experiment,
  strategy: string,
): TrainRequestInput[] {
  const { backend, iterations, withRegular, pairs, naiveStatistics, naiveDropout } = settings;
  const request = (name: string): TrainRequestInput => ({
    ...networkOf(experiment),
    strategy: name,
    iterations,
    seed: experiment.seed,
    ...(backend === 'auto' ? {} : { backend }),
    // Regular training has no overhead over itself.
    // The regular run beside it stays the careful one that the mistakes are seen against.
    ...(naiveStatistics && name !== 'regular' ? { naiveStatistics } : {}),
    ...(naiveDropout && name !== 'regular' ? { naiveDropout } : {}),
    ...(pairs > 0 && name !== 'regular' ? { pairs } : {}),
    ...(experiment.budgetBytes === undefined ? {} : { budgetBytes: experiment.budgetBytes }),
  });
  return withRegular && strategy !== 'regular'
    ? [request('regular'), request(strategy)]
    : [request(strategy)];
}

/** Values a second of one forward on WebAssembly, roughly; only to warn before a run of minutes. */
const SLOW_PIXELS = 8 * 64 * 64;

/** Whether an iteration may take long where there is no GPU: many pixels through a real network. */
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
