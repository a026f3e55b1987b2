import {
  type CausalMaskOp,
  type GeluOp,
  KEEPS_NOTHING,
  type OpDefinition,
  type Relu6Op,
  type ScaleOp,
  type SoftmaxOp,
  type TanhOp,
} from './operation.ts';
import { elementsOf } from './shape.ts';

/** Bytes of the copy that PyTorch makes of what an operation in place destroys. */
const COPY_BYTES = 4;
/** Largest, subtract, exponential, sum, divide. */
const SOFTMAX_PER_ELEMENT = 5;

/** What element-wise operations of one input and without parameters have in common. */
const ELEMENTWISE: Omit<OpDefinition, 'keeps'> = {
  arity: 1,
  shape: (_op, inputs) => inputs[0] ?? [],
  flops: (_op, _inputs, output) => elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * elementsOf(output),
  parameters: () => 0,
  aliasing: () => 'none',
};

/** Its derivative needs the input: the function is not monotonic. */
export const geluDefinition: OpDefinition<GeluOp> = {
  ...ELEMENTWISE,
  keeps: () => ({ ...KEEPS_NOTHING, inputs: [0] }),
};

export const tanhDefinition: OpDefinition<TanhOp> = {
  ...ELEMENTWISE,
  keeps: () => ({ ...KEEPS_NOTHING, output: true }),
};

/** In place PyTorch saves a copy of the input; the output tells as much, and `tfjs` keeps that. */
export const relu6Definition: OpDefinition<Relu6Op> = {
  ...ELEMENTWISE,
  keeps(op, profile, _inputs, output) {
    if (profile === 'tfjs') return { ...KEEPS_NOTHING, output: true };
    return op.inplace
      ? { ...KEEPS_NOTHING, auxBytes: COPY_BYTES * elementsOf(output) }
      : { ...KEEPS_NOTHING, inputs: [0] };
  },
  aliasing: (op, profile) => (op.inplace && profile === 'pytorch' ? 'inplace' : 'none'),
};

/** PyTorch keeps the divisor itself, as a tensor of one double. */
export const scaleDefinition: OpDefinition<ScaleOp> = {
  ...ELEMENTWISE,
  keeps: (_op, profile) => (profile === 'tfjs' ? KEEPS_NOTHING : { ...KEEPS_NOTHING, fixedAuxBytes: 8 }),
};

export const causalMaskDefinition: OpDefinition<CausalMaskOp> = {
  ...ELEMENTWISE,
  keeps: () => KEEPS_NOTHING,
};

export const softmaxDefinition: OpDefinition<SoftmaxOp> = {
  ...ELEMENTWISE,
  flops: (_op, _inputs, output) => SOFTMAX_PER_ELEMENT * elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * SOFTMAX_PER_ELEMENT * elementsOf(output),
  keeps: () => ({ ...KEEPS_NOTHING, output: true }),
};
