import type { Aliasing, Keeps, OpDefinition, Shape } from './definition.ts';

/**
 * Known by figures instead of by what it computes. Without `keeps` its backward needs its output and all
 * its inputs (SPEC M7).
 */
export interface OpaqueOp {
  readonly kind: 'opaque';
  /** Name in the file, for display. */
  readonly label: string;
  /** Needs of its backward, where somebody measured them. */
  readonly keeps?: Keeps;
  /** Place of its output in the storage of its first input; elsewhere where not given. */
  readonly alias?: Exclude<Aliasing, 'none'>;
  /** Shape of its parameters, where they are one tensor. */
  readonly weight?: Shape;
}

/**
 * An operation known by its figures. Where nobody measured what its backward needs, it needs its output
 * and every input (SPEC M7). Bytes and FLOPs are given, not inferred.
 */
export const opaqueDefinition: OpDefinition<OpaqueOp> = {
  fields: null,
  autocast: 'own',
  arity: 'many',
  shape: () => [],
  flops: () => 0,
  backwardFlops: () => 0,
  parameterShapes: ({ weight }) => (weight === undefined ? [] : [weight]),
  keeps: (op, _profile, inputs) =>
    op.keeps ?? {
      inputs: inputs.map((_shape, position) => position),
      output: true,
      auxBytes: 0,
      fixedAuxBytes: 0,
    },
  aliasing: (op) => op.alias ?? 'none',
};
