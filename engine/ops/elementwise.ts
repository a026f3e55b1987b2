import { KEEPS_NOTHING, type OpDefinition } from './definition.ts';
import { elementsOf } from './shape.ts';

export interface GeluOp {
  readonly kind: 'gelu';
  /** Approximated by tanh, as GPT-2 does; by the error function where false. */
  readonly tanh: boolean;
}

export interface TanhOp {
  readonly kind: 'tanh';
}

export interface SigmoidOp {
  readonly kind: 'sigmoid';
}

/** min(max(x, 0), 6) */
export interface Relu6Op {
  readonly kind: 'relu6';
  readonly inplace: boolean;
}

/** Divides by a constant. */
export interface ScaleOp {
  readonly kind: 'scale';
  readonly divisor: number;
}

/** [N, heads, L, L]: no position sees a later one. */
export interface CausalMaskOp {
  readonly kind: 'causal-mask';
}

/** Over the last axis. */
export interface SoftmaxOp {
  readonly kind: 'softmax';
}

/** Largest, subtract, exponential, sum, divide. */
export const SOFTMAX_PER_ELEMENT = 5;

/** Common part of element-wise operations of one input and without parameters. */
const ELEMENTWISE: Omit<OpDefinition<{ readonly kind: string }>, 'fields' | 'autocast' | 'keeps'> = {
  arity: 1,
  shape: (_op, inputs) => inputs[0] ?? [],
  flops: (_op, _inputs, output) => elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * elementsOf(output),
  parameterShapes: () => [],
  aliasing: () => 'none',
};

/** Its derivative needs the input: the function is not monotonic. */
export const geluDefinition: OpDefinition<GeluOp> = {
  fields: { tanh: 'boolean' },
  autocast: 'own',
  ...ELEMENTWISE,
  keeps: () => ({ ...KEEPS_NOTHING, inputs: [0] }),
};

export const tanhDefinition: OpDefinition<TanhOp> = {
  fields: {},
  autocast: 'own',
  ...ELEMENTWISE,
  keeps: () => ({ ...KEEPS_NOTHING, output: true }),
};

export const sigmoidDefinition: OpDefinition<SigmoidOp> = {
  fields: {},
  autocast: 'own',
  ...ELEMENTWISE,
  keeps: () => ({ ...KEEPS_NOTHING, output: true }),
};

/** In place PyTorch saves a copy of the input; the output tells as much, and `tfjs` keeps that. */
export const relu6Definition: OpDefinition<Relu6Op> = {
  fields: { inplace: 'boolean' },
  autocast: 'own',
  ...ELEMENTWISE,
  keeps(op, profile, _inputs, output, elementBytes = 4) {
    if (profile === 'tfjs') return { ...KEEPS_NOTHING, output: true };
    return op.inplace
      ? { ...KEEPS_NOTHING, auxBytes: elementBytes * elementsOf(output) }
      : { ...KEEPS_NOTHING, inputs: [0] };
  },
  aliasing: (op, profile) => (op.inplace && profile !== 'tfjs' ? 'inplace' : 'none'),
};

/** PyTorch keeps the divisor itself, as a tensor of one double. */
export const scaleDefinition: OpDefinition<ScaleOp> = {
  fields: { divisor: 'positive' },
  autocast: 'own',
  ...ELEMENTWISE,
  keeps: (_op, profile) => (profile === 'tfjs' ? KEEPS_NOTHING : { ...KEEPS_NOTHING, fixedAuxBytes: 8 }),
};

export const causalMaskDefinition: OpDefinition<CausalMaskOp> = {
  fields: {},
  autocast: 'own',
  ...ELEMENTWISE,
  keeps: () => KEEPS_NOTHING,
};

/** PyTorch 1.5 keeps its input beside the result. */
export const softmaxDefinition: OpDefinition<SoftmaxOp> = {
  fields: {},
  autocast: 'to-float32',
  ...ELEMENTWISE,
  flops: (_op, _inputs, output) => SOFTMAX_PER_ELEMENT * elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * SOFTMAX_PER_ELEMENT * elementsOf(output),
  keeps: (_op, profile) => ({ ...KEEPS_NOTHING, inputs: profile === 'pytorch-1.5' ? [0] : [], output: true }),
};
