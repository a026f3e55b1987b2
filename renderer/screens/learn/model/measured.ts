import type { Experiment } from '../../../../app/contract/experiment.ts';
import type { Run } from '../../../state/runs/run.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';

type Trained = Pick<Run, 'request' | 'outcome' | 'start' | 'measuredPeakBytes' | 'deviceBytes'>;

/**
 * Measurements of the newest finished run of this very network and strategy, in a sentence or two; null if none exists.
 *
 * @param runs newest first
 */
export function measuredSentence(
  runs: readonly Trained[],
  { model, batch, input }: Pick<Experiment, 'model' | 'batch' | 'input'>,
  strategy: string,
): string | null {
  const run = runs.find(
    ({ request, outcome }) =>
      outcome === 'done' &&
      request.model === model &&
      request.batch === batch &&
      request.input === input &&
      request.strategy === strategy,
  );
  if (run === undefined || run.start === null || run.measuredPeakBytes === null) return null;
  const { predictedPeakBytes, stationaryBytes, backend } = run.start;
  const measured =
    `Your run on ${backend} measured a peak of ${formatBytes(run.measuredPeakBytes)} where the trainer’s own ` +
    `profile predicts ${formatBytes(predictedPeakBytes)}.`;
  if (run.deviceBytes === null) return measured;
  const rest = run.deviceBytes - run.measuredPeakBytes - stationaryBytes;
  return (
    `${measured} The device held ${formatBytes(run.deviceBytes)} at most: ${formatBytes(stationaryBytes)} of it are ` +
    `stationary, ${formatBytes(Math.max(0, rest))} workspace and the allocator’s cache.`
  );
}
