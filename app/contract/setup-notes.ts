import type { Experiment } from './experiment.ts';
import { setupOf, type TrainingOptions } from './training-setup.ts';

type Asked = TrainingOptions & Pick<Experiment, 'profile'> & { readonly dtype?: string };

/** Why a setting that was made changes nothing here, in a sentence; absent where it does. */
export type WithoutEffect = { readonly [Name in keyof TrainingOptions]?: string };

/** The settings of an experiment that change nothing: none is passed over in silence. */
export function withoutEffect(asked: Asked): WithoutEffect {
  const { profile, precision, optimizerState, accumulate = 1, gradients } = asked;
  const isTensorflow = profile === 'tfjs';
  const setup = setupOf(asked);
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
