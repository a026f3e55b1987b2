import type { ModelInfoRow } from '../../../app/contract/results.ts';
import type { TrainRequestInput } from '../../../app/contract/training.ts';
import type { TableRow } from '../../../engine/tables/table.ts';
import { LEAST_ITERATIONS, measuredOverheads } from '../../state/runs/measured.ts';
import type { Run } from '../../state/runs/run.ts';

const ITERATIONS = 5;
const SIDE = 32;

/**
 * A pair of runs that this device can do in seconds to a minute: a few small images, regular first. The
 * papers' own batches need a large GPU; what is measured says at which size.
 */
export function pairFor(model: ModelInfoRow): readonly [TrainRequestInput, TrainRequestInput] {
  const multiple = model.inputMultiple ?? 1;
  const input = Math.max(SIDE, Math.ceil(model.minInput / SIDE) * SIDE, multiple);
  const batch = model.vertices > 400 || model.parameters > 1e8 ? 2 : model.vertices > 150 ? 4 : 8;
  const base = { model: model.name, batch, input, iterations: ITERATIONS, seed: 0 };
  return [
    { ...base, strategy: 'regular' },
    { ...base, strategy: 'optimal' },
  ];
}

/** An overhead that a pair of this session's runs has measured, and where and at which size. */
export interface Measured {
  readonly overheadPct: number;
  readonly batch: number;
  readonly input: number;
  readonly backend: string;
  readonly device: string;
  readonly iterations: number;
}

/** The newest measured overhead of `optimal` on a network, at whatever size it was trained. */
export function measuredOf(
  runs: readonly Run[],
  network: string,
  defaultInput: number | null,
): Measured | null {
  for (const run of runs) {
    const { request, start, iterationMs } = run;
    if (request.model !== network || request.strategy !== 'optimal' || start === null) continue;
    if (iterationMs.length < LEAST_ITERATIONS || run.outcome === 'running') continue;
    // Runs that started before it only: the pair on the same device at the same size.
    const overhead = measuredOverheads(runs, request, defaultInput).get('optimal');
    if (overhead === undefined) continue;
    return {
      overheadPct: overhead * 100,
      batch: request.batch,
      input: start.input,
      backend: start.backend,
      device: start.device,
      iterations: iterationMs.length,
    };
  }
  return null;
}

export const sayMeasured = ({ batch, input, backend, device, iterations }: Measured): string =>
  `Measured at batch ${batch}, ${input} × ${input} pixels, on ${device === '' ? backend : device} (${backend}); medians of ${iterations} iterations, regular and optimal. The paper’s own size needs its GPU.`;

export type Measuring =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly text: string }
  | { readonly state: 'failed'; readonly reason: string };

/** Where the measuring of a network stands: the newest run on it. */
export function measuringOf(runs: readonly Run[], network: string): Measuring {
  const run = runs.find(({ request }) => request.model === network);
  if (run === undefined) return { state: 'idle' };
  if (run.outcome === 'running') {
    const done = `${run.iterationMs.length}/${run.request.iterations}`;
    return { state: 'running', text: `${run.request.strategy} ${done}` };
  }
  if (run.outcome === 'failed') {
    return { state: 'failed', reason: run.failure?.message ?? 'The run ended before it was done.' };
  }
  return { state: 'idle' };
}

/** Rows with measured overheads filled in, for sorting and for export. */
export function withMeasured(rows: readonly TableRow[], measured: ReadonlyMap<string, Measured>): TableRow[] {
  return rows.map((row) => {
    const found = measured.get(String(row['network']));
    if (found === undefined || !('measuredOverheadPct' in row)) return row;
    return { ...row, measuredOverheadPct: Math.round(found.overheadPct * 10) / 10 };
  });
}
