import type { KeyboardEvent, PointerEvent } from 'react';
import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import type { Axis } from '../../../shared/charts/axis.ts';
import chart from '../../../shared/charts/charts.module.css';
import classes from './pareto.module.css';
import { isInView, type PlanPoint, pixelOf, sayPoint } from './pareto-plot.ts';

export interface ParetoPickerProps {
  readonly area: PlotArea;
  readonly points: readonly PlanPoint[];
  readonly end: number;
  readonly axis: Axis;
  readonly chosen: PlanPoint | null;
  readonly onChoose: (id: string | null) => void;
  readonly onTake: (point: PlanPoint) => void;
}

const REACH = 28;

/** Points at the nearest plan; the arrow keys go through all of them by memory, Enter takes one. */
export function ParetoPicker({ area, points, end, axis, chosen, onChoose, onTake }: ParetoPickerProps) {
  const ordered = points.filter((point) => isInView(point, axis)).sort((a, b) => a.bytes - b.bytes);
  const place = chosen === null ? -1 : ordered.findIndex(({ id }) => id === chosen.id);

  const nearest = (event: PointerEvent<HTMLDivElement>): PlanPoint | null => {
    const box = event.currentTarget.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let best: PlanPoint | null = null;
    let reach = REACH;
    for (const point of ordered) {
      const { x, y } = pixelOf(point, area, end, axis);
      const distance = Math.hypot(x - px, y - py);
      if (distance <= reach) {
        best = point;
        reach = distance;
      }
    }
    return best;
  };
  const press = (event: KeyboardEvent): void => {
    if (event.altKey) return;
    const last = ordered.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: Math.min(place + 1, last),
      ArrowLeft: Math.max(place - 1, 0),
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (next !== undefined) onChoose(ordered[next]?.id ?? null);
    else if ((event.key === 'Enter' || event.key === ' ') && chosen !== null) onTake(chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const at = chosen === null || !isInView(chosen, axis) ? null : pixelOf(chosen, area, end, axis);
  return (
    <div
      className={classes['picker']}
      role="slider"
      tabIndex={0}
      aria-label="Plans by memory; Enter uses one as the budget"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, ordered.length - 1)}
      aria-valuenow={Math.max(0, place)}
      aria-valuetext={chosen === null ? 'No plan selected; press the arrow keys' : sayPoint(chosen)}
      data-pointing={chosen !== null || undefined}
      onPointerMove={(event) => onChoose(nearest(event)?.id ?? null)}
      onPointerLeave={() => onChoose(null)}
      onPointerUp={(event) => {
        const point = nearest(event);
        if (point !== null) onTake(point);
      }}
      onBlur={() => onChoose(null)}
      onKeyDown={press}
    >
      {chosen !== null && at !== null && (
        <div
          className={chart['chosenDot']}
          style={{ backgroundColor: chosen.color, transform: `translate(${at.x}px, ${at.y}px)` }}
        />
      )}
    </div>
  );
}
