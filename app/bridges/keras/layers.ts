import { BadInputError } from '../../../engine/errors.ts';
import { CONCAT, FLATTEN, MULTIPLY, RELU } from '../../../engine/ops/make.ts';
import { KEEPS_NOTHING, type Padding, type Pair, type Shape } from '../../../engine/ops/definition.ts';
import type { Operation } from '../../../engine/ops/operation.ts';
import { shown } from '../../../engine/exchange/operation-fields.ts';
import { elementsOf, formatShape } from '../../../engine/ops/shape.ts';
import { clipped } from '../../../engine/sentence.ts';
import type { Figures, ImportGraphBuilder } from '../import-graph-builder.ts';
import { type Config, isObject, type LayerConfig } from './config.ts';

/** One call of a layer: its producers, its configuration, and where its vertices go. */
export class LayerCall {
  readonly config: Config;
  readonly #layer: LayerConfig;
  readonly inputs: readonly string[];
  readonly #builder: ImportGraphBuilder;
  /** Weights count at the first call. */
  readonly #isFirst: boolean;

  constructor(layer: LayerConfig, inputs: readonly string[], builder: ImportGraphBuilder, isFirst: boolean) {
    this.config = layer.config;
    this.#layer = layer;
    this.inputs = inputs;
    this.#builder = builder;
    this.#isFirst = isFirst;
  }

  shape(position = 0): Shape {
    const id = this.inputs[position];
    if (id === undefined) throw new BadInputError('reads nothing');
    return this.#builder.shapeOf(id);
  }

  shapeOf(id: string): Shape {
    return this.#builder.shapeOf(id);
  }

  add(op: Operation, parameters = 0, inputs = this.inputs, suffix = '', figures: Figures = {}): string {
    const trained = this.#isFirst && this.config['trainable'] !== false ? parameters : 0;
    return this.#builder.add(this.#layer.name + suffix, op, inputs, { ...figures, parameters: trained });
  }

  /** An operation that is none of ours, by what its backward keeps. */
  opaque(
    shape: Shape,
    keeps: {
      readonly inputs?: readonly number[];
      readonly output?: boolean;
      readonly auxBytes?: number;
    } = {},
    more: {
      parameters?: number;
      flops?: number;
      alias?: 'view';
      inputs?: readonly string[];
      suffix?: string;
    } = {},
  ): string {
    const op: Operation = {
      kind: 'opaque',
      label: this.#layer.type,
      keeps: { ...KEEPS_NOTHING, ...keeps },
      ...(more.alias === undefined ? {} : { alias: more.alias }),
    };
    const figures = { shape, ...(more.flops === undefined ? {} : { flops: more.flops }) };
    return this.add(op, more.parameters, more.inputs, more.suffix, figures);
  }

