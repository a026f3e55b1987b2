import type { StepScale } from './step-axis.ts';

/** Length of the x axis that holds these curves, and where their forward pass ends. */
export interface StepExtent {
  readonly end: number;
  readonly split: number;
  readonly scale: StepScale;
  readonly operations: number;
}

/** The part of the x axis that is drawn, in places of its scale; nothing stands for all of it. */
export interface StepWindow {
  readonly from: number;
  readonly to: number;
}

/** Fewest operations that fill the plot. */
const MIN_OPERATIONS = 4;

export const ZOOM_STEP = 1.6;

/** Enough for one operation among a hundred thousand; more would be written with an exponent. */
const DECIMALS = 6;

export const leastWidth = ({ end, operations }: StepExtent): number =>
  Math.min(end, (end * MIN_OPERATIONS) / Math.max(operations, 1));

export const wholeOf = ({ end }: StepExtent): StepWindow => ({ from: 0, to: end });

/** The window that can be drawn; what a previous scale or network left is moved inside, and null is the whole. */
export function clampWindow(window: StepWindow | null, extent: StepExtent): StepWindow {
  if (window === null) return wholeOf(extent);
  const { end } = extent;
  const width = Math.min(Math.max(window.to - window.from, leastWidth(extent)), end);
  const from = Math.min(Math.max(window.from, 0), end - width);
  return { from, to: from + width };
}

/** The same as a choice: null once everything is in view. */
function chosen(window: StepWindow, extent: StepExtent): StepWindow | null {
  const { from, to } = clampWindow(window, extent);
  return to - from >= extent.end * (1 - 1e-6) ? null : { from, to };
}

/** Zooms so that the place `at` stays where it is on screen; a factor above 1 zooms in. */
export function zoomAbout(
  window: StepWindow | null,
  extent: StepExtent,
  at: number,
  factor: number,
): StepWindow | null {
  const { from, to } = clampWindow(window, extent);
  const width = Math.min(Math.max((to - from) / factor, leastWidth(extent)), extent.end);
  const start = at - ((at - from) / (to - from)) * width;
  return chosen({ from: start, to: start + width }, extent);
}

export function panBy(window: StepWindow | null, extent: StepExtent, by: number): StepWindow | null {
  const { from, to } = clampWindow(window, extent);
  return chosen({ from: from + by, to: to + by }, extent);
}

export function windowBetween(a: number, b: number, extent: StepExtent): StepWindow | null {
  const middle = (a + b) / 2;
  const half = Math.max(Math.abs(a - b), leastWidth(extent)) / 2;
  return chosen({ from: middle - half, to: middle + half }, extent);
}

/** Moves the window no farther than it takes for a place to be in view, with some room beside it. */
export function revealing(window: StepWindow | null, extent: StepExtent, place: number): StepWindow | null {
  if (window === null) return null;
  const { from, to } = clampWindow(window, extent);
  const room = (to - from) * 0.1;
  if (place < from) return panBy(window, extent, place - room - from);
  if (place > to) return panBy(window, extent, place + room - to);
  return window;
}

/** `0.52-0.61`: a window as an address has it. */
export function writeWindow({ from, to }: StepWindow): string {
  return `${Number(from.toFixed(DECIMALS))}-${Number(to.toFixed(DECIMALS))}`;
}

/** The window that an address says; null where it says none that can be read. */
export function readWindow(text: string | undefined): StepWindow | null {
  const [from = Number.NaN, to = Number.NaN, ...rest] = (text ?? '').split('-').map(Number);
  return rest.length === 0 && from >= 0 && to > from && Number.isFinite(to) ? { from, to } : null;
}
