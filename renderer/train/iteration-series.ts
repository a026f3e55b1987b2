import type { Run } from '../runs/run.ts';
import type { ChartTable } from '../shared/charts/csv.ts';
import { reduceIndices } from '../shared/charts/reduce.ts';
import { identityOf, type StrategyIdentity } from '../shared/strategies/identity.ts';

export interface IterationSeries {
  readonly id: string;
  readonly identity: StrategyIdentity;
  readonly points: readonly { readonly iteration: number; readonly value: number }[];
}

export type IterationValue = 'loss' | 'iterationMs';

const MOST_POINTS = 400;

/** One curve a run, reduced without losing the largest or the smallest value. */
export function iterationSeries(runs: readonly Run[], value: IterationValue): IterationSeries[] {
  return runs
    .filter((run) => run[value].length > 0)
    .map((run) => ({
      id: String(run.id),
      identity: identityOf(run.request.strategy),
      points: Array.from(reduceIndices(run[value], MOST_POINTS), (i) => ({
        iteration: i + 1,
        value: run[value][i] ?? 0,
      })),
    }));
}

export function iterationTable(
  runs: readonly Run[],
  value: IterationValue,
  caption: string,
  format: (value: number) => string,
  most = 20,
): ChartTable {
  const longest = Math.max(0, ...runs.map((run) => run[value].length));
  const rows = Array.from(reduceIndices(new Float64Array(longest), most), (i) => i);
  return {
    caption,
    columns: ['Iteration', ...runs.map((run) => `${run.request.strategy} (run ${run.id})`)],
    rows: rows.map((i) => [
      i + 1,
      ...runs.map((run) => {
        const found = run[value][i];
        return found === undefined ? null : format(found);
      }),
    ]),
  };
}
