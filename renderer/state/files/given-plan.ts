import type { LabClient } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';

export const GIVEN_PLAN = 'plan';

/**
 * The text of the experiment's opened plan, for the trainer. The lab checks first that it trains this network
 * by the kernels' own needs (profile tfjs).
 *
 * @returns a zigzag-plan/1 document
 * @throws a failure of the lab, in one sentence, where the plan does not fit or is gone
 */
export async function trainablePlan(
  client: Pick<LabClient, 'exportFile'>,
  experiment: Experiment,
): Promise<string> {
  const { text } = await client.exportFile({
    experiment: { ...experiment, profile: 'tfjs', dtype: 'float32' },
    strategy: GIVEN_PLAN,
    form: 'plan',
  });
  return text;
}
