import type { Shape } from '../../../engine/ops/definition.ts';
import { elementsOf } from '../../../engine/ops/shape.ts';
import { CONCAT, FLATTEN, MULTIPLY } from '../../../engine/ops/make.ts';
import type { Call, Value } from './call.ts';
import { BOOL, bytesOfType, INT64 } from './model.ts';
import {
  broadcast,
  gather,
  matmul,
  reduced,
  reshape,
  sliced,
  sliceRanges,
  squeeze,
  transpose,
  unsqueeze,
} from './shapes.ts';

/**
 * Rule by which an ONNX operation becomes a vertex. `shape` and `type` hold for constants too; `emit` is called
 * where an input depends on the network's inputs. What is kept is what PyTorch's autograd keeps.
 */
export interface Operator {
  shape(call: Call): Shape;
  /** Element type of the output; that of the first input where not given. */
  type?(call: Call): number;
  emit?(call: Call, shape: Shape, type: number): Value | readonly Value[];
}

type Kept = Parameters<Call['opaque']>[2];

const first = (call: Call): Shape => call.shape();
const together = (call: Call): Shape =>
  broadcast(
    call,
    call.inputs.map((_, i) => call.shape(i)),
  );

/** An element-wise function of one input. */
function unary(keeps: Kept, alias?: 'inplace'): Operator {
  return {
    shape: first,
    emit: (call, shape, type) => {
      const [x] = call.flowing;
      return call.opaque(shape, type, keeps, {
        ...(alias === undefined ? {} : { alias }),
        ...(x === undefined ? {} : { from: [x] }),
      });
    },
  };
}

const NOTHING = unary({});
const INPUT = unary({ inputs: [0] });
const OUTPUT = unary({ output: true });
/** Written in place wherever nothing else reads the input, as torchvision writes its activations. */
const ACTIVATION = unary({ output: true }, 'inplace');

function view(shape: (call: Call) => Shape): Operator {
  return {
    shape,
    emit: (call, to, type) => {
      const from = call.input(0);
      if (from.id === undefined) return call.constant(to, type);
      const isFlatten = from.shape.length > 2 && to.length === 2 && to[0] === from.shape[0];
      if (isFlatten) return call.emit(FLATTEN, type, { from: [from] });
      return call.opaque(to, type, {}, { alias: 'view', from: [from] });
    },
  };
}

/** Sums keep nothing; a sum of two tensors of one shape takes over the first where that is legal. */
const SUM: Operator = {
  shape: together,
  emit: (call, shape, type) => {
    const flowing = call.flowing;
    const alike = flowing.every((value) => elementsOf(value.shape) === elementsOf(shape));
    if (call.node.type === 'Add' && flowing.length === 2 && alike) {
      return call.emit({ kind: 'add', inplace: true }, type);
    }
    return call.opaque(shape, type, {});
  },
};

const PRODUCT: Operator = {
  shape: together,
  emit: (call, shape, type) => {
    const [a, b] = call.flowing;
    if (b !== undefined) {
      const alike = elementsOf(a?.shape ?? []) === elementsOf(b.shape) && a?.shape.length === b.shape.length;
      return alike ? call.emit(MULTIPLY, type) : call.opaque(shape, type, { inputs: [0, 1] });
    }
    // The gradient of a trained factor needs the other one; a plain number is kept by nobody.
    const trained = call.inputs.some((value) => value?.trained !== undefined);
    return call.opaque(shape, type, trained ? { inputs: [0] } : {});
  },
};

const QUOTIENT: Operator = {
  shape: together,
  emit: (call, shape, type) => {
    const divisorFlows = call.input(1).id !== undefined;
    return call.opaque(shape, type, divisorFlows ? { inputs: call.flowing.map((_, i) => i) } : {});
  },
};

const COMPARISON: Operator = {
  shape: together,
  type: () => BOOL,
  emit: (call, shape, type) => call.opaque(shape, type, {}),
};

/** The extreme keeps a mask. */
const EXTREME: Operator = {
  shape: together,
  emit: (call, shape, type) => call.opaque(shape, type, { auxBytes: elementsOf(shape) }),
};

function reduction(keeps: Kept): Operator {
  return {
    shape: (call) => reduced(call, call.shape()),
    emit: (call, shape, type) => call.opaque(shape, type, keeps, { flops: elementsOf(call.shape()) }),
  };
}

