import { MAX_POINTS, reduceIndices } from './reduce.ts';
import { placeOf, type StepAxis, type StepScale } from './step-axis.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Length of the x axis that holds these curves, and where their forward pass ends. */
export interface StepExtent {
  readonly end: number;
  readonly split: number;
  readonly scale: StepScale;
}

export function stepExtent(axes: readonly StepAxis[], scale: StepScale): StepExtent {
  if (scale === 'pass') return { end: 2, split: 1, scale };
  const end = Math.max(1, ...axes.map((axis) => axis.forward + axis.backward));
  return { end, split: Math.max(0, ...axes.map((axis) => axis.forward)), scale };
}

/** The last step lasts as long as its operation. */
export function endOf(axis: StepAxis, scale: StepScale): number {
  return placeOf(axis, axis.forward + axis.backward, scale);
}

/**
 * A curve of at most 800 points over the steps, for step-after lines; its maximum is the series' own.
 *
 * @param count how many steps from the first are known; the curve stops there
 */
export function stepCurve(
  values: ArrayLike<number>,
  axis: StepAxis,
  scale: StepScale,
  limit: number = MAX_POINTS,
): Point[] {
  const points = Array.from(reduceIndices(values, limit - 1), (t) => ({
    x: placeOf(axis, axis.positions[t] ?? 0, scale),
    y: values[t] ?? 0,
  }));
  const last = points.at(-1);
  if (last !== undefined) {
    const next = values.length < axis.positions.length ? axis.positions[values.length] : undefined;
    points.push({ x: next === undefined ? endOf(axis, scale) : placeOf(axis, next, scale), y: last.y });
  }
  return points;
}

export interface Tick {
  readonly value: number;
  readonly label: string;
}

/** Ticks of the x axis: halves of both passes, or round numbers of operations. */
export function stepTicks(extent: StepExtent, format: (value: number) => string): Tick[] {
  if (extent.scale === 'pass') {
    return [
      { value: 0, label: '0' },
      { value: 0.5, label: format(0.5) },
      { value: 1, label: format(1) },
      { value: 1.5, label: format(0.5) },
      { value: 2, label: format(1) },
    ];
  }
  const wanted = extent.end / 6;
  const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 1)));
  const step = ([1, 2, 5, 10].find((s) => s * power >= wanted) ?? 10) * power;
  const count = Math.floor(extent.end / step);
  return Array.from({ length: count + 1 }, (_, i) => ({ value: i * step, label: format(i * step) }));
}
