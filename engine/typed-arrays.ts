/**
 * Stable counting sort of 0..keys.length-1, or of `items` from that range, by `keys[item]` in
 * 0..bound-1. Group k is sorted[offsets[k] .. offsets[k+1]). Time and space O(items + bound).
 */
export function sortByKey(
  keys: Int32Array,
  bound: number,
  items?: Int32Array,
): { sorted: Int32Array<ArrayBuffer>; offsets: Int32Array<ArrayBuffer> } {
  const count = items?.length ?? keys.length;
  const offsets = new Int32Array(bound + 1);
  for (let i = 0; i < count; i++) offsets[keys[items === undefined ? i : items[i]!]! + 1]!++;
  for (let k = 0; k < bound; k++) offsets[k + 1]! += offsets[k]!;
  const sorted = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const item = items === undefined ? i : items[i]!;
    sorted[offsets[keys[item]!]!++] = item;
  }
  // Every offset has moved to the end of its group, where the next one begins.
  offsets.copyWithin(1, 0);
  offsets[0] = 0;
  return { sorted, offsets };
}

/** 0, 1, .. count - 1. A loop, as `Int32Array.from` with a function is many times slower. */
export function indices(count: number): Int32Array<ArrayBuffer> {
  const result = new Int32Array(count);
  for (let i = 0; i < count; i++) result[i] = i;
  return result;
}

/** True when two of one length hold the same numbers. */
export const isSame = (some: Int32Array, others: Int32Array): boolean =>
  some.every((number, i) => number === others[i]);
