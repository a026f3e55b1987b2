import { type PointerEvent, type RefCallback, useCallback, useEffect, useRef, useState } from 'react';
import type { Store } from '../store.ts';
import { followed, type Pinch } from './pinch.ts';
import {
  clampWindow,
  panBy,
  type StepExtent,
  type StepWindow,
  windowBetween,
  zoomAbout,
} from './step-window.ts';

export interface StepZoom {
  readonly window: Store<StepWindow | null>;
  readonly extent: StepExtent;
}

export interface PlotGestures {
  readonly ref: RefCallback<HTMLDivElement>;
  /** The range that is being dragged, in shares of the plot's width. */
  readonly band: { readonly left: number; readonly right: number } | null;
  readonly onPointerDown: (event: PointerEvent<HTMLDivElement>) => void;
  /** True while the movement is a gesture, and not the pointing at a step. */
  readonly onPointerMove: (event: PointerEvent<HTMLDivElement>) => boolean;
  /** True where a gesture ends, and no click. */
  readonly onPointerUp: (event: PointerEvent<HTMLDivElement>) => boolean;
  readonly onPointerCancel: () => void;
}

const DRAG_PIXELS = 6;
const LINE_PIXELS = 16;
const WHEEL_RATE = 0.002;
/** A pinch on a touchpad arrives as a wheel with Ctrl, in smaller steps. */
const PINCH_RATE = 0.01;
/** A wheel that scrolls the page goes on doing so when a chart comes under the pointer. */
const SCROLL_MS = 300;

const shareOf = (element: Element, clientX: number): number => {
  const { left, width } = element.getBoundingClientRect();
  return Math.min(Math.max((clientX - left) / width, 0), 1);
};

const placeAt = ({ window, extent }: StepZoom, share: number): number => {
  const { from, to } = clampWindow(window.get(), extent);
  return from + share * (to - from);
};

/**
 * Wheel and pinch zoom about the pointer, a drag zooms to its range; nothing of it happens without `zoom`. Two fingers also
 * move what is in view; one points at a step, or scrolls the page.
 */
export function usePlotGestures(zoom: StepZoom | undefined): PlotGestures {
  const latest = useRef(zoom);
  useEffect(() => {
    latest.current = zoom;
  });
  const [band, setBand] = useState<PlotGestures['band']>(null);
  const pointers = useRef(new Map<number, number>());
  const drag = useRef<{ readonly start: number; moved: boolean } | null>(null);
  /** From the second finger on until the last is lifted. */
  const pinch = useRef<Pinch | null>(null);

  const ref = useCallback((element: HTMLDivElement | null) => {
    if (element === null) return undefined;
    let scrolled = Number.NEGATIVE_INFINITY;
    const scroll = (): void => {
      scrolled = performance.now();
    };
    const wheel = (event: WheelEvent): void => {
      const current = latest.current;
      if (current === undefined) return;
      if (!event.ctrlKey && performance.now() - scrolled < SCROLL_MS) return;
      if (turned(current, event, shareOf(element, event.clientX))) event.preventDefault();
    };
    // A listener of React's is passive and could not keep the page from scrolling.
    element.addEventListener('wheel', wheel, { passive: false });
    // Two fingers up and down would scroll the page, and take the pinch away.
    const touch = (event: TouchEvent): void => {
      if (latest.current !== undefined && event.touches.length > 1 && event.cancelable)
        event.preventDefault();
    };
    element.addEventListener('touchstart', touch, { passive: false });
    element.addEventListener('touchmove', touch, { passive: false });
    document.addEventListener('scroll', scroll, { capture: true, passive: true });
    return () => {
      element.removeEventListener('touchstart', touch);
      element.removeEventListener('touchmove', touch);
      element.removeEventListener('wheel', wheel);
      document.removeEventListener('scroll', scroll, { capture: true });
    };
  }, []);

  const forget = (): void => {
    pointers.current.clear();
    drag.current = null;
    pinch.current = null;
    setBand(null);
  };

  return {
    ref,
    band,
    onPointerDown: (event) => {
      if (zoom === undefined || event.button !== 0) return;
      const share = shareOf(event.currentTarget, event.clientX);
      pointers.current.set(event.pointerId, share);
      event.currentTarget.setPointerCapture(event.pointerId);
      const [a, b] = pointers.current.values();
      if (a !== undefined && b !== undefined) {
        drag.current = null;
        pinch.current = { a, b, window: zoom.window.get() };
      } else if (event.pointerType !== 'touch') drag.current = { start: share, moved: false };
    },
    onPointerMove: (event) => {
      if (zoom === undefined || !pointers.current.has(event.pointerId)) return false;
      const share = shareOf(event.currentTarget, event.clientX);
      pointers.current.set(event.pointerId, share);
      if (pinch.current !== null) {
        const [a, b] = pointers.current.values();
        if (a === undefined || b === undefined) return true;
        zoom.window.set(followed(pinch.current, a, b, zoom.extent));
        return true;
      }
      const current = drag.current;
      if (current === null) return false;
      const width = event.currentTarget.clientWidth;
      if (Math.abs(share - current.start) * width > DRAG_PIXELS) current.moved = true;
      if (!current.moved) return false;
      setBand({ left: Math.min(share, current.start), right: Math.max(share, current.start) });
      return true;
    },
    onPointerUp: (event) => {
      const wasPinch = pinch.current !== null;
      const current = drag.current;
      const share = shareOf(event.currentTarget, event.clientX);
      pointers.current.delete(event.pointerId);
      if (zoom !== undefined && current?.moved === true) {
        zoom.window.set(windowBetween(placeAt(zoom, current.start), placeAt(zoom, share), zoom.extent));
        forget();
        return true;
      }
      if (pointers.current.size === 0) forget();
      return wasPinch;
    },
    onPointerCancel: forget,
  };
}

/** True where the wheel meant the chart: it zooms, or moves a zoomed chart sideways; else the page scrolls. */
function turned({ window, extent }: StepZoom, event: WheelEvent, share: number): boolean {
  const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1;
  const now = window.get();
  const { from, to } = clampWindow(now, extent);
  const across = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
  if (!event.ctrlKey && Math.abs(across) >= Math.abs(event.shiftKey ? 0 : event.deltaY)) {
    if (now === null) return false;
    window.set(panBy(now, extent, (across * pixels * (to - from)) / 1000));
    return true;
  }
  const factor = Math.exp(-event.deltaY * pixels * (event.ctrlKey ? PINCH_RATE : WHEEL_RATE));
  const next = zoomAbout(now, extent, from + share * (to - from), factor);
  if (next === null && now === null) return event.ctrlKey;
  window.set(next);
  return true;
}
