import type { Experiment } from '../../../../app/contract/experiment.ts';
import { type HeldLine, heldAt } from '../../../../engine/training-memory/held.ts';
import { chosenDevice, GIB } from '../../../state/experiment/device.ts';
import type { ByteLimit } from '../../../shared/charts/StepNotes.tsx';
import { formatBytes } from '../../../shared/format/bytes.ts';

/** What the device has for the live bytes of a step: its memory without all that is held besides at the peak. */
export function deviceLimit(
  experiment: Pick<Experiment, 'batch' | 'device' | 'deviceGiB' | 'contextGiB'>,
  held: readonly HeldLine[],
): ByteLimit {
  const { title, memoryGiB, contextGiB } = chosenDevice(experiment);
  const { totalBytes, terms } = heldAt(held, experiment.batch, contextGiB * GIB);
  const bytes = Math.max(0, memoryGiB * GIB - (totalBytes - terms.activations));
  return {
    bytes,
    text: bytes > 0 ? `${title}: ${formatBytes(bytes)}` : `${title}: no room besides the weights`,
  };
}
