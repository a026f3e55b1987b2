import { type Axis, linearAxis } from '../../../shared/charts/axis.ts';

/** Batch sizes from zero to a little past the largest. */
export const batchAxis = (largest: number, parts = 8): Axis =>
  linearAxis(0, Math.max(1, Math.ceil(largest * 1.06)), { parts, least: 1, exact: true });
