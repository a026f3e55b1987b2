import { reduceColumns } from './reduce.ts';
import { placeOf, type StepAxis, type StepScale, stepAt } from './step-axis.ts';
import type { StepExtent, StepWindow } from './step-window.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

type Pointed = readonly { readonly points: readonly Point[] }[];

/** The smallest value of any curve; zero if none exists. */
export function leastOf(curves: Pointed): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { points } of curves) for (const { y } of points) least = Math.min(least, y);
  return Number.isFinite(least) ? least : 0;
}

/** The same over values above zero: live memory begins and ends with nothing, which a logarithm has at its end. */
export const leastHeld = (curves: Pointed): number =>
  leastOf(curves.map(({ points }) => ({ points: points.filter(({ y }) => y > 0) })));

export function stepExtent(axes: readonly StepAxis[], scale: StepScale): StepExtent {
  const operations = Math.max(1, ...axes.map((axis) => axis.forward + axis.backward));
  if (scale === 'pass') return { end: 2, split: 1, scale, operations };
  const end = Math.max(scale === 'time' ? 0 : 1, ...axes.map((axis) => endOf(axis, scale)));
  const split = Math.max(0, ...axes.map((axis) => placeOf(axis, axis.forward, scale)));
  return { end: end > 0 ? end : 1, split, scale, operations };
}

/** The last step lasts as long as its operation. */
export function endOf(axis: StepAxis, scale: StepScale): number {
  return placeOf(axis, axis.forward + axis.backward, scale);
}

/** The drawn part of the x axis, on so many columns of pixels. */
export interface StepFrame {
  readonly scale: StepScale;
  readonly window: StepWindow;
  readonly columns: number;
}

/** Fine enough for a chart that does not say how wide it is. */
const USUAL_COLUMNS = 400;

export function frameOf(axis: StepAxis, frame: StepFrame | StepScale): StepFrame {
  if (typeof frame !== 'string') return frame;
  return { scale: frame, window: { from: 0, to: endOf(axis, frame) || 1 }, columns: USUAL_COLUMNS };
}

/**
 * The steps of a series that a frame shows, no more than three for each column of pixels and among them every
 * peak; with where each begins inside the window. A series may be shorter than its axis.
 */
export function stepsInView(
  values: ArrayLike<number>,
  axis: StepAxis,
  { scale, window, columns }: StepFrame,
): { readonly step: number; readonly x: number }[] {
  const { from, to } = window;
  const first = stepAt(axis, from, scale);
  const last = Math.min(stepAt(axis, to, scale), values.length - 1);
  if (last < first) return [];
  const placeAt = (step: number): number => placeOf(axis, axis.positions[step] ?? 0, scale);
  const density = columns / (to - from);
  return reduceColumns(values, first, last, (step) => Math.floor((placeAt(step) - from) * density)).map(
    (step) => ({ step, x: Math.min(Math.max(placeAt(step), from), to) }),
  );
}

export function lastPlace(axis: StepAxis, { scale, window }: StepFrame, step: number): number {
  const next = axis.positions[step + 1];
  const end = next === undefined ? endOf(axis, scale) : placeOf(axis, next, scale);
  return Math.min(Math.max(end, window.from), window.to);
}

/** A curve over the steps, for step-after lines; the peaks in view are the series' own. */
export function stepCurve(values: ArrayLike<number>, axis: StepAxis, shown: StepFrame | StepScale): Point[] {
  const frame = frameOf(axis, shown);
  const steps = stepsInView(values, axis, frame);
  const points = steps.map(({ step, x }): Point => ({ x, y: values[step] ?? 0 }));
  const last = steps.at(-1);
  if (last !== undefined) {
    points.push({ x: lastPlace(axis, frame, last.step), y: values[last.step] ?? 0 });
  }
  return points;
}
