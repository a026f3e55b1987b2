import { batchText } from '../../../../app/report/words.ts';
import { batchWithin } from '../../../../engine/limits/peak-lines.ts';
import { MAX_BATCH } from '../../../../engine/options/sizes.ts';
import type { Run } from '../../../state/runs/run.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import type { LimitRow } from '../state/rows.ts';

export interface MeasuredLimit {
  readonly batch: number;
  readonly capBytes: number;
  readonly predicted: number;
}

interface Wanted {
  readonly model: string;
  /** Pixels of a side, as the limits were asked for. */
  readonly input: number;
  readonly stationaryBytes: number;
}

export function measuredLimit(runs: readonly Run[], row: LimitRow, wanted: Wanted): MeasuredLimit | null {
  const { limit } = row;
  if (limit === null) return null;
  for (const { request, largest } of runs) {
    const { memoryCapBytes } = request;
    if (largest === null || memoryCapBytes === undefined) continue;
    if (request.model !== wanted.model || request.strategy !== row.identity.name) continue;
    if ((request.input ?? wanted.input) !== wanted.input) continue;
    const room = memoryCapBytes - wanted.stationaryBytes;
    return {
      batch: largest.batch,
      capBytes: memoryCapBytes,
      predicted: batchWithin(limit.lines, room, MAX_BATCH),
    };
  }
  return null;
}

export function sayMeasuredLimit({ batch, capBytes, predicted }: MeasuredLimit): string {
  const ran = batch === 0 ? 'no batch ran' : `batch ${formatCount(batch)} ran`;
  return `Measured on this device under a cap of ${formatBytes(capBytes)}: ${ran}; ${batchText(predicted)} is predicted under the same cap.`;
}
