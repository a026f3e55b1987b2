import { statedOptions } from '../../../../engine/options/options.ts';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import type { LiveTensorsRequestInput } from '../../../../app/contract/live-tensors.ts';
import { keyOf, type NetworkResults, ownOf, readOf } from '../../../state/comparison/comparison.ts';

/**
 * Asks for the tensors of the very plan whose curve is on screen: at the batch that it was solved at. Null
 * while the results on screen are not the experiment's own.
 */
export function tensorsRequest(
  experiment: Experiment,
  results: NetworkResults,
  strategy: string,
): LiveTensorsRequestInput | null {
  const solved = results.solved.get(strategy);
  if (solved === undefined || solved.timeline === null || results.key !== keyOf(experiment)) return null;
  if (solved.own !== ownOf(experiment, solved.reads)) return null;
  const { model, seed } = experiment;
  return {
    model,
    ...statedOptions(experiment, 'graph'),
    batch: solved.batch,
    seed,
    strategy,
    ...readOf(experiment, solved.reads),
    ...(solved.budgetBytes === undefined ? {} : { budgetBytes: solved.budgetBytes }),
  };
}
