import { KEEPS_NOTHING, type OpDefinition } from './definition.ts';
import { elementsOf } from './shape.ts';

export interface ReluOp {
  readonly kind: 'relu';
  /** Written in place by the reference implementation; honoured where legal (memory-model.ts). */
  readonly inplace: boolean;
}

/**
 * Rectified linear unit. Backward needs the sign of the output, so it keeps the output. PyTorch 1.5 keeps the input
 * where it is not in place.
 */
export const reluDefinition: OpDefinition<ReluOp> = {
  fields: { inplace: 'boolean' },
  autocast: 'own',
  arity: 1,
  shape: (_op, inputs) => inputs[0] ?? [],
  flops: (_op, _inputs, output) => elementsOf(output),
  backwardFlops: (_op, _inputs, output, inputGradient) => (inputGradient ? elementsOf(output) : 0),
  parameterShapes: () => [],
  keeps: (op, profile) =>
    profile === 'pytorch-1.5' && !op.inplace
      ? { ...KEEPS_NOTHING, inputs: [0] }
      : { ...KEEPS_NOTHING, output: true },
  aliasing: (op, profile) => (op.inplace && profile !== 'tfjs' ? 'inplace' : 'none'),
};
