/**
 * A choice of so many items that no other beats in both bytes and work: from equal parts of their range the nearest to the
 * lower hull of all. O(items).
 *
 * @param items by rising bytes
 */
export function nearHull<Item extends Point>(items: readonly Item[], most: number): readonly Item[] {
  const front: Item[] = [];
  for (const item of items) if (front.length === 0 || item.work < front.at(-1)!.work) front.push(item);
  if (front.length <= most) return front;
  const hull: Item[] = [];
  for (const item of front) {
    while (hull.length > 1 && heightAbove(hull.at(-2)!, item, hull.at(-1)!) >= 0) hull.pop();
    hull.push(item);
  }
  const [low, span] = [front[0]!.bytes, front.at(-1)!.bytes - front[0]!.bytes];
  const best: Item[] = [];
  let [part, least, corner] = [-1, 0, 1];
  for (const item of front) {
    while (hull[corner]!.bytes < item.bytes) corner++;
    const height = heightAbove(hull[corner - 1]!, hull[corner]!, item);
    const own = Math.floor((most * (item.bytes - low)) / span);
    if (own === part && height > least) continue;
    if (own === part) best.pop();
    best.push(item);
    [part, least] = [own, height];
  }
  return best;
}

interface Point {
  readonly bytes: number;
  readonly work: number;
}

/** Work of a point above the line through two others. */
function heightAbove(a: Point, b: Point, point: Point): number {
  return point.work - a.work - ((b.work - a.work) * (point.bytes - a.bytes)) / (b.bytes - a.bytes);
}
