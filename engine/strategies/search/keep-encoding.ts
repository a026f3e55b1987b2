/**
 * Values to keep, a number for each item: bit 0 its value from the first forward on, bit 1 its auxiliary
 * that grows with the batch. The bits above are a position of backward, `expiry`: a kept value serves
 * the uses at positions above it and is then freed, to be recomputed for the uses at and below it. Zero
 * keeps a value to its last use.
 */
export type KeepEncoding = Int32Array;

export const KEEP_VALUE = 1;
export const KEEP_AUX = 2;
export const KEEP_ALL = 3;

const EXPIRY_SHIFT = 2;

export function keepUntil(expiry: number): number {
  return KEEP_ALL | (expiry << EXPIRY_SHIFT);
}

export function expiryOf(choice: number): number {
  return choice >> EXPIRY_SHIFT;
}
