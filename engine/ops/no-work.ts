import { KEEPS_NOTHING } from './definition.ts';

/** Common part of operations that only look at their input in another way. */
export const NO_WORK = {
  arity: 1,
  flops: () => 0,
  backwardFlops: () => 0,
  parameterShapes: () => [],
  keeps: () => KEEPS_NOTHING,
} as const;
