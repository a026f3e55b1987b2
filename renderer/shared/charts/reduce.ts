/** More points than this are neither visible nor smooth to draw (STACK.md, row 6). */
const MAX_POINTS = 800;

/**
 * Chooses which points of a series to draw: the first, the last, and the smallest and the largest of
 * each of equally long buckets between them, in their order. So the true maximum is never lost.
 * Time O(n); at most `limit` indices, ascending and without repeats.
 *
 * @param limit at least 4
 */
export function reduceIndices(values: ArrayLike<number>, limit: number = MAX_POINTS): Int32Array {
  const count = values.length;
  if (count <= limit) return Int32Array.from({ length: count }, (_, i) => i);
  const buckets = Math.floor((limit - 2) / 2);
  const inner = count - 2;
  const chosen: number[] = [0];
  for (let b = 0; b < buckets; b++) {
    const from = 1 + Math.floor((b * inner) / buckets);
    const to = 1 + Math.floor(((b + 1) * inner) / buckets);
    let low = from;
    let high = from;
    for (let i = from + 1; i < to; i++) {
      if ((values[i] ?? 0) < (values[low] ?? 0)) low = i;
      if ((values[i] ?? 0) > (values[high] ?? 0)) high = i;
    }
    chosen.push(Math.min(low, high));
    if (low !== high) chosen.push(Math.max(low, high));
  }
  chosen.push(count - 1);
  return Int32Array.from(chosen);
}

/**
 * Chooses which points of a part of a series to draw where each point falls into a column of pixels: of every
 * column the smallest, the largest and the last, in their order. So a line that holds each value until the next
 * one looks as if all points were drawn, however many there are. Time O(to - from).
 *
 * @param from first and last index, both included
 * @param columnOf never falls as the index grows
 */
export function reduceColumns(
  values: ArrayLike<number>,
  from: number,
  to: number,
  columnOf: (index: number) => number,
): number[] {
  const chosen: number[] = [];
  let low = from;
  let high = from;
  const close = (last: number): void => {
    const [first, second] = low < high ? [low, high] : [high, low];
    chosen.push(first);
    if (second !== first) chosen.push(second);
    if (last !== second) chosen.push(last);
  };
  let column = Number.NaN;
  for (let i = from; i <= to; i++) {
    const own = columnOf(i);
    if (own !== column) {
      if (i > from) close(i - 1);
      column = own;
      low = i;
      high = i;
    } else {
      if ((values[i] ?? 0) < (values[low] ?? 0)) low = i;
      if ((values[i] ?? 0) > (values[high] ?? 0)) high = i;
    }
  }
  if (to >= from) close(to);
  return chosen;
}
