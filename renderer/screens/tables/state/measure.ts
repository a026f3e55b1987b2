import type { ModelInfoRow } from '../../../../app/contract/results.ts';
import type { TrainRequestInput } from '../../../../app/contract/training.ts';
import type { TableRow } from '../../../../engine/tables/table.ts';
import {
  isTooNoisy,
  type MeasuredOverhead,
  sayOverhead,
} from '../../../state/strategies/measured-overhead.ts';
import { measuredOverheads } from '../../../state/runs/measured.ts';
import type { Run } from '../../../state/runs/run.ts';

/** As many as an interval of 95 % can be told of, and two more. */
const PAIRS = 8;
const SIDE = 32;

/**
 * A run that this device can do in seconds to a minute: a few small images, in pairs of a regular and an optimal
 * iteration. The papers' own batches need a large GPU; what is measured says at which size.
 */
export function pairsFor(model: ModelInfoRow): TrainRequestInput & { readonly input: number } {
  const multiple = model.inputMultiple ?? 1;
  const input = Math.max(SIDE, Math.ceil(model.minInput / SIDE) * SIDE, multiple);
  const batch = model.vertices > 400 || model.parameters > 1e8 ? 2 : model.vertices > 150 ? 4 : 8;
  return { model: model.name, batch, input, iterations: 1, seed: 0, strategy: 'optimal', pairs: PAIRS };
}

export interface Measured {
  readonly overhead: MeasuredOverhead;
  readonly batch: number;
  readonly input: number;
  readonly backend: string;
  readonly device: string;
}

/** The newest measured overhead of `optimal` on a network, at whatever size it was trained. */
export function measuredOf(
  runs: readonly Run[],
  network: string,
  defaultInput: number | null,
): Measured | null {
  for (const run of runs) {
    const { request, start } = run;
    if (request.model !== network || request.strategy !== 'optimal' || start === null) continue;
    if (run.outcome === 'running') continue;
    const overhead = measuredOverheads(runs, request, defaultInput).get('optimal');
    if (overhead === undefined) continue;
    return {
      overhead,
      batch: request.batch,
      input: start.input,
      backend: start.backend,
      device: start.device,
    };
  }
  return null;
}

export const sayMeasured = ({ overhead, batch, input, backend, device }: Measured): string =>
  `Measured at batch ${batch}, ${input} × ${input} pixels, on ${device === '' ? backend : device} (${backend}): ` +
  `${sayOverhead(overhead)}, ` +
  (overhead.pairs === null
    ? 'medians of two runs'
    : `median of ${overhead.pairs} pairs of a regular and an optimal iteration`) +
  '; in brackets the 95 % confidence interval. The paper’s size needs the paper’s GPU.';

export type Measuring =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly text: string }
  | { readonly state: 'failed'; readonly reason: string };

export function measuringOf(runs: readonly Run[], network: string): Measuring {
  const run = runs.find(({ request }) => request.model === network);
  if (run === undefined) return { state: 'idle' };
  if (run.outcome === 'running') {
    const { overhead, iterationMs, request } = run;
    const text =
      overhead === null
        ? `${request.strategy} ${iterationMs.length}/${request.iterations}`
        : `pair ${overhead.pairs}/${overhead.planned}`;
    return { state: 'running', text };
  }
  if (run.outcome === 'failed') {
    return { state: 'failed', reason: run.failure?.message ?? 'The run ended before it was done.' };
  }
  return { state: 'idle' };
}

export function withMeasured(rows: readonly TableRow[], measured: ReadonlyMap<string, Measured>): TableRow[] {
  return rows.map((row) => {
    const found = measured.get(String(row['network']));
    if (found === undefined || isTooNoisy(found.overhead) || !('measuredOverheadPct' in row)) return row;
    return { ...row, measuredOverheadPct: Math.round(found.overhead.share * 1000) / 10 };
  });
}
