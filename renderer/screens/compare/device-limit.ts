import type { Experiment } from '../../../app/contract/experiment.ts';
import type { ComparisonHead } from '../../../app/contract/results.ts';
import { chosenDevice, GIB } from '../../state/experiment/device.ts';
import type { ByteLimit } from '../../shared/charts/StepNotes.tsx';
import { formatBytes } from '../../shared/format/bytes.ts';

/** What the device has for the live bytes of a step: its memory without context, weights, gradients, momentum. */
export function deviceLimit(
  experiment: Pick<Experiment, 'device' | 'deviceGiB' | 'contextGiB'>,
  { stationaryBytes }: Pick<ComparisonHead, 'stationaryBytes'>,
): ByteLimit {
  const { title, memoryGiB, contextGiB } = chosenDevice(experiment);
  const bytes = Math.max(0, (memoryGiB - contextGiB) * GIB - stationaryBytes);
  return {
    bytes,
    text: bytes > 0 ? `${title}: ${formatBytes(bytes)}` : `${title}: no room besides the weights`,
  };
}
