import { type Experiment, type ExperimentInput, experimentSchema } from '../../../app/contract/experiment.ts';

/** An experiment with the contract's defaults. */
export function experiment(input: Partial<ExperimentInput> = {}): Experiment {
  return experimentSchema.parse({
    model: 'resnet18',
    batch: 8,
    strategies: ['regular', 'chen-sqrt'],
    ...input,
  });
}
