import type { KeyboardEvent, PointerEvent } from 'react';
import { type Store, useStore } from '../store.ts';
import classes from './charts.module.css';
import type { StepCursorStore } from './cursor-store.ts';
import { isShown, type PlotArea, pixelX, pixelY, type Values, valueX } from './plot-area.ts';
import { clampWindow, revealing, ZOOM_STEP, zoomAbout } from './step-window.ts';
import { type StepZoom, usePlotGestures } from './use-plot-gestures.ts';

export interface CursorDot {
  readonly id: string;
  readonly y: number;
  readonly color: string;
}

export interface StepCursorProps {
  readonly area: PlotArea;
  readonly end: number;
  readonly topBytes: Values;
  /** Place on the x axis, shared by all charts of a screen; `null` when nothing is pointed at. */
  readonly cursor: Store<number | null> | StepCursorStore;
  readonly zoom?: StepZoom | undefined;
  readonly label: string;
  /** The place after a key that moves by operations; `null` for keys without a meaning here. */
  readonly onKey: (key: string, big: boolean, place: number | null) => number | null;
  readonly dotsAt: (place: number) => readonly CursorDot[];
  readonly describe: (place: number) => string;
}

/**
 * The cursor over a plot: a slider for the keyboard and screen readers, a hairline for everybody. It is HTML above the
 * chart, so that moving it draws nothing again: 1.3 ms of the page's thread a move, where the tooltip of Recharts takes
 * 3.3 (five curves, Chromium 156). That tooltip also has no place to set, which keys, links and other charts need.
 */
export function StepCursor(props: StepCursorProps) {
  const { area, end, topBytes, cursor, zoom, label, onKey, dotsAt, describe } = props;
  const place = useStore(cursor);
  const holding = 'hold' in cursor ? cursor : null;
  const isHeld = useStore(holding?.held ?? NEVER);
  const gestures = usePlotGestures(zoom);
  const { from, to } =
    zoom === undefined ? { from: 0, to: end } : clampWindow(zoom.window.get(), zoom.extent);
  const shown = place === null ? null : Math.min(place, end);
  const isInView = shown !== null && shown >= from && shown <= to;

  const pointedAt = (event: PointerEvent<HTMLDivElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return valueX(area, event.clientX - box.left + area.left, to, from);
  };
  const moved = (event: PointerEvent<HTMLDivElement>): void => {
    if (gestures.onPointerMove(event)) return;
    if (!isHeld) cursor.set(pointedAt(event));
    else if (event.pointerType === 'touch') holding?.hold(pointedAt(event));
  };
  const released = (event: PointerEvent<HTMLDivElement>): void => {
    if (!gestures.onPointerUp(event) && event.button === 0) holding?.hold(pointedAt(event));
  };
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (zoomed(event.key, zoom, shown) || letGo(event.key, cursor, shown)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const next = onKey(event.key, event.shiftKey, shown);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (holding === null) cursor.set(next);
    else holding.hold(next);
    zoom?.window.set(revealing(zoom.window.get(), zoom.extent, next));
  };

  return (
    <>
      <div
        ref={gestures.ref}
        className={classes['cursorArea']}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={end}
        aria-valuenow={shown ?? 0}
        aria-valuetext={shown === null ? 'No step selected; press the arrow keys' : describe(shown)}
        style={{
          left: area.left,
          top: area.top,
          width: area.right - area.left,
          height: area.bottom - area.top,
        }}
        onPointerMove={moved}
        onPointerDown={(event) => {
          gestures.onPointerDown(event);
          if (zoom === undefined && !isHeld) cursor.set(pointedAt(event));
        }}
        onPointerUp={released}
        onPointerCancel={gestures.onPointerCancel}
        onPointerLeave={(event) => {
          if (event.pointerType === 'mouse' && !isHeld && document.activeElement !== event.currentTarget)
            cursor.set(null);
        }}
        onDoubleClick={() => {
          zoom?.window.set(null);
          holding?.letGo();
        }}
        onBlur={() => {
          if (!isHeld) cursor.set(null);
        }}
        onKeyDown={press}
      />
      {gestures.band !== null && (
        <div
          aria-hidden="true"
          className={classes['dragBand']}
          style={{
            left: area.left + gestures.band.left * (area.right - area.left),
            width: (gestures.band.right - gestures.band.left) * (area.right - area.left),
            top: area.top,
            height: area.bottom - area.top,
          }}
        />
      )}
      {isInView && (
        <div aria-hidden="true" data-cursor={isHeld ? 'held' : ''}>
          <div
            className={classes['cursorLine']}
            data-held={isHeld || undefined}
            style={{
              height: area.bottom - area.top,
              transform: `translate(${Math.round(pixelX(area, shown, to, from))}px, ${area.top}px)`,
            }}
          />
          {dotsAt(shown)
            .filter(({ y }) => isShown(y, topBytes))
            .map((dot) => (
              <div
                key={dot.id}
                className={classes['cursorDot']}
                style={{
                  backgroundColor: dot.color,
                  transform: `translate(${pixelX(area, shown, to, from) - 4}px, ${pixelY(area, dot.y, topBytes) - 4}px)`,
                }}
              />
            ))}
        </div>
      )}
    </>
  );
}

const NEVER: Pick<Store<boolean>, 'get' | 'subscribe'> = {
  get: () => false,
  subscribe: () => () => undefined,
};

/** Plus and minus zoom about the cursor, else about the middle; zero shows all. */
function zoomed(key: string, zoom: StepZoom | undefined, place: number | null): boolean {
  if (zoom === undefined || !['+', '=', '-', '0'].includes(key)) return false;
  const { window, extent } = zoom;
  const { from, to } = clampWindow(window.get(), extent);
  const at = place !== null && place >= from && place <= to ? place : (from + to) / 2;
  if (key === '0') window.set(null);
  else window.set(zoomAbout(window.get(), extent, at, key === '-' ? 1 / ZOOM_STEP : ZOOM_STEP));
  return true;
}

function letGo(key: string, cursor: StepCursorProps['cursor'], place: number | null): boolean {
  if (key !== 'Escape' || place === null) return false;
  if ('letGo' in cursor) cursor.letGo();
  else cursor.set(null);
  return true;
}
