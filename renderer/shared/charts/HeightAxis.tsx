import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import classes from './charts.module.css';
import { type HeightZoom, heightAfterKey, heightAfterWheel } from './height-zoom.ts';
import type { PlotArea } from './plot-area.ts';
import {
  heightBetween,
  isWholeHeight,
  type VerticalView,
  WHOLE_HEIGHT,
  zoomHeight,
} from './vertical-view.ts';

export interface HeightAxisProps extends HeightZoom {
  readonly area: PlotArea;
  /** The ends of what is in view, in words. */
  readonly says: string;
}

const DRAG_PIXELS = 6;
const MIN_PINCH = 0.02;

/**
 * The vertical axis as something to hold: a drag along it zooms to its range, two fingers pinch it, and it has the keys.
 * Over the whole chart around it the same keys with Alt, the wheel with Alt, and a double click for everything.
 */
export function HeightAxis({ area, view, onView, says }: HeightAxisProps) {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef({ view, onView });
  useEffect(() => {
    latest.current = { view, onView };
  });
  useEffect(() => (ref.current === null ? undefined : listen(ref.current, latest)), []);
  const [band, setBand] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const pointers = useRef(new Map<number, number>());
  const drag = useRef<{ readonly start: number; moved: boolean } | null>(null);
  const pinch = useRef<{ readonly distance: number; readonly view: VerticalView } | null>(null);
  const tall = area.bottom - area.top;

  const began = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, shareAt(event.currentTarget, event.clientY));
    const [a = 0, b] = pointers.current.values();
    drag.current = b === undefined ? { start: a, moved: false } : null;
    if (b === undefined) return;
    setBand(null);
    pinch.current = { distance: Math.max(Math.abs(a - b), MIN_PINCH), view };
  };
  const went = (event: PointerEvent<HTMLDivElement>): void => {
    if (!pointers.current.has(event.pointerId)) return;
    const share = shareAt(event.currentTarget, event.clientY);
    pointers.current.set(event.pointerId, share);
    if (pinch.current !== null) {
      const [a = 0, b] = pointers.current.values();
      // One of the two was lifted: what is left of the gesture is no pinch.
      if (b === undefined) return;
      const factor = Math.max(Math.abs(a - b), MIN_PINCH) / pinch.current.distance;
      onView(zoomHeight(pinch.current.view, (a + b) / 2, factor));
    } else if (drag.current !== null) {
      const { start } = drag.current;
      drag.current.moved ||= Math.abs(share - start) * tall > DRAG_PIXELS;
      if (drag.current.moved) setBand({ from: Math.min(share, start), to: Math.max(share, start) });
    }
  };
  const ended = (event: PointerEvent<HTMLDivElement>): void => {
    pointers.current.delete(event.pointerId);
    if (pointers.current.size > 0) return;
    // The end of the drag, not the band drawn last: the last move may not have been drawn yet.
    if (drag.current?.moved === true && event.type === 'pointerup') {
      const share = shareAt(event.currentTarget, event.clientY);
      const { start } = drag.current;
      onView(heightBetween(view, Math.min(share, start), Math.max(share, start)));
    }
    drag.current = null;
    pinch.current = null;
    setBand(null);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const next = heightAfterKey(event, view);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    onView(next);
  };

  return (
    <>
      <div
        ref={ref}
        className={classes['heightAxis']}
        role="slider"
        tabIndex={0}
        aria-label="Vertical axis in view"
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(view.from * 100)}
        aria-valuetext={says}
        data-zoomed={!isWholeHeight(view) || undefined}
        style={{ width: area.left, top: area.top, height: tall }}
        onPointerDown={began}
        onPointerMove={went}
        onPointerUp={ended}
        onPointerCancel={ended}
        onKeyDown={pressed}
      />
      {band !== null && (
        <div
          aria-hidden="true"
          className={classes['dragBand']}
          style={{
            left: 0,
            width: area.right,
            top: area.bottom - band.to * tall,
            height: (band.to - band.from) * tall,
          }}
        />
      )}
    </>
  );
}

/** Share of the axis' length from its lower end. */
function shareAt(axis: Element, clientY: number): number {
  const { top, height } = axis.getBoundingClientRect();
  return Math.min(Math.max(1 - (clientY - top) / height, 0), 1);
}

/** Listens to all of the chart that an axis belongs to, before what lies over it does. */
function listen(axis: HTMLElement, latest: { readonly current: HeightZoom }): () => void {
  const chart = axis.parentElement ?? axis;
  // A listener of React's is passive and could not keep the page from scrolling.
  const turned = (event: WheelEvent): void => {
    if (!event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { view, onView } = latest.current;
    onView(heightAfterWheel(event, view, shareAt(axis, event.clientY)));
  };
  const pressed = (event: globalThis.KeyboardEvent): void => {
    if (!event.altKey || event.metaKey || event.ctrlKey) return;
    const { view, onView } = latest.current;
    const next = heightAfterKey(event, view);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    onView(next);
  };
  const clicked = (): void => {
    const { view, onView } = latest.current;
    if (!isWholeHeight(view)) onView({ ...WHOLE_HEIGHT, isLog: view.isLog });
  };
  chart.addEventListener('wheel', turned, { passive: false, capture: true });
  chart.addEventListener('keydown', pressed, { capture: true });
  chart.addEventListener('dblclick', clicked);
  return () => {
    chart.removeEventListener('wheel', turned, { capture: true });
    chart.removeEventListener('keydown', pressed, { capture: true });
    chart.removeEventListener('dblclick', clicked);
  };
}
