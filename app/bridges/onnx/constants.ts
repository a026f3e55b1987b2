import type { Shape } from '../../../engine/ops/definition.ts';
import { elementsOf } from '../../../engine/ops/shape.ts';
import { type Call, normalAxis } from './call.ts';
import { broadcast, gather, sliceRanges, transpose } from './shapes.ts';

/** Numbers of larger constants are not computed: shapes never come from them. */
export const MAX_COMPUTED = 4096;
/** Shapes are sums and products of few. */
const MAX_COMBINED = 16;

type Compute = (call: Call, shape: Shape) => readonly number[] | undefined;

/**
 * The numbers of constants that exporters compute shapes with. An operation without a rule here gives a
 * constant whose numbers are unknown, which matters only if a shape depends on it.
 */
export const COMPUTED: Readonly<Record<string, Compute>> = {
  Identity: (call) => call.input(0).data,
  Reshape: (call) => call.input(0).data,
  Flatten: (call) => call.input(0).data,
  Squeeze: (call) => call.input(0).data,
  Unsqueeze: (call) => call.input(0).data,
  Expand: (call, shape) => spread(call, shape, 0),
  Cast: (call) => {
    const to = call.number('to', 1);
    const whole = to !== 1 && to !== 10 && to !== 11 && to !== 16;
    return call.input(0).data?.map((x) => (to === 9 ? Number(x !== 0) : whole ? Math.trunc(x) : x));
  },
  Gather: (call) => {
    const shape = call.shape();
    const axis = call.axis('axis', 0, shape.length);
    const { data } = call.input(0);
    const indices = call.input(1).data;
    if (data === undefined || indices === undefined) return undefined;
    const inner = elementsOf(shape.slice(axis + 1));
    const extent = shape[axis] ?? 1;
    const outer = elementsOf(shape.slice(0, axis));
    const result: number[] = [];
    for (let o = 0; o < outer; o++) {
      for (const index of indices) {
        const at = index < 0 ? index + extent : index;
        for (let i = 0; i < inner; i++) result.push(data[(o * extent + at) * inner + i] ?? 0);
      }
    }
    return result.length === elementsOf(gather(shape, call.shape(1), axis)) ? result : undefined;
  },
  Slice: (call, shape) => {
    const from = call.shape();
    const { data } = call.input(0);
    if (data === undefined) return undefined;
    const ranges = sliceRanges(call, from);
    return everyIndex(shape).map((index) => {
      const at = index.map((x, axis) => {
        const range = ranges.find((candidate) => candidate.axis === axis);
        return range === undefined ? x : range.start + x * range.step;
      });
      return data[flat(at, from)] ?? 0;
    });
  },
  Transpose: (call, shape) => {
    const { data } = call.input(0);
    const { order } = transpose(call, call.shape());
    return (
      data &&
      everyIndex(shape).map((index) => {
        const from: number[] = [];
        order.forEach((axis, i) => {
          from[axis] = index[i] ?? 0;
        });
        return data[flat(from, call.shape())] ?? 0;
      })
    );
  },
  Concat: (call, shape) => {
    const axis = normalAxis(call, call.number('axis', 0), shape.length);
    const parts = call.inputs.map((_, i) => call.input(i));
    if (parts.some((part) => part.data === undefined)) return undefined;
    // Empty parts can be of any number.
    const runs = parts.flatMap(({ data = [], shape: own }) => {
      const run = elementsOf(own.slice(axis));
      return run > 0 ? [{ data, run }] : [];
    });
    const result: number[] = [];
    for (let o = 0; o < elementsOf(shape.slice(0, axis)); o++) {
      for (const { data, run } of runs) for (let i = 0; i < run; i++) result.push(data[o * run + i] ?? 0);
    }
    return result;
  },
  ConstantOfShape: (call, shape) => {
    const value = call.node.attributes.get('value');
    const fill = typeof value === 'object' && 'data' in value ? (value.data?.[0] ?? 0) : 0;
    return new Array<number>(elementsOf(shape)).fill(fill);
  },
  Range: (call, shape) => {
    const start = call.numbers(0)[0] ?? 0;
    const step = call.numbers(2)[0] ?? 1;
    return Array.from({ length: elementsOf(shape) }, (_, i) => start + i * step);
  },
  Where: (call, shape) => {
    const [condition, yes, no] = [0, 1, 2].map((position) => spread(call, shape, position));
    return condition?.map((x, i) => (x !== 0 ? yes?.[i] : no?.[i]) ?? 0);
  },
  ReduceProd: (call, shape) =>
    elementsOf(shape) === 1 ? call.input(0).data && [call.numbers(0).reduce((a, b) => a * b, 1)] : undefined,
  Floor: each(Math.floor),
  Ceil: each(Math.ceil),
  Round: each(Math.round),
  Sqrt: each(Math.sqrt),
  Neg: each((x) => -x),
  Abs: each(Math.abs),
  Not: each((x) => Number(x === 0)),
  Add: both((a, b) => a + b),
  Sub: both((a, b) => a - b),
  Mul: both((a, b) => a * b),
  Div: (call, shape) => {
    const whole = [6, 7].includes(call.input(0).type);
    return both((a, b) => (whole ? Math.trunc(a / b) : a / b))(call, shape);
  },
  Mod: both((a, b) => a - Math.floor(a / b) * b),
  Pow: both((a, b) => a ** b),
  Min: both(Math.min),
  Max: both(Math.max),
  Equal: both((a, b) => Number(a === b)),
  Less: both((a, b) => Number(a < b)),
  Greater: both((a, b) => Number(a > b)),
};

function each(f: (x: number) => number): Compute {
  return (call) => call.input(0).data?.map(f);
}

function both(f: (a: number, b: number) => number): Compute {
  return (call, shape) => {
    if (call.inputs.length === 1) return call.input(0).data;
    if (call.inputs.length > MAX_COMBINED) return undefined;
    let sum = spread(call, shape, 0);
    for (let position = 1; position < call.inputs.length; position++) {
      const next = spread(call, shape, position);
      sum = next && sum?.map((a, i) => f(a, next[i] ?? 0));
    }
    return sum;
  };
}

/** An input's numbers, repeated to the shape that it is broadcast to. */
function spread(call: Call, shape: Shape, position: number): readonly number[] | undefined {
  const { data, shape: own } = call.input(position);
  if (data === undefined) return undefined;
  if (elementsOf(own) === elementsOf(broadcast(call, [own, shape])) && data.length === elementsOf(shape))
    return data;
  return everyIndex(shape).map((index) => {
    const at = own.map((extent, axis) => (extent === 1 ? 0 : (index[axis + shape.length - own.length] ?? 0)));
    return data[flat(at, own)] ?? 0;
  });
}

function everyIndex(shape: Shape): readonly (readonly number[])[] {
  return Array.from({ length: elementsOf(shape) }, (_, i) => {
    const index: number[] = [];
    let rest = i;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const extent = shape[axis] ?? 1;
      index[axis] = rest % extent;
      rest = Math.floor(rest / extent);
    }
    return index;
  });
}

function flat(index: readonly number[], shape: Shape): number {
  return shape.reduce((at, extent, axis) => at * extent + (index[axis] ?? 0), 0);
}
