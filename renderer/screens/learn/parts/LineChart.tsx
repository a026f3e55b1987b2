import { ReferenceLine } from 'recharts';
import { type Axis, linearAxis } from '../../../shared/charts/axis.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import { type DrawnLine, placeBetween, upright } from '../../../shared/charts/curve-room.ts';
import { Legend } from '../../../shared/charts/Legend.tsx';
import { PlotCard } from '../../../shared/charts/PlotCard.tsx';
import { pixelX, pixelY, type PlotArea, valueX } from '../../../shared/charts/plot-area.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { type PlotCurve, PlotLine } from '../../../shared/plot/PlotLine.tsx';
import { PlotNotes } from '../../../shared/plot/PlotNotes.tsx';
import { PlotRing } from '../../../shared/plot/PlotRing.tsx';
import classes from './learn.module.css';
import { PlotSlider, type PlotSliderProps } from './PlotSlider.tsx';

export interface ChartMark {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly color: string;
}

export interface LineChartProps {
  readonly title: string;
  readonly summary: string;
  readonly fileName: string;
  readonly height: number;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly series: readonly PlotCurve[];
  /** Smallest part of the y axis; 1 for counts. */
  readonly leastPart?: number;
  readonly marks?: readonly ChartMark[];
  readonly cursor?: ChartCursor;
  readonly table: ChartTable;
}

const MARGIN = { bottom: 44 } as const;

export function LineChart(props: LineChartProps) {
  const { title, summary, fileName, height, series, cursor, table } = props;
  const xs = series.flatMap(({ points }) => points.map(({ x }) => x));
  const across = linearAxis(0, Math.max(1, ...xs), { parts: 6, least: 1 });
  const legend = series.map(({ title: name, color, dash, marks }) => ({
    title: name,
    color,
    dash,
    mark: marks,
    width: 2.5,
  }));
  return (
    <PlotCard
      title={title}
      summary={summary}
      fileName={fileName}
      height={height}
      margin={MARGIN}
      data={() => table}
      table={table}
      className={classes['picture']}
      legend={legend}
      plot={(area) => <Curves {...props} area={area} across={across} />}
      {...(cursor !== undefined && {
        overlay: (area: PlotArea) => (
          <PlotSlider
            area={area}
            valueAt={(pixel) => Math.round(valueX(area, pixel, across.top))}
            {...cursor}
          />
        ),
      })}
      footer={<Legend entries={legend} />}
    />
  );
}

interface CurvesProps extends LineChartProps {
  readonly area: PlotArea;
  readonly across: Axis;
}

function Curves({ area, across, series, marks = [], cursor, xTitle, yTitle, leastPart = 1 }: CurvesProps) {
  const most = Math.max(...series.flatMap(({ points }) => points.map(({ y }) => y)));
  const axis = linearAxis(0, most, { least: leastPart });
  const x = (value: number): number => pixelX(area, value, across.top);
  const y = (value: number): number => pixelY(area, value, axis.top);
  const lines: DrawnLine[] = [
    ...series.map(({ points, isStair = false }) => ({ points, isSloped: !isStair })),
    ...(cursor === undefined ? [] : [upright(cursor.at, axis.top)]),
  ];
  const wishes = [
    ...marks.map((mark, i) => ({ id: `mark-${i}`, x: x(mark.x), y: y(mark.y), text: mark.text })),
    ...(cursor === undefined
      ? []
      : [{ id: 'cursor', x: x(cursor.at), y: area.top + 4, text: cursor.note, isBeside: true }]),
  ];
  const labels = placeBetween(wishes, lines, { area, end: across.top, top: axis.top });
  return (
    <Plot area={area} x={across} y={axis} xTitle={xTitle} yTitle={yTitle}>
      {series.map((curve) => (
        <PlotLine key={curve.id} curve={curve} />
      ))}
      {cursor !== undefined && <ReferenceLine x={cursor.at} stroke="var(--zz-ink)" />}
      {marks.map((mark) => (
        <PlotRing key={`${mark.x} ${mark.text}`} {...mark} />
      ))}
      <PlotNotes labels={labels} halo="var(--zz-card)" />
    </Plot>
  );
}

interface ChartCursor extends Pick<PlotSliderProps, 'at' | 'min' | 'max' | 'label' | 'text' | 'onMove'> {
  readonly note: string;
}
