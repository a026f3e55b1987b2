import type { OpaqueOp, OpDefinition } from './operation.ts';

/**
 * An operation known by its figures. Where nobody measured what its backward needs, it needs its output
 * and every input (DESIGN section 3). Bytes and FLOPs are given, not inferred.
 */
export const opaqueDefinition: OpDefinition<OpaqueOp> = {
  arity: 'many',
  shape: () => [],
  flops: () => 0,
  backwardFlops: () => 0,
  parameters: () => 0,
  keeps: (op, _profile, inputs) =>
    op.keeps ?? {
      inputs: inputs.map((_shape, position) => position),
      output: true,
      auxBytes: 0,
      fixedAuxBytes: 0,
    },
  aliasing: (op) => op.alias ?? 'none',
};
