import type { ChartTable } from '../../../shared/charts/csv.ts';
import { reduceIndices } from '../../../shared/charts/reduce.ts';
import type { Point } from '../../../shared/charts/step-curves.ts';
import type { RunLook } from '../state/run-look.ts';

export interface IterationSeries {
  readonly look: RunLook;
  readonly points: readonly Point[];
}

export type IterationValue = 'loss' | 'iterationMs' | 'drift';

const MAX_POINTS = 400;

/** One curve a run, reduced without losing the largest or the smallest value; what is no finite number has no place. */
export function iterationSeries(looks: readonly RunLook[], value: IterationValue): IterationSeries[] {
  return looks
    .filter(({ run }) => run[value].length > 0)
    .map((look) => ({
      look,
      points: Array.from(reduceIndices(look.run[value], MAX_POINTS), (i) => ({
        x: i + 1,
        y: look.run[value][i] ?? 0,
      })).filter(({ y }) => Number.isFinite(y)),
    }));
}

export function iterationTable(
  looks: readonly RunLook[],
  value: IterationValue,
  caption: string,
  format: (value: number) => string,
  most = 20,
): ChartTable {
  const longest = Math.max(0, ...looks.map(({ run }) => run[value].length));
  const rows = Array.from(reduceIndices(new Float64Array(longest), most), (i) => i);
  return {
    caption,
    columns: ['Iteration', ...looks.map(({ name, run }) => `${name} (run ${run.id})`)],
    rows: rows.map((i) => [
      i + 1,
      ...looks.map(({ run }) => {
        const found = run[value][i];
        return found === undefined ? null : format(found);
      }),
    ]),
  };
}
