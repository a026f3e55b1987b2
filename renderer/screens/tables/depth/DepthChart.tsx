import { useMemo } from 'react';
import { identityOf } from '../../../../app/report/strategy-looks.ts';
import type { TableRow } from '../../../../engine/tables/table.ts';
import { type Axis, linearAxis } from '../../../shared/charts/axis.ts';
import { leastOf, type Point } from '../../../shared/charts/step-curves.ts';
import { ValueCard } from '../../../shared/charts/ValueCard.tsx';
import { Legend } from '../../../shared/charts/Legend.tsx';
import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotLine } from '../../../shared/plot/PlotLine.tsx';
import type { ChartTable } from '../../../shared/charts/csv.ts';

const MARGIN = { bottom: 44 } as const;

export function DepthChart({ rows }: { readonly rows: readonly TableRow[] }) {
  const curves = useMemo(
    () =>
      depthCurves(rows).map(({ id, title, strategy, points, marks }) => {
        const { color, dash, width } = identityOf(strategy);
        return { id, title, color: `var(--zz-${color})`, dash, width, points, marks };
      }),
    [rows],
  );
  const up = useMemo(
    () => linearAxis(0, Math.max(1, ...curves.flatMap(({ points }) => points.map(({ y }) => y)))),
    [curves],
  );
  const table = useMemo(() => depthTable(rows), [rows]);
  const legend = curves.map(({ title, color, dash, width, marks }) => ({
    title,
    color,
    dash,
    width,
    mark: marks,
  }));
  return (
    <ValueCard
      title="Peak memory against depth, batch 1,280"
      summary={depthSummary(rows)}
      fileName="memory-against-depth"
      height="clamp(208px, 34vh, 340px)"
      margin={MARGIN}
      axis={up}
      least={leastOf(curves)}
      axisTitles={{ x: 'Depth (layers)', y: 'Peak memory (GB)' }}
      data={() => table}
      table={table}
      legend={legend}
      tools={<Legend entries={legend} />}
      empty={rows.length < 2 ? 'Shown with the first rows.' : undefined}
      testId="depth"
      plot={(area, y) => <Curves area={area} curves={curves} up={y} />}
    />
  );
}

interface CurvesProps {
  readonly area: PlotArea;
  readonly curves: readonly Parameters<typeof PlotLine>[0]['curve'][];
  readonly up: Axis;
}

function Curves({ area, curves, up }: CurvesProps) {
  const points = curves.flatMap((curve) => curve.points);
  const across = linearAxis(0, Math.max(1, ...points.map(({ x }) => x)), { parts: 8, least: 1 });
  return (
    <Plot area={area} x={across} y={up} xTitle="layers" yTitle="GB">
      {curves.map((curve) => (
        <PlotLine key={curve.id} curve={curve} />
      ))}
    </Plot>
  );
}

interface DepthCurve {
  readonly id: string;
  readonly title: string;
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
  {
    id: 'printed-automatic',
    title: 'Article, automatic',
    strategy: 'articulation',
    key: 'paperAutomaticGB',
    marks: 'disc',
  },
] as const;

const figureOf = (row: TableRow, key: string): number | null => {
  const cell = row[key];
  return typeof cell === 'number' ? cell : null;
};

function depthCurves(rows: readonly TableRow[]): DepthCurve[] {
  return DRAWN.map(({ key, ...curve }) => ({
    ...curve,
    points: rows.flatMap((row) => {
      const [x, y] = [figureOf(row, 'layers'), figureOf(row, key)];
      return x === null || y === null ? [] : [{ x, y }];
    }),
  })).filter(({ points }) => points.length > 0);
}

function depthSummary(rows: readonly TableRow[]): string {
  const said = rows.map(
    (row) =>
      `${row['depth']}: regular ${figureOf(row, 'regularGB')} GB, Chen √n ${figureOf(row, 'sqrtGB')} GB, automatic ${figureOf(row, 'articulationGB')} GB`,
  );
  return `Peak memory of CIFAR-10 ResNets of ${rows.length} depths. ${said.join('; ')}.`;
}

function depthTable(rows: readonly TableRow[]): ChartTable {
  return {
    caption: 'Peak memory in GB against the number of layers',
    columns: ['Layers', ...DRAWN.map(({ title }) => `${title}, GB`)],
    rows: rows.map((row) => [figureOf(row, 'layers'), ...DRAWN.map(({ key }) => figureOf(row, key))]),
  };
}
