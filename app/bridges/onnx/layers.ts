import { adaptiveAvgPool, batchNorm } from '../../../engine/ops/make.ts';
import type { Padding, Pair, Shape } from '../../../engine/ops/definition.ts';
import type { Operation } from '../../../engine/ops/operation.ts';
import { elementsOf } from '../../../engine/ops/shape.ts';
import type { Call, Value } from './call.ts';
import type { Operator } from './operators.ts';
import { pads } from './shapes.ts';

const first = (call: Call): Shape => call.shape();
const pairOf = (list: readonly number[]): Pair => [list[0] ?? 1, list[1] ?? 1];

interface Geometry {
  readonly kernel: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly pads: readonly number[];
}

function geometry(call: Call, kernel: readonly number[]): Geometry {
  const spatial = call.shape().slice(2);
  const strides = call.numbersOf('strides') ?? spatial.map(() => 1);
  const dilations = call.numbersOf('dilations') ?? spatial.map(() => 1);
  for (const [what, list] of Object.entries({ kernel, strides, dilations })) {
    const wrong = list.find((extent) => !(Number.isSafeInteger(extent) && extent >= 1));
    if (wrong !== undefined) throw call.fail(`has ${wrong} among its ${what}: expected positive integers`);
  }
  return { kernel, strides, dilations, pads: pads(call, spatial, kernel, strides, dilations) };
}

/** [top, left, bottom, right] to [top, bottom, left, right]. */
function padding(list: readonly number[]): Padding {
  return [list[0] ?? 0, list[2] ?? 0, list[1] ?? 0, list[3] ?? 0];
}

function windowed(call: Call, channels: number, g: Geometry): Shape {
  const spatial = call.shape().slice(2);
  const ceil = call.number('ceil_mode', 0) === 1;
  const sizes = spatial.map((extent, i) => {
    const before = g.pads[i] ?? 0;
    const reach = ((g.kernel[i] ?? 1) - 1) * (g.dilations[i] ?? 1) + 1;
    const step = g.strides[i] ?? 1;
    const span = extent + before + (g.pads[i + spatial.length] ?? 0) - reach;
    const count = (ceil ? Math.ceil(span / step) : Math.floor(span / step)) + 1;
    const last = ceil && (count - 1) * step >= extent + before ? count - 1 : count;
    if (!(last >= 1))
      throw call.fail(`does not fit a window of ${g.kernel.join('x')} into ${spatial.join('x')}`);
    return last;
  });
  return [call.shape()[0] ?? 1, channels, ...sizes];
}

function convGeometry(call: Call): Geometry {
  const weight = call.shape(1);
  if (call.shape().length < 3 || weight.length !== call.shape().length)
    throw call.fail('is no convolution of images');
  return geometry(call, call.numbersOf('kernel_shape') ?? weight.slice(2));
}

const CONV: Operator = {
  shape: (call) => windowed(call, call.shape(1)[0] ?? 1, convGeometry(call)),
  emit: (call, shape, type) => {
    const g = convGeometry(call);
    const weight = call.shape(1);
    const [x] = call.flowing;
    if (call.shape().length === 4 && call.flowing.length === 1 && x === call.input(0)) {
      const op: Operation = {
        kind: 'conv2d',
        outChannels: weight[0] ?? 1,
        kernel: pairOf(g.kernel),
        stride: pairOf(g.strides),
        padding: padding(g.pads),
        dilation: pairOf(g.dilations),
        groups: call.number('group', 1),
        bias: call.has(2),
      };
      return call.emit(op, type);
    }
    const flops = 2 * elementsOf(shape) * elementsOf(weight.slice(1));
    return call.opaque(shape, type, { inputs: call.flowing.map((_, i) => i) }, { flops });
  },
};

const CONV_TRANSPOSE: Operator = {
  shape: (call) => {
    const g = geometry(call, call.numbersOf('kernel_shape') ?? call.shape(1).slice(2));
    const spatial = call.shape().slice(2);
    const extra = call.numbersOf('output_padding') ?? spatial.map(() => 0);
    const sizes = spatial.map((extent, i) => {
      const edges = (g.pads[i] ?? 0) + (g.pads[i + spatial.length] ?? 0);
      return (
        (extent - 1) * (g.strides[i] ?? 1) +
        (g.dilations[i] ?? 1) * ((g.kernel[i] ?? 1) - 1) +
        1 +
        (extra[i] ?? 0) -
        edges
      );
    });
    return [call.shape()[0] ?? 1, (call.shape(1)[1] ?? 1) * call.number('group', 1), ...sizes];
  },
  emit: (call, shape, type) =>
    call.opaque(
      shape,
      type,
      { inputs: [0] },
      { flops: 2 * elementsOf(call.shape()) * elementsOf(call.shape(1).slice(1)) },
    ),
};

/** Two statistics per channel, sample and group, or row. */
function norm(statistics: (call: Call) => number): Operator {
  return {
    shape: first,
    emit: (call, shape, type) =>
      call.opaque(
        shape,
        type,
        { inputs: [0], auxBytes: 8 * statistics(call) },
        { flops: 8 * elementsOf(shape) },
      ),
  };
}

const BATCH_NORM: Operator = {
  shape: first,
  emit: (call, shape, type) => {
    // Scale and shift are trained; the running statistics, inputs 3 and 4, are not.
    const options = { trainedInputs: [1, 2], from: [call.input(0)] };
    const momentum = Math.min(1, Math.max(0, 1 - call.number('momentum', 0.9)));
    if (shape.length === 2 || shape.length === 4) {
      return call.emit(batchNorm(call.number('epsilon', 1e-5), momentum), type, options);
    }
    return call.opaque(shape, type, { inputs: [0] }, { ...options, flops: 8 * elementsOf(shape) });
  },
};