export const GENERAL: Readonly<Record<string, Operator>> = {
  Neg: NOTHING,
  Floor: NOTHING,
  Ceil: NOTHING,
  Round: NOTHING,
  Sign: NOTHING,
  Not: NOTHING,
  CumSum: NOTHING,
  Abs: INPUT,
  Erf: INPUT,
  Gelu: INPUT,
  Silu: INPUT,
  HardSwish: INPUT,
  Mish: INPUT,
  HardSigmoid: INPUT,
  LeakyRelu: ACTIVATION,
  Elu: ACTIVATION,
  Celu: ACTIVATION,
  Selu: ACTIVATION,
  // In place it saves a copy of its input (measured: ReLU6 of torch 1.13 and 2.15).
  Clip: {
    shape: first,
    emit: (call, shape, type) => {
      const auxBytes = elementsOf(shape) * bytesOfType(type);
      return call.opaque(shape, type, { auxBytes }, { alias: 'inplace', from: [call.input(0)] });
    },
  },
  Sigmoid: OUTPUT,
  Tanh: OUTPUT,
  Exp: OUTPUT,
  Sqrt: OUTPUT,
  Softmax: OUTPUT,
  LogSoftmax: OUTPUT,
  Reciprocal: OUTPUT,
  Softplus: INPUT,
  Softsign: INPUT,
  Log: INPUT,
  Sin: INPUT,
  Cos: INPUT,
  PRelu: { ...INPUT, emit: (call, shape, type) => call.opaque(shape, type, { inputs: [0] }) },
  Pow: { shape: together, emit: (call, shape, type) => call.opaque(shape, type, { inputs: [0] }) },
  Relu: { shape: first, emit: (call, _shape, type) => call.emit({ kind: 'relu', inplace: true }, type) },
  Add: SUM,
  Sub: SUM,
  Sum: SUM,
  Mean: SUM,
  Mul: PRODUCT,
  Div: QUOTIENT,
  Mod: QUOTIENT,
  Min: EXTREME,
  Max: EXTREME,
  Equal: COMPARISON,
  Less: COMPARISON,
  Greater: COMPARISON,
  LessOrEqual: COMPARISON,
  GreaterOrEqual: COMPARISON,
  And: COMPARISON,
  Or: COMPARISON,
  Xor: COMPARISON,
  Where: {
    shape: together,
    type: (call) => call.input(1).type,
    emit: (call, shape, type) =>
      call.opaque(shape, type, call.input(0).id === undefined ? {} : { inputs: [0] }),
  },
  ReduceMean: reduction({}),
  ReduceSum: reduction({}),
  ReduceMax: reduction({ inputs: [0] }),
  ReduceMin: reduction({ inputs: [0] }),
  ReduceL1: reduction({ inputs: [0] }),
  ReduceSumSquare: reduction({ inputs: [0] }),
  ReduceLogSum: reduction({ inputs: [0] }),
  ReduceLogSumExp: reduction({ inputs: [0], output: true }),
  ReduceL2: reduction({ inputs: [0], output: true }),
  ReduceProd: reduction({ inputs: [0], output: true }),
  Cast: {
    shape: first,
    type: (call) => call.number('to', 1),
    emit: (call, shape, type) => (type === call.input(0).type ? call.input(0) : call.opaque(shape, type, {})),
  },
  CastLike: {
    shape: first,
    type: (call) => call.input(1).type,
    emit: (call, shape, type) =>
      type === call.input(0).type ? call.input(0) : call.opaque(shape, type, {}, { from: [call.input(0)] }),
  },
  IsNaN: { shape: first, type: () => BOOL, emit: (call, shape, type) => call.opaque(shape, type, {}) },
  IsInf: { shape: first, type: () => BOOL, emit: (call, shape, type) => call.opaque(shape, type, {}) },
  Identity: { shape: first, emit: (call) => call.input(0) },
  Shape: { shape: (call) => [call.shape().length], type: () => INT64 },
  Reshape: view((call) =>
    reshape(call, call.shape(), batched(call, call.numbers(1)), call.number('allowzero', 0) === 1),
  ),
  Flatten: view((call) => {
    const axis = call.number('axis', 1);
    const shape = call.shape();
    const at = axis < 0 ? axis + shape.length : axis;
    return [elementsOf(shape.slice(0, at)), elementsOf(shape.slice(at))];
  }),
  Squeeze: view((call) => squeeze(call, call.shape(), call.list('axes', 1))),
  Unsqueeze: view((call) => unsqueeze(call, call.shape(), call.list('axes', 1) ?? [])),
  Transpose: view((call) => transpose(call, call.shape()).shape),
  Expand: view((call) => broadcast(call, [call.shape(), batched(call, call.numbers(1))])),
  Slice: view((call) => sliced(call.shape(), sliceRanges(call, call.shape()))),
  Split: {
    shape: (call) => splitShapes(call)[0] ?? [],
    emit: (call, _shape, type) =>
      splitShapes(call).map((part) => call.opaque(part, type, {}, { alias: 'view', from: [call.input(0)] })),
  },
  Concat: {
    shape: (call) => {
      const shape = [...call.shape()];
      const axis = call.axis('axis', 0, shape.length);
      shape[axis] = call.inputs.reduce((sum, _, i) => sum + (call.shape(i)[axis] ?? 0), 0);
      return shape;
    },
    emit: (call, shape, type) => {
      if (call.inputs.length === 1) return call.input(0);
      const axis = call.axis('axis', 0, shape.length);
      const all = call.flowing.length === call.inputs.length;
      return all && axis === 1 && shape.length >= 2
        ? call.emit(CONCAT, type)
        : call.opaque(shape, type, {}, { flops: 0 });
    },
  },
  Tile: {
    shape: (call) => call.shape().map((extent, axis) => extent * (call.numbers(1)[axis] ?? 1)),
    emit: (call, shape, type) => call.opaque(shape, type, {}),
  },
  Pad: {
    shape: (call) => {
      const shape = call.shape();
      const listed = call.list('pads', 1) ?? [];
      const axes = call.has(3) ? call.numbers(3) : shape.map((_, axis) => axis);
      const result = [...shape];
      axes.forEach((axis, i) => {
        const at = axis < 0 ? axis + shape.length : axis;
        result[at] = (shape[at] ?? 0) + (listed[i] ?? 0) + (listed[i + axes.length] ?? 0);
      });
      return result;
    },
    emit: (call, shape, type) =>
      elementsOf(shape) === elementsOf(call.shape()) ? call.input(0) : call.opaque(shape, type, {}),
  },
  ConstantOfShape: {
    shape: (call) => call.numbers(0),
    type: (call) => {
      const value = call.node.attributes.get('value');
      return typeof value === 'object' && 'type' in value ? value.type : 1;
    },
  },
  Range: {
    shape: (call) => {
      const [start, limit, step] = [0, 1, 2].map((position) => call.numbers(position)[0] ?? 0);
      return [Math.max(0, Math.ceil(((limit ?? 0) - (start ?? 0)) / (step || 1)))];
    },
  },
  Trilu: NOTHING,
  MatMul: {
    shape: (call) => matmul(call, call.shape(), call.shape(1)),
    emit: (call, shape, type) => {
      const flops = 2 * elementsOf(shape) * (call.shape().at(-1) ?? 1);
      const keeps = call.flowing.length === 2 ? [0, 1] : [0];
      const bias = false;
      const [x] = call.flowing;
      if (call.input(1).id === undefined && x?.shape.length === 2 && call.shape(1).length === 2) {
        return call.emit({ kind: 'linear', outFeatures: shape[1] ?? 1, bias }, type);
      }
      return call.opaque(shape, type, { inputs: keeps }, { flops });
    },
  },
  Gather: {
    shape: (call) => gather(call.shape(), call.shape(1), call.axis('axis', 0, call.shape().length)),
    emit: (call, shape, type) => {
      // One constant index is a view in PyTorch (`x[:, 0]`), several are an index_select.
      const isView = call.input(1).id === undefined && call.shape(1).length === 0;
      return call.opaque(shape, type, indicesKept(call), isView ? { alias: 'view' } : {});
    },
  },
  GatherElements: {
    shape: (call) => call.shape(1),
    emit: (call, shape, type) => call.opaque(shape, type, indicesKept(call)),
  },
  GatherND: {
    shape: (call) => {
      const indices = call.shape(1);
      const read = call.number('batch_dims', 0) + (indices.at(-1) ?? 0);
      return [...indices.slice(0, -1), ...call.shape().slice(read)];
    },
    emit: (call, shape, type) => call.opaque(shape, type, indicesKept(call)),
  },
};

/** A shape in which the batch that was written into the file gives way. */
function batched(call: Call, shape: readonly number[]): readonly number[] {
  const { file, asked } = call.batches;
  return call.shape()[0] === asked && shape[0] === file ? [asked, ...shape.slice(1)] : shape;
}

/** A selection keeps its indices, where these are no constant. */
const indicesKept = (call: Call): Kept =>
  call.input(1).id === undefined ? {} : { inputs: [call.flowing.length - 1] };

function splitShapes(call: Call): readonly Shape[] {
  const shape = call.shape();
  const axis = call.axis('axis', 0, shape.length);
  const extent = shape[axis] ?? 1;
  const parts = call.node.outputs.length;
  const even = Math.ceil(extent / parts);
  const sizes =
    call.list('split', 1) ?? Array.from({ length: parts }, (_, i) => Math.min(even, extent - i * even));
  return sizes.map((size) => shape.map((own, i) => (i === axis ? size : own)));
}
