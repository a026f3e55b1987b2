import type { LiveModel } from './live-model.ts';

/** Beyond this many vertices searches do without what takes the square of their number. */
export const LARGE = 2000;

export function isLarge({ order }: Pick<LiveModel, 'order'>): boolean {
  return order.length > LARGE;
}
