import type { Experiment } from '../../../app/contract/experiment.ts';

/**
 * True when the dropout rate can change anything: the network's operations, as far as the lab has told
 * them, contain a dropout. A rate that was chosen stays in sight.
 */
export function dropoutMatters(
  experiment: Pick<Experiment, 'model' | 'dropout'>,
  shown: { readonly head: { readonly model: string }; readonly operations: readonly string[] } | null,
): boolean {
  if (experiment.dropout !== undefined) return true;
  return shown !== null && shown.head.model === experiment.model && shown.operations.includes('dropout');
}