function poolKernel(call: Call): readonly number[] {
  const kernel = call.numbersOf('kernel_shape');
  if (kernel === undefined || kernel.length !== call.shape().length - 2)
    throw call.fail('gives no size of its window');
  return kernel;
}

function pool(kind: 'max-pool' | 'avg-pool'): Operator {
  return {
    shape: (call) => windowed(call, call.shape()[1] ?? 1, geometry(call, poolKernel(call))),
    emit: (call, shape, type) => {
      const g = geometry(call, poolKernel(call));
      if (call.shape().length !== 4 || g.dilations.some((extent) => extent !== 1)) {
        return call.opaque(shape, type, {
          inputs: [0],
          auxBytes: kind === 'max-pool' ? 8 * elementsOf(shape) : 0,
        });
      }
      return call.emit(
        {
          kind,
          kernel: pairOf(g.kernel),
          stride: pairOf(g.strides),
          padding: padding(g.pads),
          ceilMode: call.number('ceil_mode', 0) === 1,
          countIncludePad: call.number('count_include_pad', 0) === 1,
        },
        type,
      );
    },
  };
}

function globalPool(kind: 'average' | 'max'): Operator {
  return {
    shape: (call) => call.shape().map((extent, axis) => (axis < 2 ? extent : 1)),
    emit: (call, shape, type): Value =>
      kind === 'average' && call.shape().length === 4
        ? call.emit(adaptiveAvgPool(1), type)
        : call.opaque(shape, type, { inputs: [0], auxBytes: kind === 'max' ? 8 * elementsOf(shape) : 0 }),
  };
}

/** `Gemm` and a product with its bias put together: a linear layer where the weight is a constant. */
const LINEAR: Operator = {
  shape: (call) => {
    const a = call.shape();
    const b = call.shape(1);
    const isGemm = call.node.type === 'Gemm';
    const rows = isGemm && call.number('transA', 0) === 1 ? [a[1] ?? 1] : a.slice(0, -1);
    return [...rows, (isGemm && call.number('transB', 0) === 1 ? b[0] : b.at(-1)) ?? 1];
  },
  emit: (call, shape, type) => {
    const [x, other] = call.flowing;
    const transposed = call.node.type === 'Gemm' && call.number('transA', 0) === 1;
    if (other === undefined && x === call.input(0) && x.shape.length === 2 && !transposed) {
      return call.emit({ kind: 'linear', outFeatures: shape[1] ?? 1, bias: call.has(2) }, type);
    }
    const inner = call.shape().at(transposed ? 0 : -1) ?? 1;
    const kept = call.flowing.flatMap((value, i) =>
      value === call.inputs[0] || value === call.inputs[1] ? [i] : [],
    );
    return call.opaque(shape, type, { inputs: kept }, { flops: 2 * elementsOf(shape) * inner });
  },
};

/** Keeps queries, keys, values, the output and a sum for each row, in every fused kernel of PyTorch. Keys come transposed. */
const ATTENTION: Operator = {
  shape: (call) => [...call.shape().slice(0, -1), call.shape(2).at(-1) ?? 1],
  emit: (call, shape, type) => {
    const rows = elementsOf(shape.slice(0, -1));
    const inputs = call.flowing.flatMap((value, i) => (call.inputs.indexOf(value) < 3 ? [i] : []));
    const flops = 2 * rows * (call.shape(1).at(-1) ?? 1) * ((call.shape().at(-1) ?? 1) + (shape.at(-1) ?? 1));
    return call.opaque(shape, type, { inputs, output: true, auxBytes: 4 * rows }, { flops });
  },
};

const DROPOUT: Operator = {
  shape: first,
  emit: (call, _shape, type) => {
    const given = call.node.attributes.get('ratio');
    const rate = typeof given === 'number' ? given : call.has(1) ? (call.input(1).data?.[0] ?? 0.5) : 0.5;
    const value = call.emit({ kind: 'dropout', rate }, type, { from: [call.input(0)] });
    return [value];
  },
};

export const LAYERS: Readonly<Record<string, Operator>> = {
  Conv: CONV,
  ConvTranspose: CONV_TRANSPOSE,
  BatchNormalization: BATCH_NORM,
  LayerNormalization: norm((call) =>
    elementsOf(call.shape().slice(0, call.axis('axis', -1, call.shape().length))),
  ),
  InstanceNormalization: norm((call) => (call.shape()[0] ?? 1) * (call.shape()[1] ?? 1)),
  GroupNormalization: norm((call) => (call.shape()[0] ?? 1) * call.number('num_groups', 1)),
  MaxPool: pool('max-pool'),
  AveragePool: pool('avg-pool'),
  GlobalAveragePool: globalPool('average'),
  GlobalMaxPool: globalPool('max'),
  Gemm: LINEAR,
  Linear: LINEAR,
  ScaledDotProductAttention: ATTENTION,
  Dropout: DROPOUT,
  DepthToSpace: {
    shape: (call) => {
      const [n = 1, c = 1, h = 1, w = 1] = call.shape();
      const block = call.number('blocksize', 1);
      return [n, c / (block * block), h * block, w * block];
    },
    emit: (call, shape, type) => call.opaque(shape, type, {}),
  },
};