  /** A layer that nobody here knows: taken to leave the shape of its first input as it is. */
  unknown(): string {
    return this.add({ kind: 'opaque', label: this.#layer.type }, 0, this.inputs, '', { shape: this.shape() });
  }

  /** The activation that many layers end in. */
  activated(id: string): string {
    const name = this.activation('linear');
    return name === 'linear' ? id : activation(this, name, id, `_${name}`);
  }

  /** @throws BadInputError where it is no name, nor a function that Keras 3 wrote down with its name */
  activation(otherwise?: string): string {
    const given = this.config['activation'] ?? otherwise;
    const { config, class_name: type } = isObject(given) ? given : {};
    const name = [given, config, type].find((value) => typeof value === 'string');
    if (typeof name === 'string') return name;
    throw new BadInputError(`expected the name of an activation as activation, got ${shown(given)}`);
  }

  whole(field: string, otherwise?: number): number {
    const value = this.config[field] ?? otherwise;
    if (!Number.isSafeInteger(value) || (value as number) < 1) {
      throw new BadInputError(`expected a positive integer as ${field}, got ${shown(value)}`);
    }
    return value as number;
  }

  pair(field: string, otherwise: Pair): Pair {
    const value = this.config[field] ?? otherwise;
    const list: readonly unknown[] = Array.isArray(value) ? value : [value, value];
    const [a, b] = list;
    if (list.length !== 2 || !list.every((x) => Number.isSafeInteger(x) && (x as number) >= 1)) {
      throw new BadInputError(
        `expected two positive integers as ${field}, got ${clipped(JSON.stringify(value) ?? 'nothing')}`,
      );
    }
    return [a as number, b as number];
  }

  get bias(): boolean {
    return this.config['use_bias'] !== false;
  }

  padding(kernel: Pair, stride: Pair, dilation: Pair): Padding {
    if (this.config['padding'] !== 'same') return [0, 0, 0, 0];
    const [, , h = 1, w = 1] = this.shape();
    const total = [h, w].map((extent, axis) => {
      const out = Math.ceil(extent / stride[axis]!);
      return Math.max(0, (out - 1) * stride[axis]! + dilation[axis]! * (kernel[axis]! - 1) + 1 - extent);
    });
    const [vertical = 0, horizontal = 0] = total;
    return [
      Math.floor(vertical / 2),
      Math.ceil(vertical / 2),
      Math.floor(horizontal / 2),
      Math.ceil(horizontal / 2),
    ];
  }
}

type Rule = (call: LayerCall) => string;

const KEEPS_OUTPUT = new Set([
  'sigmoid',
  'tanh',
  'softmax',
  'elu',
  'selu',
  'exponential',
  'log_softmax',
  'leaky_relu',
]);

function activation(call: LayerCall, name: string, input: string, suffix = ''): string {
  if (name === 'relu') return call.add(RELU, 0, [input], suffix);
  if (name === 'linear') return input;
  const keeps = KEEPS_OUTPUT.has(name) ? { output: true } : { inputs: [0] };
  return call.opaque(call.shapeOf(input), keeps, { inputs: [input], suffix });
}

function convolution(call: LayerCall, outChannels: number, groups: number): string {
  const kernel = call.pair('kernel_size', [1, 1]);
  const stride = call.pair('strides', [1, 1]);
  const dilation = call.pair('dilation_rate', [1, 1]);
  const padding = call.padding(kernel, stride, dilation);
  const { bias } = call;
  const weights = outChannels * (kernel[0] * kernel[1] * ((call.shape()[1] ?? 1) / groups) + (bias ? 1 : 0));
  const op: Operation = { kind: 'conv2d', outChannels, kernel, stride, padding, dilation, groups, bias };
  return call.activated(call.add(op, weights));
}

function pool(kind: 'max-pool' | 'avg-pool'): Rule {
  return (call) => {
    const kernel = call.pair('pool_size', [2, 2]);
    const stride = call.config['strides'] == null ? kernel : call.pair('strides', kernel);
    const padding = call.padding(kernel, stride, [1, 1]);
    return call.add({ kind, kernel, stride, padding, ceilMode: false, countIncludePad: false });
  };
}

/** Global pools drop the axes that they empty, unless told to keep them. */
function globalPool(kind: 'average' | 'max'): Rule {
  return (call) => {
    const [n = 1, c = 1] = call.shape();
    const shape = call.config['keepdims'] === true ? [n, c, 1, 1] : [n, c];
    if (kind === 'max') return call.opaque(shape, { inputs: [0], auxBytes: 8 * n * c });
    const pooled = call.add({ kind: 'adaptive-avg-pool', output: [1, 1] });
    return shape.length === 4 ? pooled : call.add(FLATTEN, 0, [pooled], '_flat');
  };
}

function dense(call: LayerCall): string {
  const units = call.whole('units');
  const shape = call.shape();
  const inner = shape.at(-1) ?? 1;
  const { bias } = call;
  const parameters = units * (inner + (bias ? 1 : 0));
  if (shape.length === 2)
    return call.activated(call.add({ kind: 'linear', outFeatures: units, bias }, parameters));
  const result = [...shape.slice(0, -1), units];
  const flops = 2 * elementsOf(result) * inner;
  return call.activated(call.opaque(result, { inputs: [0] }, { parameters, flops }));
}

function merge(op: Operation, keeps: readonly number[]): Rule {
  return (call) => {
    const alike = call.inputs.every((_, i) => formatShape(call.shape(i)) === formatShape(call.shape()));
    const fits = alike && (op.kind !== 'multiply' || call.inputs.length === 2);
    return fits ? call.add(op) : call.opaque(call.shape(), { inputs: keeps });
  };
}

const view =
  (shape: (call: LayerCall) => Shape): Rule =>
  (call) =>
    call.opaque(shape(call), {}, { alias: 'view' });

const same =
  (keeps: { readonly inputs?: readonly number[]; readonly output?: boolean } = {}): Rule =>
  (call) =>
    call.opaque(call.shape(), keeps);

/** `padding` of ZeroPadding2D and Cropping2D: a number, two, or two pairs. */
function edges(call: LayerCall, field: string): readonly [number, number] {
  const value = call.config[field] ?? 1;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value, value];
  const [vertical = 0, horizontal = 0] = list.map((entry: unknown) => {
    const both: readonly unknown[] = Array.isArray(entry) ? entry : [entry, entry];
    return both.reduce<number>(
      (sum, x) => sum + (Number.isSafeInteger(x) && (x as number) >= 0 ? (x as number) : 0),
      0,
    );
  });
  return [vertical, horizontal];
}

export const KERAS_LAYERS: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['Conv2D', (call) => convolution(call, call.whole('filters'), call.whole('groups', 1))],
  [
    'DepthwiseConv2D',
    (call) => {
      const channels = call.shape()[1] ?? 1;
      return convolution(call, channels * call.whole('depth_multiplier', 1), channels);
    },
  ],
  [
    'Conv2DTranspose',
    (call) => {
      const [n = 1, c = 1, h = 1, w = 1] = call.shape();
      const kernel = call.pair('kernel_size', [1, 1]);
      const stride = call.pair('strides', [1, 1]);
      const filters = call.whole('filters');
      const same = call.config['padding'] === 'same';
      const [height, width] = [h, w].map(
        (x, i) => x * stride[i]! + (same ? 0 : Math.max(0, kernel[i]! - stride[i]!)),
      );
      const weights = kernel[0] * kernel[1] * c * filters;
      const shape = [n, filters, height ?? 1, width ?? 1];
      return call.activated(
        call.opaque(
          shape,
          { inputs: [0] },
          { parameters: weights + (call.bias ? filters : 0), flops: 2 * n * h * w * weights },
        ),
      );
    },
  ],
  [
    'BatchNormalization',
    (call) => {
      const channels = call.shape()[1] ?? 1;
      const parameters =
        channels * (Number(call.config['scale'] !== false) + Number(call.config['center'] !== false));
      const op: Operation = { kind: 'batch-norm', epsilon: 1e-3, momentum: 0.01 };
      return call.shape().length === 3
        ? call.opaque(call.shape(), { inputs: [0] }, { parameters })
        : call.add(op, parameters);
    },
  ],
  [
    'LayerNormalization',
    (call) => {
      const shape = call.shape();
      const width = shape.at(-1) ?? 1;
      return call.opaque(
        shape,
        { inputs: [0], auxBytes: (8 * elementsOf(shape)) / width },
        { parameters: 2 * width },
      );
    },
  ],
  ['Activation', (call) => activation(call, call.activation(), call.inputs[0] ?? '')],
  [
    'ReLU',
    (call) =>
      call.config['max_value'] == null ? call.add(RELU) : call.opaque(call.shape(), { inputs: [0] }),
  ],
  ['LeakyReLU', same({ inputs: [0] })],
  ['PReLU', same({ inputs: [0] })],
  ['ELU', same({ output: true })],
  ['Softmax', same({ output: true })],
  ['MaxPooling2D', pool('max-pool')],
  ['AveragePooling2D', pool('avg-pool')],
  ['GlobalAveragePooling2D', globalPool('average')],
  ['GlobalMaxPooling2D', globalPool('max')],
  ['Dense', dense],
  ['Flatten', (call) => (call.shape().length === 2 ? view((c) => c.shape())(call) : call.add(FLATTEN))],
  [
    'Reshape',
    view((call) => {
      const [n = 1] = call.shape();
      const total = elementsOf(call.shape()) / n;
      const asked = call.config['target_shape'];
      const list: readonly unknown[] = Array.isArray(asked) ? asked : [-1];
      if (!list.every((extent) => typeof extent === 'number'))
        throw new BadInputError(
          `expected numbers as target_shape, got ${shown(list.find((x) => typeof x !== 'number'))}`,
        );
      const known = list.reduce((product, extent) => (extent > 0 ? product * extent : product), 1);
      const shape = list.map((extent) => (extent > 0 ? extent : total / known));
      if (elementsOf(shape) !== total)
        throw new BadInputError(`cannot turn ${formatShape(call.shape())} into ${formatShape(shape)}`);
      // Three axes are an image, channels last in the file.
      return shape.length === 3 ? [n, shape[2]!, shape[0]!, shape[1]!] : [n, ...shape];
    }),
  ],
  [
    'Dropout',
    (call) => {
      const rate = call.config['rate'];
      return call.add({ kind: 'dropout', rate: typeof rate === 'number' ? rate : 0.5 });
    },
  ],
  ['SpatialDropout2D', same()],
  ['Add', merge({ kind: 'add', inplace: false }, [])],
  ['Subtract', merge({ kind: 'add', inplace: false }, [])],
  ['Average', merge({ kind: 'add', inplace: false }, [])],
  ['Multiply', merge(MULTIPLY, [0, 1])],
  [
    'Concatenate',
    (call) => {
      const axis = call.config['axis'] ?? -1;
      const rank = call.shape().length;
      if (rank === 2 || (rank === 4 && (axis === -1 || axis === 3))) return call.add(CONCAT);
      const at = typeof axis === 'number' && axis >= 0 ? axis : rank - 1;
      const shape = call
        .shape()
        .map((extent, i) =>
          i === at ? call.inputs.reduce((sum, _, p) => sum + (call.shape(p)[at] ?? 0), 0) : extent,
        );
      return call.opaque(shape);
    },
  ],
  [
    'ZeroPadding2D',
    (call) => {
      const [n = 1, c = 1, h = 1, w = 1] = call.shape();
      const [vertical, horizontal] = edges(call, 'padding');
      return call.opaque([n, c, h + vertical, w + horizontal]);
    },
  ],
  [
    'UpSampling2D',
    (call) => {
      const [n = 1, c = 1, h = 1, w = 1] = call.shape();
      const [vertical, horizontal] = call.pair('size', [2, 2]);
      return call.opaque([n, c, h * vertical, w * horizontal]);
    },
  ],
  [
    'Embedding',
    (call) => {
      const width = call.whole('output_dim');
      return call.opaque(
        [...call.shape(), width],
        { inputs: [0] },
        { parameters: call.whole('input_dim') * width },
      );
    },
  ],
  ['Rescaling', same()],
  ['Normalization', same()],
]);
