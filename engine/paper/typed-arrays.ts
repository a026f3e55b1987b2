/**
 * Stable counting sort of `items` by keys in 0..bound-1; `keys[i]` belongs to `items[i]`. Group k is
 * sorted[offsets[k] .. offsets[k+1]). Time and space O(items + bound).
 */
export function sortByKey(
  items: Int32Array,
  keys: Int32Array,
  bound: number,
): { sorted: Int32Array<ArrayBuffer>; offsets: Int32Array<ArrayBuffer> } {
  const offsets = new Int32Array(bound + 1);
  for (const key of keys) offsets[key + 1]!++;
  for (let k = 0; k < bound; k++) offsets[k + 1]! += offsets[k]!;
  const next = offsets.slice();
  const sorted = new Int32Array(items.length);
  for (let i = 0; i < items.length; i++) sorted[next[keys[i]!]!++] = items[i]!;
  return { sorted, offsets };
}

/** 0, 1, .. count - 1. A loop, as `Int32Array.from` with a function is many times slower. */
export function indices(count: number): Int32Array<ArrayBuffer> {
  const result = new Int32Array(count);
  for (let i = 0; i < count; i++) result[i] = i;
  return result;
}
