import { KEEPS_NOTHING } from './definition.ts';

/** What operations that only look at their input in another way have in common. */
export const NO_WORK = {
  arity: 1,
  flops: () => 0,
  backwardFlops: () => 0,
  parameterShapes: () => [],
  keeps: () => KEEPS_NOTHING,
} as const;
