import { type KeyboardEvent, type PointerEvent, useId } from 'react';
import { ChartCard } from '../../../shared/charts/ChartCard.tsx';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import { type PlotArea, pixelX, pixelY, plotArea, valueX } from '../../../shared/charts/plot-area.ts';
import { useSize } from '../../../shared/use-size.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from './learn.module.css';
import { roundAxis } from './round-axis.ts';

export interface Series {
  readonly id: string;
  readonly title: string;
  readonly color: string;
  readonly dash?: string | undefined;
  readonly width?: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** A stair that holds each value until the next point, instead of a slope. */
  readonly isStair?: boolean;
  /** A mark at every point and no line. */
  readonly dots?: 'disc' | 'square';
}

export interface ChartMark {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly color: string;
  /** A minimum: its text goes under the curves, where it covers none. */
  readonly isLeast?: boolean;
}

export interface LineChartProps {
  readonly title: string;
  readonly summary: string;
  readonly fileName: string;
  readonly height: number;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly series: readonly Series[];
  /** Smallest part of the y axis; 1 for counts. */
  readonly leastPart?: number;
  readonly marks?: readonly ChartMark[];
  /** A place on the x axis that the reader moves. */
  readonly cursor?: {
    readonly at: number;
    readonly min: number;
    readonly max: number;
    readonly label: string;
    readonly text: string;
    /** Written at the line. */
    readonly note: string;
    readonly onMove: (x: number) => void;
  };
  readonly table: ChartTable;
}

/** Room for the ticks and the axis' title. */
const BOTTOM = 44;

/** A few curves over whole numbers with one place to move: the charts beside the boards. */
export function LineChart(props: LineChartProps) {
  const { title, summary, fileName, height, series, cursor, table } = props;
  const [ref, size] = useSize<HTMLDivElement>();
  const area = { ...plotArea(size.width, height), bottom: height - BOTTOM };
  const xs = series.flatMap(({ points }) => points.map(({ x }) => x));
  const end = roundAxis(Math.max(1, ...xs), 6);
  return (
    <ChartCard
      title={title}
      summary={summary}
      fileName={fileName}
      height={height}
      data={() => table}
      table={table}
      className={classes['picture']}
      legend={series.map(({ title: name, color, dash }) => ({ title: name, color, dash }))}
      overlay={
        cursor !== undefined && size.width > 0 && <ChartSlider area={area} end={end.top} cursor={cursor} />
      }
      footer={
        <p className={layout['legend']}>
          {series.map((line) => (
            <span key={line.id}>
              <svg width={24} height={8} aria-hidden="true">
                {line.dots === undefined ? (
                  <line
                    x1={1}
                    x2={23}
                    y1={4}
                    y2={4}
                    stroke={line.color}
                    strokeWidth={2.5}
                    strokeDasharray={line.dash}
                  />
                ) : (
                  <Dot x={12} y={4} series={line} />
                )}
              </svg>
              {line.title}
            </span>
          ))}
        </p>
      }
    >
      <div ref={ref} className={layout['fill']}>
        {size.width > 0 && <Plot {...props} area={area} end={end} />}
      </div>
    </ChartCard>
  );
}

interface PlotProps extends LineChartProps {
  readonly area: PlotArea;
  readonly end: ReturnType<typeof roundAxis>;
}

