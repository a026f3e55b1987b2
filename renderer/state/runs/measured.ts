import type { Experiment } from '../../../app/contract/experiment.ts';
import { ratioInterval } from '../../../engine/median-interval.ts';
import type { MeasuredOverhead } from '../strategies/measured-overhead.ts';
import { medianMs, type Run } from './run.ts';

/** Fewer iterations than this are warm-up, not a measurement. */
export const LEAST_ITERATIONS = 3;

type Size = Pick<Experiment, 'model' | 'batch' | 'input' | 'dropout'>;

const NONE: MeasuredOverhead = { share: 0, interval: [0, 0], pairs: null };

/**
 * Measured time overhead of each strategy against regular training: the latest runs of this session on the same
 * network at the same size and the same backend. Pairs of iterations, where a run measured them, before two runs.
 *
 * @param runs newest first
 * @param defaultInput input size of a run or experiment that names none
 */
export function measuredOverheads(
  runs: readonly Run[],
  size: Size,
  defaultInput: number | null,
): ReadonlyMap<string, MeasuredOverhead> {
  const inputOf = (input: number | undefined): number | null => input ?? defaultInput;
  const comparable = runs.filter(
    ({ request, start }) =>
      start !== null &&
      request.model === size.model &&
      request.batch === size.batch &&
      inputOf(request.input) === inputOf(size.input) &&
      (request.dropout ?? null) === (size.dropout ?? null),
  );
  const regulars = comparable.filter(
    ({ request, iterationMs }) => request.strategy === 'regular' && iterationMs.length >= LEAST_ITERATIONS,
  );
  const overheads = new Map<string, MeasuredOverhead>();
  for (const { request, overhead } of comparable) {
    if (overhead === null || overheads.has(request.strategy)) continue;
    const { measured: share, interval = null, pairs } = overhead;
    overheads.set(request.strategy, { share, interval, pairs });
  }
  for (const run of comparable) {
    const { strategy } = run.request;
    if (strategy === 'regular' || run.iterationMs.length < LEAST_ITERATIONS || overheads.has(strategy))
      continue;
    const regular = regulars.find(({ start }) => start?.backend === run.start?.backend);
    const share = overheadAgainst(regular, run);
    if (regular === undefined || share === null) continue;
    const bounds = ratioInterval(run.iterationMs, regular.iterationMs);
    const interval = bounds === null ? null : ([bounds[0] - 1, bounds[1] - 1] as const);
    overheads.set(strategy, { share, interval, pairs: null });
  }
  if (regulars.length > 0 || overheads.size > 0) overheads.set('regular', NONE);
  return overheads;
}

/** How much longer the median iteration of a run takes than that of a regular one, a share of 1. */
export function overheadAgainst(regular: Run | undefined, run: Run): number | null {
  const base = medianMs(regular?.iterationMs ?? []);
  const own = medianMs(run.iterationMs);
  return base === null || own === null || base === 0 ? null : own / base - 1;
}
