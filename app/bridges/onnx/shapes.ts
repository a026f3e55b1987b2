import type { Shape } from '../../../engine/ops/definition.ts';
import { elementsOf, formatShape } from '../../../engine/ops/shape.ts';
import { type Call, normalAxis } from './call.ts';

/** Shapes of ONNX operations that are none of ours (ONNX operator specification, opsets 11 to 20). */

export function broadcast(call: Call, shapes: readonly Shape[]): Shape {
  const rank = shapes.reduce((most, shape) => Math.max(most, shape.length), 0);
  return Array.from({ length: rank }, (_, axis) => {
    let extent = 1;
    for (const shape of shapes) {
      const own = shape[axis - rank + shape.length] ?? 1;
      if (own === 1) continue;
      if (extent !== 1 && extent !== own)
        throw call.fail(`cannot combine ${shapes.slice(0, 4).map(formatShape).join(' and ')}`);
      extent = own;
    }
    return extent;
  });
}

export function matmul(call: Call, a: Shape, b: Shape): Shape {
  const left = a.length === 1 ? [1, ...a] : a;
  const right = b.length === 1 ? [...b, 1] : b;
  if (left.length < 2 || right.length < 2 || left.at(-1) !== right.at(-2)) {
    throw call.fail(`cannot multiply ${formatShape(a)} by ${formatShape(b)}`);
  }
  const shape = [
    ...broadcast(call, [left.slice(0, -2), right.slice(0, -2)]),
    left.at(-2) ?? 1,
    right.at(-1) ?? 1,
  ];
  if (a.length === 1) shape.splice(-2, 1);
  if (b.length === 1) shape.pop();
  return shape;
}

/** `Reshape`: 0 copies an extent, -1 takes what is left. A batch that was written into the file gives way. */
export function reshape(call: Call, from: Shape, asked: readonly number[], allowZero: boolean): Shape {
  const total = elementsOf(from);
  const fitting = (target: readonly number[]): Shape | undefined => {
    const shape = target.map((extent, axis) => (extent === 0 && !allowZero ? (from[axis] ?? 1) : extent));
    const unknown = shape.indexOf(-1);
    const known = shape.reduce((product, extent, axis) => (axis === unknown ? product : product * extent), 1);
    if (unknown >= 0) {
      if (known === 0 || total % known !== 0) return undefined;
      shape[unknown] = total / known;
    }
    return elementsOf(shape) === total ? shape : undefined;
  };
  const shape = fitting(asked) ?? fitting([-1, ...asked.slice(1)]);
  if (shape === undefined) throw call.fail(`cannot turn ${formatShape(from)} into ${formatShape(asked)}`);
  return shape;
}

export function transpose(
  call: Call,
  shape: Shape,
): { readonly shape: Shape; readonly order: readonly number[] } {
  const order = call.numbersOf('perm') ?? shape.map((_, axis) => shape.length - 1 - axis);
  if (order.length !== shape.length)
    throw call.fail(`reorders ${order.length} axes of ${formatShape(shape)}`);
  const axes = order.map((axis) => normalAxis(call, axis, shape.length));
  return { shape: axes.map((axis) => shape[axis] ?? 1), order: axes };
}

export function unsqueeze(call: Call, shape: Shape, axes: readonly number[]): Shape {
  const rank = shape.length + axes.length;
  const added = new Set(axes.map((axis) => normalAxis(call, axis, rank)));
  let next = 0;
  return Array.from({ length: rank }, (_, axis) => (added.has(axis) ? 1 : (shape[next++] ?? 1)));
}

export function squeeze(call: Call, shape: Shape, axes: readonly number[] | undefined): Shape {
  const gone = axes?.map((axis) => normalAxis(call, axis, shape.length));
  return shape.filter((extent, axis) => (gone === undefined ? extent !== 1 : !gone.includes(axis)));
}

export function gather(shape: Shape, indices: Shape, axis: number): Shape {
  return [...shape.slice(0, axis), ...indices, ...shape.slice(axis + 1)];
}

export interface Range {
  readonly axis: number;
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

/** The ranges of a `Slice`, clamped as the specification says. */
export function sliceRanges(call: Call, shape: Shape): readonly Range[] {
  const starts = call.list('starts', 1) ?? [];
  const ends = call.list('ends', 2) ?? [];
  const axes = call.list('axes', 3) ?? starts.map((_, axis) => axis);
  const steps = call.list('steps', 4) ?? starts.map(() => 1);
  if (axes.length > shape.length) throw call.fail(`names ${axes.length} axes of ${formatShape(shape)}`);
  return axes.map((named, i) => {
    const axis = normalAxis(call, named, shape.length);
    const extent = shape[axis] ?? 1;
    const step = steps[i] ?? 1;
    if (step === 0) throw call.fail('slices by steps of 0');
    const clamp = (at: number): number => {
      const position = at < 0 ? at + extent : at;
      return step > 0
        ? Math.min(Math.max(position, 0), extent)
        : Math.min(Math.max(position, -1), extent - 1);
    };
    const start = clamp(starts[i] ?? 0);
    const count = Math.max(0, Math.ceil((clamp(ends[i] ?? extent) - start) / step));
    return { axis, start, step, count };
  });
}

export function sliced(shape: Shape, ranges: readonly Range[]): Shape {
  return shape.map((extent, axis) => ranges.find((range) => range.axis === axis)?.count ?? extent);
}

export function reduced(call: Call, shape: Shape): Shape {
  const given = call.list('axes', 1);
  const axes = given?.length === 0 ? undefined : given;
  const keep = call.number('keepdims', 1) === 1;
  if (axes === undefined && call.number('noop_with_empty_axes', 0) === 1) return shape;
  const gone = new Set(
    (axes ?? shape.map((_, axis) => axis)).map((axis) => normalAxis(call, axis, shape.length)),
  );
  return shape.flatMap((extent, axis) => (gone.has(axis) ? (keep ? [1] : []) : [extent]));
}

/** Height and width (or more, or fewer) after a convolution or a pool, and the padding that it came to. */
export function pads(
  call: Call,
  spatial: Shape,
  kernel: readonly number[],
  strides: readonly number[],
  dilations: readonly number[],
): readonly number[] {
  const mode = call.text('auto_pad', 'NOTSET');
  if (mode === 'NOTSET') return call.numbersOf('pads') ?? spatial.flatMap(() => [0, 0]);
  if (mode === 'VALID') return spatial.flatMap(() => [0, 0]);
  const totals = spatial.map((extent, i) => {
    const out = Math.ceil(extent / (strides[i] ?? 1));
    const reach = ((kernel[i] ?? 1) - 1) * (dilations[i] ?? 1) + 1;
    return Math.max(0, (out - 1) * (strides[i] ?? 1) + reach - extent);
  });
  const small = totals.map((total) => Math.floor(total / 2));
  const large = totals.map((total) => Math.ceil(total / 2));
  return mode === 'SAME_UPPER' ? [...small, ...large] : [...large, ...small];
}
