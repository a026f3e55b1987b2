import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from 'react';
import { type Store, useStore } from '../store.ts';
import { useSize } from '../use-size.ts';
import classes from './charts.module.css';
import { MARGIN, type PlotArea } from './plot-area.ts';
import { StepCurves, type StepDrawing } from './StepChart.tsx';
import { clampWindow, leastWidth, panBy, type StepWindow, wholeOf, windowBetween } from './step-window.ts';
import type { StepZoom } from './use-plot-gestures.ts';

export interface OverviewProps {
  readonly zoom: StepZoom;
  readonly cursor: Store<number | null>;
  /** All steps, whatever part of them the chart shows. */
  readonly drawing: StepDrawing;
  readonly say: (place: number) => string;
}

const HEIGHT = 28;
const KEY_SHARE = 0.1;

type Grip = 'from' | 'to' | 'window';

export function Overview({ zoom, cursor, drawing, say }: OverviewProps) {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const { extent } = zoom;
  const window = useStore(zoom.window);
  const shown = clampWindow(window, extent);
  const whole = useMemo(() => wholeOf(extent), [extent]);
  const area = useMemo<PlotArea>(
    () => ({ width, height: HEIGHT, left: 0, right: Math.max(1, width), top: 2, bottom: HEIGHT }),
    [width],
  );
  const share = (place: number): string => `${(place / extent.end) * 100}%`;
  const drag = useDrag(zoom);

  const grips: { grip: Grip; label: string; at: number; text: string }[] = [
    { grip: 'from', label: 'Start of the part in view', at: shown.from, text: say(shown.from) },
    {
      grip: 'window',
      label: 'Part in view',
      at: shown.from,
      text: window === null ? 'the whole step' : `${say(shown.from)} to ${say(shown.to)}`,
    },
    { grip: 'to', label: 'End of the part in view', at: shown.to, text: say(shown.to) },
  ];

  return (
    <div
      className={`${classes['overview']} ${classes['atHand']}`}
      style={{ marginLeft: MARGIN.left, marginRight: MARGIN.right }}
    >
      <div ref={ref} className={classes['overviewPlot']} data-testid="overview" {...drag.track}>
        {width > 0 && (
          <StepCurves
            area={area}
            window={whole}
            top={drawing.bytes.range ?? drawing.bytes.top}
            bands={drawing.bands}
            curves={drawing.curves}
          />
        )}
        <Veil left="0" right={`calc(100% - ${share(shown.from)})`} />
        <Veil left={share(shown.to)} right="0" />
        <OverviewCursor cursor={cursor} end={extent.end} />
        {grips.map(({ grip, label, at, text }) => (
          <div
            key={grip}
            role="slider"
            tabIndex={0}
            className={grip === 'window' ? classes['overviewWindow'] : classes['overviewGrip']}
            data-zoomed={window !== null || undefined}
            aria-label={label}
            aria-valuemin={0}
            aria-valuemax={extent.end}
            aria-valuenow={at}
            aria-valuetext={text}
            style={
              grip === 'window'
                ? { left: share(shown.from), width: share(shown.to - shown.from) }
                : { left: share(at) }
            }
            onKeyDown={(event) => pressed(event, grip, zoom)}
            {...drag.grip(grip)}
          />
        ))}
      </div>
    </div>
  );
}

const Veil = ({ left, right }: { readonly left: string; readonly right: string }) => (
  <div className={classes['overviewVeil']} style={{ left, right }} />
);

function OverviewCursor({ cursor, end }: { readonly cursor: Store<number | null>; readonly end: number }) {
  const place = useStore(cursor);
  if (place === null) return null;
  return (
    <div className={classes['overviewCursor']} style={{ left: `${(Math.min(place, end) / end) * 100}%` }} />
  );
}

/** Grips are dragged; a drag beside them draws a new window, a click there brings the window. */
function useDrag(zoom: StepZoom) {
  const start = useRef<{ grip: Grip | 'new'; place: number; window: StepWindow } | null>(null);
  const placeAt = (event: PointerEvent<HTMLElement>): number => {
    const track = event.currentTarget.closest('[data-testid="overview"]') ?? event.currentTarget;
    const { left, width } = track.getBoundingClientRect();
    return Math.min(Math.max((event.clientX - left) / width, 0), 1) * zoom.extent.end;
  };
  const begin = (grip: Grip | 'new') => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    const window = clampWindow(zoom.window.get(), zoom.extent);
    // All of it is in view: there is nothing to move, so a drag draws a window.
    const isFree = grip === 'window' && zoom.window.get() === null;
    start.current = { grip: isFree ? 'new' : grip, place: placeAt(event), window };
  };
  const move = (event: PointerEvent<HTMLElement>): void => {
    if (start.current === null) return;
    event.stopPropagation();
    const { grip, place, window } = start.current;
    const to = placeAt(event);
    const { extent } = zoom;
    if (grip === 'window') zoom.window.set(panBy(window, extent, to - place));
    else if (grip === 'from') zoom.window.set(windowBetween(Math.min(to, window.to), window.to, extent));
    else if (grip === 'to') zoom.window.set(windowBetween(window.from, Math.max(to, window.from), extent));
    else if (Math.abs(to - place) > leastWidth(extent)) zoom.window.set(windowBetween(place, to, extent));
  };
  const stop = (event: PointerEvent<HTMLElement>): void => {
    if (start.current?.grip === 'new' && placeAt(event) === start.current.place) {
      const { from, to } = start.current.window;
      if (zoom.window.get() !== null)
        zoom.window.set(panBy({ from, to }, zoom.extent, start.current.place - (from + to) / 2));
    }
    start.current = null;
  };
  const rest = { onPointerMove: move, onPointerUp: stop, onPointerCancel: stop };
  const reset = (): void => zoom.window.set(null);
  return {
    track: { onPointerDown: begin('new'), onDoubleClick: reset, ...rest },
    grip: (grip: Grip) => ({ onPointerDown: begin(grip), ...rest }),
  };
}

function pressed(event: KeyboardEvent, grip: Grip, { window: store, extent }: StepZoom): void {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  const { from, to } = clampWindow(store.get(), extent);
  const by = (to - from) * (event.shiftKey ? 1 : KEY_SHARE);
  const set = (a: number, b: number): void => store.set(windowBetween(a, b, extent));
  const move = (distance: number): void => {
    if (grip === 'window') store.set(panBy(store.get(), extent, distance));
    else if (grip === 'from') set(Math.min(Math.max(from + distance, 0), to - leastWidth(extent)), to);
    else set(from, Math.max(Math.min(to + distance, extent.end), from + leastWidth(extent)));
  };
  if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') move(-by);
  else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') move(by);
  else if (event.key === 'Home') move(-extent.end);
  else if (event.key === 'End') move(extent.end);
  else if (event.key === '0' || event.key === 'Escape') {
    if (store.get() === null) return;
    store.set(null);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
