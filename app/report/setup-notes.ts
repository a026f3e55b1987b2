import type { Experiment } from '../contract/experiment.ts';
import { setupOf } from '../contract/training-setup.ts';
import { optimizerOf } from '../../engine/training-memory/optimizers.ts';
import { PRECISION_TITLES } from '../../engine/training-memory/setup.ts';
import { count } from './words.ts';

/** How a network is trained, as an experiment says it; absent where it is as usual. */
export type TrainingFields = Pick<
  Experiment,
  'precision' | 'optimizer' | 'optimizerState' | 'accumulate' | 'gradients'
>;
type Asked = { readonly [Name in keyof TrainingFields]?: Experiment[Name] | undefined } & {
  readonly profile: string;
  readonly dtype?: string;
};

/** Why a setting that was made changes nothing here, in a sentence; absent where it does. */
export type WithoutEffect = { readonly [Name in keyof TrainingFields]?: string };

/** The settings of an experiment that change nothing: none is passed over in silence. */
export function withoutEffect(asked: Asked): WithoutEffect {
  const { profile, precision, optimizerState, accumulate = 1, gradients } = asked;
  const isTensorflow = profile === 'tfjs';
  const setup = setupOf(said(asked));
  const stateless =
    setup.optimizer === 'sgd'
      ? 'plain SGD keeps no state'
      : setup.optimizer === 'adam8bit'
        ? 'its state has a byte an element whatever the weights have'
        : setup.precision === 'bf16'
          ? null
          : 'the weights are float32, and their state with them';
  return {
    ...(isTensorflow && precision !== undefined && precision !== 'fp32'
      ? {
          precision:
            'TensorFlow.js has kernels for float32 alone: under the profile tfjs precision changes nothing',
        }
      : {}),
    ...(optimizerState === 'float32' && stateless !== null ? { optimizerState: stateless } : {}),
    ...(gradients === 'kept' && isTensorflow
      ? {
          gradients:
            'TensorFlow.js keeps no gradients between steps: under the profile tfjs this changes nothing',
        }
      : gradients !== undefined && accumulate > 1
        ? { gradients: 'gradients that add up are kept between steps in any case' }
        : {}),
  };
}

/** What is not as usual: name and value. */
export function trainingFacts(asked: Omit<Asked, 'profile'>): [string, string][] {
  const { precision, optimizer, optimizerState, accumulate = 1, gradients } = asked;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Precision', precision && PRECISION_TITLES[precision]],
    ['Optimizer', optimizer && optimizerOf(optimizer).title],
    ['Optimizer state', optimizerState],
    ['Accumulation', accumulate === 1 ? undefined : `${count(accumulate)} steps`],
    ['Gradients', gradients],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

const said = <T extends object>(asked: T): { [Name in keyof T]: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>;
  };
