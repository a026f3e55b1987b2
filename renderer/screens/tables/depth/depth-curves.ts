import type { TableRow } from '../../../../engine/tables/table.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import type { Point } from '../../../shared/charts/step-curves.ts';

export interface DepthCurve {
  readonly id: string;
  readonly title: string;
  /** Whose look it has. */
  readonly strategy: string;
  readonly points: readonly Point[];
  /** Marks instead of a line: what the source prints. */
  readonly marks: 'disc' | undefined;
}

const DRAWN = [
  { id: 'regular', title: 'Regular', strategy: 'regular', key: 'regularGB', marks: undefined },
  { id: 'speed', title: 'Speed', strategy: 'speed', key: 'speedGB', marks: undefined },
  { id: 'sqrt', title: 'Chen √n', strategy: 'chen-sqrt', key: 'sqrtGB', marks: undefined },
  { id: 'automatic', title: 'Automatic', strategy: 'articulation', key: 'articulationGB', marks: undefined },
  { id: 'printed', title: 'Article, regular', strategy: 'regular', key: 'paperRegularGB', marks: 'disc' },
  { id: 'printed-sqrt', title: 'Article, √n', strategy: 'chen-sqrt', key: 'paperSqrtGB', marks: 'disc' },
] as const;

const figureOf = (row: TableRow, key: string): number | null => {
  const cell = row[key];
  return typeof cell === 'number' ? cell : null;
};

/** GB over layers, one curve a strategy. */
export function depthCurves(rows: readonly TableRow[]): DepthCurve[] {
  return DRAWN.map(({ key, ...curve }) => ({
    ...curve,
    points: rows.flatMap((row) => {
      const [x, y] = [figureOf(row, 'layers'), figureOf(row, key)];
      return x === null || y === null ? [] : [{ x, y }];
    }),
  })).filter(({ points }) => points.length > 0);
}

export function depthSummary(rows: readonly TableRow[]): string {
  const said = rows.map(
    (row) =>
      `${row['depth']}: regular ${figureOf(row, 'regularGB')} GB, Chen √n ${figureOf(row, 'sqrtGB')} GB, automatic ${figureOf(row, 'articulationGB')} GB`,
  );
  return `Peak memory of CIFAR-10 ResNets of ${rows.length} depths. ${said.join('; ')}.`;
}

export function depthTable(rows: readonly TableRow[]): ChartTable {
  return {
    caption: 'Peak memory in GB against the number of layers',
    columns: ['Layers', ...DRAWN.map(({ title }) => `${title}, GB`)],
    rows: rows.map((row) => [figureOf(row, 'layers'), ...DRAWN.map(({ key }) => figureOf(row, key))]),
  };
}
