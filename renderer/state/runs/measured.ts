import type { Experiment } from '../../../app/contract/experiment.ts';
import { medianMs, type Run } from './run.ts';

/** Fewer iterations than this are warm-up, not a measurement. */
export const LEAST_ITERATIONS = 3;

type Size = Pick<Experiment, 'model' | 'batch' | 'input' | 'dropout'>;

/**
 * Measured time overhead of each strategy against regular training: the latest finished runs of this
 * session on the same network at the same size and the same backend.
 *
 * @param runs newest first
 * @param defaultInput input size of a run or experiment that names none
 */
export function measuredOverheads(
  runs: readonly Run[],
  size: Size,
  defaultInput: number | null,
): ReadonlyMap<string, number> {
  const inputOf = (input: number | undefined): number | null => input ?? defaultInput;
  const comparable = runs.filter(
    ({ request, start, iterationMs }) =>
      start !== null &&
      iterationMs.length >= LEAST_ITERATIONS &&
      request.model === size.model &&
      request.batch === size.batch &&
      inputOf(request.input) === inputOf(size.input) &&
      (request.dropout ?? null) === (size.dropout ?? null),
  );
  const overheads = new Map<string, number>();
  for (const run of comparable) {
    if (run.request.strategy === 'regular' || overheads.has(run.request.strategy)) continue;
    const regular = comparable.find(
      (other) => other.request.strategy === 'regular' && other.start?.backend === run.start?.backend,
    );
    const overhead = overheadAgainst(regular, run);
    if (overhead !== null) overheads.set(run.request.strategy, overhead);
  }
  const hasRegular = comparable.some((run) => run.request.strategy === 'regular');
  if (hasRegular) overheads.set('regular', 0);
  return overheads;
}

/** How much longer the median iteration of a run takes than that of a regular one, a share of 1. */
export function overheadAgainst(regular: Run | undefined, run: Run): number | null {
  const base = medianMs(regular?.iterationMs ?? []);
  const own = medianMs(run.iterationMs);
  return base === null || own === null || base === 0 ? null : own / base - 1;
}