function Plot({ area, end, series, marks = [], cursor, xTitle, yTitle, leastPart = 1 }: PlotProps) {
  const clip = useId();
  const most = Math.max(...series.flatMap(({ points }) => points.map(({ y }) => y)));
  const axis = roundAxis(most, 5, leastPart);
  const x = (value: number): number => Math.round(pixelX(area, value, end.top) * 10) / 10;
  const y = (value: number): number => Math.round(pixelY(area, value, axis.top) * 10) / 10;
  return (
    <svg data-layer="plot" width={area.width} height={area.height} aria-hidden="true" fontSize={12}>
      <clipPath id={clip}>
        <rect
          x={area.left}
          y={area.top - 4}
          width={area.right - area.left + 8}
          height={area.bottom - area.top + 5}
        />
      </clipPath>
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <line x1={area.left} x2={area.right} y1={y(tick)} y2={y(tick)} stroke="var(--zz-hairline)" />
          <text x={area.left - 8} y={y(tick) + 4} textAnchor="end" fill="var(--zz-muted)">
            {tick}
          </text>
        </g>
      ))}
      {end.ticks.map((tick) => (
        <text key={tick} x={x(tick)} y={area.bottom + 16} textAnchor="middle" fill="var(--zz-muted)">
          {tick}
        </text>
      ))}
      <text x={8} y={area.top - 10} fill="var(--zz-muted)">
        {yTitle}
      </text>
      <text x={area.right} y={area.bottom + 34} textAnchor="end" fill="var(--zz-muted)">
        {xTitle} →
      </text>
      <line x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} stroke="var(--zz-axis)" />
      <g clipPath={`url(#${clip})`}>
        {series.map((line) =>
          line.dots !== undefined ? (
            line.points.map((point) => (
              <Dot key={`${line.id} ${point.x} ${point.y}`} x={x(point.x)} y={y(point.y)} series={line} />
            ))
          ) : (
            <path
              key={line.id}
              data-curve={line.id}
              d={pathOf(line, x, y)}
              fill="none"
              stroke={line.color}
              strokeWidth={line.width ?? 2}
              strokeDasharray={line.dash}
            />
          ),
        )}
      </g>
      {cursor !== undefined && (
        <>
          <line x1={x(cursor.at)} x2={x(cursor.at)} y1={area.top} y2={area.bottom} stroke="var(--zz-ink)" />
          <text
            x={x(cursor.at) + (x(cursor.at) > area.right - 96 ? -8 : 8)}
            y={area.top + 12}
            textAnchor={x(cursor.at) > area.right - 96 ? 'end' : 'start'}
            fill="var(--zz-ink)"
            stroke="var(--zz-card)"
            strokeWidth={3}
            paintOrder="stroke"
          >
            {cursor.note}
          </text>
        </>
      )}
      {marks.map((mark) => (
        <g key={`${mark.x} ${mark.text}`}>
          <circle
            cx={x(mark.x)}
            cy={y(mark.y)}
            r={5}
            fill="var(--zz-card)"
            stroke={mark.color}
            strokeWidth={2.5}
          />
          {mark.isLeast === true && (
            <line
              x1={x(mark.x)}
              x2={x(mark.x)}
              y1={y(mark.y) + 8}
              y2={area.bottom}
              stroke="var(--zz-axis)"
              strokeDasharray="1 3"
            />
          )}
          <text
            x={
              mark.isLeast === true
                ? x(mark.x) + 8
                : Math.min(Math.max(x(mark.x), area.left + 48), area.right - 48)
            }
            y={mark.isLeast === true ? area.bottom - 10 : y(mark.y) - 12}
            textAnchor={mark.isLeast === true ? 'start' : 'middle'}
            fill="var(--zz-ink)"
            stroke="var(--zz-card)"
            strokeWidth={3}
            paintOrder="stroke"
          >
            {mark.text}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Dot({ x, y, series: { dots, color } }: { x: number; y: number; series: Series }) {
  if (dots === 'square') return <rect x={x - 3.5} y={y - 3.5} width={7} height={7} fill={color} />;
  return <circle cx={x} cy={y} r={3.5} fill={color} />;
}

function pathOf(
  { points, isStair = false }: Series,
  x: (v: number) => number,
  y: (v: number) => number,
): string {
  return points
    .map((point, i) => {
      if (i === 0) return `M${x(point.x)} ${y(point.y)}`;
      return isStair ? `H${x(point.x)}V${y(point.y)}` : `L${x(point.x)} ${y(point.y)}`;
    })
    .join('');
}

interface ChartSliderProps {
  readonly area: PlotArea;
  readonly end: number;
  readonly cursor: NonNullable<LineChartProps['cursor']>;
}

/** The plot as a slider along its x axis. */
function ChartSlider({ area, end, cursor }: ChartSliderProps) {
  const { at, min, max, label, text, onMove } = cursor;
  const move = (x: number): void => onMove(Math.min(Math.max(x, min), max));
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    const box = event.currentTarget.getBoundingClientRect();
    move(Math.round(valueX(area, event.clientX - box.left + area.left, end)));
  };
  const press = (event: KeyboardEvent): void => {
    const next: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      PageUp: at + 10,
      PageDown: at - 10,
      Home: min,
      End: max,
    };
    const wanted = next[event.key];
    if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(wanted);
  };
  return (
    <div
      className={classes['scrubber']}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={at}
      aria-valuetext={text}
      style={{
        left: area.left,
        top: area.top,
        width: area.right - area.left,
        height: area.bottom - area.top,
      }}
      onPointerDown={drag}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
