import { BACKWARD, FORWARD } from '../../../engine/schedule/schedule.ts';

/**
 * Positions of a schedule's steps on the x axis. Forwards, recomputes and backwards are operations
 * that take time; frees take none and share the place of the operation before them. So the first
 * forward of every strategy covers the same operations at the same places, whatever it frees between.
 */
export interface StepAxis {
  /** Operations run before each step, with the steps of one operation spread over its place. */
  readonly positions: Float64Array;
  /** Steps that are operations, ascending. */
  readonly operations: Int32Array;
  readonly forward: number;
  readonly backward: number;
  /** Milliseconds at which each operation starts, and at the end the last one's end; where it is known. */
  readonly clock?: Float64Array;
}

export function stepAxis(kinds: ArrayLike<number>, backwardStart: number): StepAxis {
  const count = kinds.length;
  const positions = new Float64Array(count);
  const operations: number[] = [];
  for (let t = 0; t < count; t++) {
    if (kinds[t] === FORWARD || kinds[t] === BACKWARD) operations.push(t);
  }
  let forward = 0;
  operations.forEach((start, place) => {
    if (start < backwardStart) forward += 1;
    const end = operations[place + 1] ?? count;
    for (let t = start; t < end; t++) positions[t] = place + (t - start) / (end - start);
  });
  return {
    positions,
    operations: Int32Array.from(operations),
    forward,
    backward: operations.length - forward,
  };
}

/**
 * `pass`: forward from 0 to 1 and backward from 1 to 2, so that both passes of all strategies line up.
 * `operations`: operations run so far, so that a curve with recomputes ends later.
 * `time`: milliseconds by the axis's clock; operations where it has none.
 */
export type StepScale = 'pass' | 'operations' | 'time';

export function placeOf(axis: StepAxis, position: number, scale: StepScale): number {
  if (scale === 'time' && axis.clock !== undefined) return timeAt(axis.clock, position);
  if (scale !== 'pass') return position;
  if (position < axis.forward) return position / axis.forward;
  return axis.backward === 0 ? 1 : 1 + (position - axis.forward) / axis.backward;
}

export function positionAt(axis: StepAxis, place: number, scale: StepScale): number {
  if (scale === 'time' && axis.clock !== undefined) return positionIn(axis.clock, place);
  if (scale !== 'pass') return place;
  return place < 1 ? place * axis.forward : axis.forward + (place - 1) * axis.backward;
}

function timeAt(clock: Float64Array, position: number): number {
  const operation = Math.min(Math.max(Math.floor(position), 0), clock.length - 1);
  const start = clock[operation] ?? 0;
  return start + (position - operation) * ((clock[operation + 1] ?? start) - start);
}

function positionIn(clock: Float64Array, ms: number): number {
  let low = 0;
  let high = clock.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((clock[middle] ?? 0) <= ms) low = middle;
    else high = middle - 1;
  }
  const start = clock[low] ?? 0;
  const length = (clock[low + 1] ?? start) - start;
  return length > 0 ? low + (ms - start) / length : low;
}

/** The step that runs at a place of the axis: the last one that starts there or before. */
export function stepAt(axis: StepAxis, place: number, scale: StepScale): number {
  const position = positionAt(axis, place, scale) + 1e-9;
  const { positions } = axis;
  let low = 0;
  let high = positions.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((positions[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The operation `by` operations after the one that `step` belongs to, as a step; stays inside. */
export function operationFrom(axis: StepAxis, step: number, by: number): number {
  const place = Math.floor((axis.positions[step] ?? 0) + 1e-9);
  const wanted = Math.min(Math.max(place + by, 0), axis.operations.length - 1);
  return axis.operations[wanted] ?? 0;
}
