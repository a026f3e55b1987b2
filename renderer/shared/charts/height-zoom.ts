import { panHeight, type VerticalView, zoomHeight } from './vertical-view.ts';
import { ZOOM_STEP } from './step-window.ts';

export interface HeightZoom {
  readonly view: VerticalView;
  readonly onView: (view: VerticalView) => void;
}

const MIDDLE = 0.5;
const PAN_SHARE = 0.1;
const LINE_PIXELS = 16;
const WHEEL_RATE = 0.002;

/**
 * The view after a key: plus, minus and zero zoom, the arrows move; null for other keys. By `code`, as Alt writes
 * other signs on a Mac.
 */
export function heightAfterKey(
  { key, code }: Pick<KeyboardEvent, 'key' | 'code'>,
  view: VerticalView,
): VerticalView | null {
  if (['+', '='].includes(key) || ['Equal', 'NumpadAdd'].includes(code))
    return zoomHeight(view, MIDDLE, ZOOM_STEP);
  if (key === '-' || ['Minus', 'NumpadSubtract'].includes(code))
    return zoomHeight(view, MIDDLE, 1 / ZOOM_STEP);
  if (key === '0' || code === 'Digit0') return { ...view, from: 0, to: 1 };
  if (key === 'ArrowUp') return panHeight(view, PAN_SHARE);
  return key === 'ArrowDown' ? panHeight(view, -PAN_SHARE) : null;
}

/** The view after a turn of the wheel over the share `at` of the plot's height. */
export function heightAfterWheel(event: WheelEvent, view: VerticalView, at: number): VerticalView {
  const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1;
  return zoomHeight(view, at, Math.exp(-event.deltaY * pixels * WHEEL_RATE));
}
