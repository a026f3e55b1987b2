import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { type PlotArea, pixelY, type Values, valueY } from '../../../shared/charts/plot-area.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatPercent } from '../../../shared/format/numbers.ts';
import { GIB } from '../../../state/experiment/device.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { type PlanPoint, sayKept } from '../pareto/pareto-plot.ts';
import type { ShownMemory } from '../../../state/comparison/shown-memory.ts';
import classes from './limit.module.css';
import { limitAfterKey } from '../pareto/limit-range.ts';
import { type HeldLimit, useLimit } from './use-limit.ts';

export interface LimitHandleProps {
  readonly view: CompareView;
  readonly memory: ShownMemory;
  readonly area: PlotArea;
  readonly values: Values;
}

/** After the last key the limit is the budget. */
const KEY_REST_MS = 600;

/** The limit of memory as something to drag: while it is held, curve, front and sentence show the plan known for it. */
export function LimitHandle({ view, memory, area, values }: LimitHandleProps) {
  const limit = useLimit(view, memory);
  return limit === null ? null : <Handle limit={limit} area={area} values={values} />;
}

interface HandleProps extends Pick<LimitHandleProps, 'area' | 'values'> {
  readonly limit: HeldLimit;
}

function Handle({ limit, area, values }: HandleProps) {
  const { range, at, point, isHeld, isOwn } = limit;
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(limit);
  useEffect(() => {
    latest.current = limit;
  });
  useEffect(
    () => () => {
      clearTimeout(rest.current);
      if (latest.current.isHeld) latest.current.cancel();
    },
    [],
  );

  const isDragged = useRef(false);
  const valueAt = (event: PointerEvent<HTMLDivElement>): number => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    return valueY(area, event.clientY - (box?.top ?? 0), values);
  };
  const end = (event: PointerEvent<HTMLDivElement>): void => {
    if (!isDragged.current) return;
    isDragged.current = false;
    if (event.type === 'pointercancel') limit.cancel();
    else limit.commit();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const next = limitAfterKey(event.key, at, range);
    if (next !== null) {
      limit.moveTo(next);
      clearTimeout(rest.current);
      rest.current = setTimeout(() => latest.current.commit(), KEY_REST_MS);
    } else if (event.key === 'Enter' && isHeld) settle();
    else if (event.key === 'Escape' && isHeld) {
      clearTimeout(rest.current);
      limit.cancel();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const settle = (): void => {
    clearTimeout(rest.current);
    limit.commit();
  };

  const y = pixelY(area, at, values);
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes['handle']}
      aria-orientation="vertical"
      aria-label="Memory limit; it sets the budget"
      aria-valuemin={inGib(range.low)}
      aria-valuemax={inGib(range.high)}
      aria-valuenow={inGib(at)}
      aria-valuetext={sayLimit(at, point)}
      data-held={isHeld || undefined}
      data-own={isOwn || undefined}
      style={{
        left: area.left,
        width: area.right - area.left,
        top: Math.min(Math.max(y, area.top), area.bottom),
      }}
      onPointerEnter={limit.prefetch}
      onFocus={limit.prefetch}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        isDragged.current = true;
      }}
      onPointerMove={(event) => {
        if (isDragged.current) limit.moveTo(valueAt(event));
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onBlur={() => {
        if (isHeld && !isDragged.current) settle();
      }}
      onKeyDown={press}
    >
      {isHeld && <output className={classes['says']}>{sayShort(at, point)}</output>}
      <i className={classes['grip']} aria-hidden="true" />
    </div>
  );
}

const inGib = (bytes: number): number => Math.round((bytes / GIB) * 1000) / 1000;

const timeOf = ({ overhead }: PlanPoint): string =>
  overhead === null
    ? 'time unknown'
    : overhead < 0.0005
      ? 'no extra time'
      : `${formatPercent(overhead)} more time`;

const sayShort = (limit: number, point: PlanPoint): string => `${formatBytes(limit)}: ${timeOf(point)}`;

const sayLimit = (limit: number, point: PlanPoint): string =>
  `${formatGib(limit)}: ${timeOf(point)}, ${sayKept(point)}`;

const formatGib = (bytes: number): string => `${Number((bytes / GIB).toPrecision(3))} GiB`;
