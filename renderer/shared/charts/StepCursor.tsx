import type { KeyboardEvent, PointerEvent } from 'react';
import { type Store, useStore } from '../store.ts';
import classes from './charts.module.css';
import { type PlotArea, pixelX, pixelY, valueX } from './plot-area.ts';

export interface CursorDot {
  readonly id: string;
  readonly y: number;
  readonly color: string;
}

export interface StepCursorProps {
  readonly area: PlotArea;
  readonly end: number;
  readonly topBytes: number;
  /** Place on the x axis, shared by all charts of a screen; `null` when nothing is pointed at. */
  readonly cursor: Store<number | null>;
  readonly label: string;
  /** The place after a key that moves by operations; `null` for keys without a meaning here. */
  readonly onKey: (key: string, big: boolean, place: number | null) => number | null;
  readonly dotsAt: (place: number) => readonly CursorDot[];
  /** Said by a screen reader at each move. */
  readonly describe: (place: number) => string;
}

/**
 * The cursor over a plot: a slider for the keyboard and screen readers, a hairline for everybody. It is
 * HTML above the chart, so that moving it draws nothing anew.
 */
export function StepCursor(props: StepCursorProps) {
  const { area, end, topBytes, cursor, label, onKey, dotsAt, describe } = props;
  const place = useStore(cursor);
  const shown = place === null ? null : Math.min(place, end);

  const move = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    cursor.set(valueX(area, event.clientX - box.left + area.left, end));
  };
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const next = onKey(event.key, event.shiftKey, shown);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    cursor.set(next);
  };

  return (
    <>
      <div
        className={classes['cursorArea']}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={end}
        aria-valuenow={shown ?? 0}
        aria-valuetext={shown === null ? 'No step chosen; press the arrow keys' : describe(shown)}
        style={{
          left: area.left,
          top: area.top,
          width: area.right - area.left,
          height: area.bottom - area.top,
        }}
        onPointerMove={move}
        onPointerDown={move}
        onPointerLeave={(event) => {
          if (event.pointerType === 'mouse' && document.activeElement !== event.currentTarget)
            cursor.set(null);
        }}
        onBlur={() => cursor.set(null)}
        onKeyDown={press}
      />
      {shown !== null && (
        <div aria-hidden="true" data-cursor="">
          <div
            className={classes['cursorLine']}
            style={{
              height: area.bottom - area.top,
              transform: `translate(${Math.round(pixelX(area, shown, end))}px, ${area.top}px)`,
            }}
          />
          {dotsAt(shown).map((dot) => (
            <div
              key={dot.id}
              className={classes['cursorDot']}
              style={{
                backgroundColor: dot.color,
                transform: `translate(${pixelX(area, shown, end) - 4}px, ${pixelY(area, dot.y, topBytes) - 4}px)`,
              }}
            />
          ))}
        </div>
      )}
    </>
  );
}
