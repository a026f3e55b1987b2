/** Vertices in an order that respects all edges, or the vertices of one cycle. */
export type Ordering =
  | { readonly ok: true; readonly order: Int32Array }
  | { readonly ok: false; readonly cycle: readonly number[] };

/**
 * Topological order, deterministic: the order in which the vertices were given wherever the edges leave a
 * choice (so a list that is sorted already stays as it is). Time O(V log V + E), space O(V + E).
 */
export function topologicalOrder(size: number, edges: readonly (readonly [number, number])[]): Ordering {
  const waiting = new Int32Array(size);
  const offsets = new Int32Array(size + 1);
  for (const [from, to] of edges) {
    waiting[to] = (waiting[to] ?? 0) + 1;
    offsets[from + 1] = (offsets[from + 1] ?? 0) + 1;
  }
  for (let v = 0; v < size; v++) offsets[v + 1] = (offsets[v + 1] ?? 0) + (offsets[v] ?? 0);
  const next = offsets.slice(0, size);
  const followers = new Int32Array(edges.length);
  for (const [from, to] of edges) {
    const at = next[from] ?? 0;
    next[from] = at + 1;
    followers[at] = to;
  }
  const ready = new MinHeap();
  for (let v = 0; v < size; v++) if (waiting[v] === 0) ready.push(v);
  const order = new Int32Array(size);
  let placed = 0;
  for (let v = ready.pop(); v !== undefined; v = ready.pop()) {
    order[placed++] = v;
    for (let e = offsets[v] ?? 0; e < (offsets[v + 1] ?? 0); e++) {
      const to = followers[e] ?? 0;
      const left = (waiting[to] ?? 0) - 1;
      waiting[to] = left;
      if (left === 0) ready.push(to);
    }
  }
  if (placed === size) return { ok: true, order };
  return { ok: false, cycle: findCycle(size, waiting, edges) };
}

/** Every vertex that still waits has a predecessor that still waits: walking backwards must repeat. */
function findCycle(
  size: number,
  waiting: Int32Array,
  edges: readonly (readonly [number, number])[],
): readonly number[] {
  const before = new Int32Array(size).fill(-1);
  for (const [from, to] of edges) if ((waiting[from] ?? 0) > 0 && (waiting[to] ?? 0) > 0) before[to] = from;
  const seenAt = new Int32Array(size).fill(-1);
  const walk: number[] = [];
  let v = waiting.findIndex((left) => left > 0);
  while (seenAt[v] === -1) {
    seenAt[v] = walk.length;
    walk.push(v);
    v = before[v] ?? 0;
  }
  return walk.slice(seenAt[v] ?? 0).reverse();
}

class MinHeap {
  readonly #items: number[] = [];

  push(item: number): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((items[parent] ?? 0) <= item) break;
      items[at] = items[parent] ?? 0;
      at = parent;
    }
    items[at] = item;
  }

  pop(): number | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined || items.length === 0) return top;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && (items[child + 1] ?? 0) < (items[child] ?? 0)) child++;
      if ((items[child] ?? 0) >= last) break;
      items[at] = items[child] ?? 0;
      at = child;
    }
    items[at] = last;
    return top;
  }
}
