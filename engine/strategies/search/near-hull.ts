/**
 * A choice of so many items that no other beats in both bytes and work: from equal parts of their range the nearest to the
 * lower hull of all. O(items).
 *
 * @param items by rising bytes, each the place of its figures in both columns
 */
export function nearHull(
  items: readonly number[],
  bytes: ArrayLike<number>,
  work: ArrayLike<number>,
  most: number,
): readonly number[] {
  const front: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    if (work[item]! >= least) continue;
    least = work[item]!;
    front.push(item);
  }
  if (front.length <= most) return front;
  /** Work of an item above the line through two others. */
  const heightAbove = (a: number, b: number, item: number): number =>
    work[item]! - work[a]! - ((work[b]! - work[a]!) * (bytes[item]! - bytes[a]!)) / (bytes[b]! - bytes[a]!);
  const hull: number[] = [];
  for (const item of front) {
    while (hull.length > 1 && heightAbove(hull.at(-2)!, item, hull.at(-1)!) >= 0) hull.pop();
    hull.push(item);
  }
  const low = bytes[front[0]!]!;
  const span = bytes[front.at(-1)!]! - low;
  const best: number[] = [];
  let [part, nearest, corner] = [-1, 0, 1];
  for (const item of front) {
    while (bytes[hull[corner]!]! < bytes[item]!) corner++;
    const height = heightAbove(hull[corner - 1]!, hull[corner]!, item);
    const own = Math.floor((most * (bytes[item]! - low)) / span);
    if (own === part && height > nearest) continue;
    if (own === part) best.pop();
    best.push(item);
    [part, nearest] = [own, height];
  }
  return best;
}
