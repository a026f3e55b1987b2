import { optimizerOf } from '../../engine/training-memory/optimizers.ts';
import type { Experiment } from './experiment.ts';
import { partsOf, setupOf, type TrainingOptions } from './training-setup.ts';

type Asked = TrainingOptions & Pick<Experiment, 'profile'> & { readonly dtype?: string };

/** Why a setting that was made changes nothing here, in a sentence; absent where it does. */
export type WithoutEffect = { readonly [Name in keyof TrainingOptions]?: string };

/** The settings of an experiment that change nothing: none is passed over in silence. */
export function withoutEffect(asked: Asked): WithoutEffect {
  const { profile, precision, optimizerState, accumulate = 1, gradients, shard } = asked;
  const parts = partsOf(asked);
  const isTensorflow = profile === 'tfjs';
  const setup = setupOf(asked);
  const fixedState =
    optimizerOf(setup.optimizer).fixedState ??
    (setup.precision === 'bf16' ? null : 'the weights are float32, and so is their state');
  return {
    ...(isTensorflow && precision !== undefined && precision !== 'fp32'
      ? {
          precision:
            'TensorFlow.js has only float32 kernels, so precision changes nothing under the profile tfjs',
        }
      : {}),
    ...(optimizerState === 'float32' && fixedState !== null ? { optimizerState: fixedState } : {}),
    ...(shard !== undefined && setup.sharding === undefined
      ? {
          shard:
            parts === 1
              ? 'one GPU shares its work with no other; set the number of GPUs (--gpus)'
              : `no two GPUs have the same part of the model; set ${2 * parts} GPUs or more (--gpus)`,
        }
      : {}),
    ...(gradients === 'kept' && isTensorflow
      ? {
          gradients:
            'TensorFlow.js keeps no gradients between steps, so this changes nothing under the profile tfjs',
        }
      : gradients !== undefined && accumulate > 1
        ? { gradients: 'accumulated gradients are always kept between steps' }
        : {}),
  };
}
