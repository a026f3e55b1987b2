import { type OptimizerName, optimizerOf } from '../../engine/training-memory/optimizers.ts';
import { PRECISION_TITLES, type Precision } from '../../engine/training-memory/setup.ts';
import { count } from './words.ts';

/** How a network is trained, as an experiment says it; absent where it is as usual. */
export interface TrainingFields {
  readonly precision?: Precision | undefined;
  readonly optimizer?: OptimizerName | undefined;
  readonly optimizerState?: 'weights' | 'float32' | undefined;
  readonly accumulate?: number | undefined;
  readonly gradients?: 'freed' | 'kept' | undefined;
}

/** What is not as usual: name and value. */
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
