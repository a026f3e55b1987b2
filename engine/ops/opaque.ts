import type { OpaqueOp, OpDefinition } from './operation.ts';

/**
 * An operation known by its bytes alone. There is nobody to ask what its backward needs, so it needs
 * its output and every input (DESIGN section 3). Bytes and FLOPs are given, not inferred.
 */
export const opaqueDefinition: OpDefinition<OpaqueOp> = {
  arity: 'many',
  shape: () => [],
  flops: () => 0,
  backwardFlops: () => 0,
  parameters: () => 0,
  keeps: (_op, _profile, inputs) => ({
    inputs: inputs.map((_shape, position) => position),
    output: true,
    auxBytes: 0,
    fixedAuxBytes: 0,
  }),
  aliasing: () => 'none',
};
