import * as tf from '@tensorflow/tfjs-core';
import type { Descending, Descent, SgdOptions } from '../../descent.ts';
import { float32, part, run, runAll, scalar, shapeOf, text } from './run.ts';

/**
 * Descent in place, by the operation ResourceApplyMomentum: 5 passes over memory instead of 10, and no temporary. A
 * variable holds each tensor during the update. It shares storage with the tensors written to and read from it, and
 * copies only if another tensor shares that storage.
 */
export function openTensorflowDescent({ learningRate, momentum }: SgdOptions): Descent {
  const [parameters, velocities] = ['parameter', 'velocity'].map((name) =>
    run(
      part(
        'VarHandleOp',
        [],
        [float32('dtype'), shapeOf('shape', []), text('shared_name', `zigzag ${name}`)],
      ),
    ),
  ) as [tf.Tensor, tf.Tensor];
  const give = (variable: tf.Tensor, value: tf.Tensor): void => {
    runAll('AssignVariableOp', [variable, value], 0, [float32('dtype')]);
    value.dispose();
  };
  const take = (variable: tf.Tensor): tf.Tensor =>
    run(part('ReadVariableOp', [variable], [float32('dtype')]));
  return {
    step(old: Descending, gradient: tf.Tensor): Descending {
      give(parameters, old.parameter);
      give(velocities, old.velocity);
      const given = [parameters, velocities, scalar(learningRate), gradient, scalar(momentum)];
      runAll('ResourceApplyMomentum', given, 0);
      return { parameter: take(parameters), velocity: take(velocities) };
    },
    end() {
      for (const variable of [parameters, velocities]) runAll('DestroyResourceOp', [variable], 0);
      tf.dispose([parameters, velocities]);
    },
  };
}
