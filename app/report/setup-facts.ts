import { type OptimizerName, optimizerOf } from '../../engine/training-memory/optimizers.ts';
import { PRECISION_TITLES, type Precision } from '../../engine/training-memory/setup.ts';
import { count } from './words.ts';

/** Training settings of an experiment; absent where they are the defaults. */
export interface TrainingFields {
  readonly precision?: Precision | undefined;
  readonly optimizer?: OptimizerName | undefined;
  readonly optimizerState?: 'weights' | 'float32' | undefined;
  readonly accumulate?: number | undefined;
  readonly gradients?: 'freed' | 'kept' | undefined;
}

/** Settings that are not the defaults: name and value. */
export function trainingFacts(asked: TrainingFields): [string, string][] {
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
