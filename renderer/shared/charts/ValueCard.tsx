import { type ReactNode, useMemo, useState } from 'react';
import type { Axis } from './axis.ts';
import { PlotCard, type PlotCardProps } from './PlotCard.tsx';
import type { PlotArea } from './plot-area.ts';
import { sayHeight, viewedAxis, WHOLE_HEIGHT } from './vertical-view.ts';

export interface ValueCardProps<A extends Axis> extends Omit<PlotCardProps, 'vertical' | 'plot' | 'overlay'> {
  /** All of the vertical axis; keeps its identity while it is the same. */
  readonly axis: A;
  /** The smallest value drawn: without one above zero there is no logarithm. */
  readonly least: number;
  readonly plot: (area: PlotArea, y: A) => ReactNode;
  readonly overlay?: (area: PlotArea, y: A) => ReactNode;
}

const NO_ZERO = 'Not logarithmic: zero is drawn';

export function ValueCard<A extends Axis>(props: ValueCardProps<A>) {
  const { axis, least, plot, overlay, ...card } = props;
  const [chosen, onView] = useState(WHOLE_HEIGHT);
  const refusal = least > 0 ? null : NO_ZERO;
  // Values that came later may have a zero.
  const view = useMemo(
    () => (chosen.isLog && refusal !== null ? { ...chosen, isLog: false } : chosen),
    [chosen, refusal],
  );
  const y = useMemo(() => viewedAxis(axis, view, least), [axis, view, least]);
  return (
    <PlotCard
      {...card}
      vertical={{ view, onView, says: sayHeight(y), isFromZero: axis.low === 0, hasAreas: false, refusal }}
      plot={(area) => plot(area, y)}
      {...(overlay === undefined ? {} : { overlay: (area: PlotArea) => overlay(area, y) })}
    />
  );
}
