import { type Axis, linearAxis } from '../../../shared/charts/axis.ts';

export const batchAxis = (largest: number, parts = 8): Axis =>
  linearAxis(0, Math.max(1, Math.ceil(largest * 1.06)), { parts, least: 1, exact: true });
