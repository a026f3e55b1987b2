import type { Shape } from '../../../engine/ops/definition.ts';
import { type Call, normalAxis } from './call.ts';
import type { Operator } from './operators.ts';

/** The axes that the lists of a call speak of: its `axes` (opset 18 and later), else all. */
function namedAxes(call: Call, rank: number): readonly number[] {
  const axes = call.numbersOf('axes');
  if (axes === undefined) return Array.from({ length: rank }, (_, axis) => axis);
  if (axes.length > rank) throw call.fail(`names ${axes.length} axes of a tensor of ${rank}`);
  return axes.map((axis) => normalAxis(call, axis, rank));
}

/** By `sizes` (kept in proportion where a policy asks for it), else by `scales`. The batch is never resized. */
function resized(call: Call): Shape {
  const shape = call.shape();
  const axes = namedAxes(call, shape.length);
  const result = [...shape];
  if (call.has(3)) {
    const sizes = call.numbers(3);
    const policy = call.text('keep_aspect_ratio_policy', 'stretch');
    const ratios = axes.map((axis, i) => (sizes[i] ?? 1) / (shape[axis] ?? 1)).sort((a, b) => a - b);
    const ratio = ratios.at(policy === 'not_larger' ? 0 : -1) ?? 1;
    axes.forEach((axis, i) => {
      result[axis] = policy === 'stretch' ? (sizes[i] ?? 1) : Math.round((shape[axis] ?? 1) * ratio);
    });
  } else {
    const scales = call.list('scales', call.node.type === 'Upsample' ? 1 : 2) ?? [];
    axes.forEach((axis, i) => {
      result[axis] = Math.floor((shape[axis] ?? 1) * (scales[i] ?? 1));
    });
  }
  result[0] = shape[0] ?? 1;
  return result;
}

const RESIZE: Operator = { shape: resized, emit: (call, shape, type) => call.opaque(shape, type, {}) };

export const RESAMPLING: Readonly<Record<string, Operator>> = {
  Resize: RESIZE,
  Upsample: RESIZE,
  CenterCropPad: {
    shape: (call) => {
      const shape = [...call.shape()];
      const target = call.numbers(1);
      namedAxes(call, shape.length).forEach((axis, i) => {
        if (axis > 0) shape[axis] = target[i] ?? shape[axis] ?? 1;
      });
      return shape;
    },
    emit: (call, shape, type) => call.opaque(shape, type, {}, { from: [call.input(0)] }),
  },
  /** The grid [N, H, W, 2] (or [N, D, H, W, 3]) says where to read; both are kept. */
  GridSample: {
    shape: (call) => [...call.shape().slice(0, 2), ...call.shape(1).slice(1, -1)],
    emit: (call, shape, type) => call.opaque(shape, type, { inputs: call.flowing.map((_, i) => i) }),
  },
};
