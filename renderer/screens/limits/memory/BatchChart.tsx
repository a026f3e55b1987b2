import { type Axis, rangeOf } from '../../../shared/charts/axis.ts';
import type { PlotCardProps } from '../../../shared/charts/PlotCard.tsx';
import { leastOf } from '../../../shared/charts/step-curves.ts';
import { ValueCard } from '../../../shared/charts/ValueCard.tsx';
import layout from '../../../shared/layout/layout.module.css';
import type { Store } from '../../../shared/store.ts';
import { BatchCursor, BatchReadout } from './BatchCursor.tsx';
import { LimitPlot, type LimitPlotProps } from './LimitPlot.tsx';
import type { LimitCurve } from './memory-lines.ts';

type Card = Pick<
  PlotCardProps,
  'title' | 'testId' | 'summary' | 'fileName' | 'height' | 'data' | 'table' | 'footer' | 'axisTitles'
>;

export interface BatchChartProps extends Card, Pick<LimitPlotProps, 'limit'> {
  readonly x: Axis;
  readonly y: Axis;
  readonly curves: readonly LimitCurve[];
  readonly cursor: Store<number | null>;
  readonly format: (value: number) => string;
  /** What the y axis says, and that it is predicted. */
  readonly note: string;
  /** Read while the cursor is nowhere. */
  readonly idle: string;
  /** Why there is no curve, once everything is solved. */
  readonly nothing: string;
  readonly isSolving: boolean;
}

/** Curves over batch sizes under one cursor, with the values at the cursor below. */
export function BatchChart(props: BatchChartProps) {
  const { x, y, curves, limit, cursor, format, note, idle, nothing, isSolving, footer, ...card } = props;
  return (
    <ValueCard
      {...card}
      axis={y}
      least={leastOf(curves)}
      legend={curves}
      tools={<span className={layout['note']}>{note}</span>}
      empty={curves.length === 0 ? (isSolving ? 'Solving…' : nothing) : undefined}
      plot={(area, shown) => <LimitPlot area={area} x={x} y={shown} curves={curves} limit={limit} />}
      overlay={(area, shown) => (
        <BatchCursor
          area={area}
          end={x.top}
          top={rangeOf(shown)}
          cursor={cursor}
          curves={curves}
          format={format}
        />
      )}
      footer={
        <>
          <BatchReadout cursor={cursor} curves={curves} format={format} idle={idle} />
          {footer}
        </>
      }
    />
  );
}
