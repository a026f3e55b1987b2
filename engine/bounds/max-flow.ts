/**
 * Maximum flow by Dinic's algorithm: breadth-first levels, then blocking flows by a depth-first walk with
 * a stack. Time O(nodes^2 x arcs) at worst; space O(nodes + arcs).
 *
 * @param arcs [from, to] pairs, flat
 * @param capacities non-negative, one for each arc; infinite ones allowed if no path has only such arcs
 */
export function maxFlow(
  nodes: number,
  arcs: readonly number[],
  capacities: readonly number[],
  source: number,
  sink: number,
): number {
  const count = capacities.length;
  // Arc e and its reverse are edges 2e and 2e + 1.
  const head = new Int32Array(2 * count);
  const left = new Float64Array(2 * count);
  const offsets = new Int32Array(nodes + 1);
  for (let e = 0; e < 2 * count; e++) offsets[arcs[e]! + 1]!++;
  for (let v = 0; v < nodes; v++) offsets[v + 1]! += offsets[v]!;
  const edges = new Int32Array(2 * count);
  const next = offsets.slice(0, nodes);
  for (let e = 0; e < count; e++) {
    const from = arcs[2 * e]!;
    const to = arcs[2 * e + 1]!;
    head[2 * e] = to;
    head[2 * e + 1] = from;
    left[2 * e] = capacities[e]!;
    edges[next[from]!++] = 2 * e;
    edges[next[to]!++] = 2 * e + 1;
  }
  const level = new Int32Array(nodes);
  const queue = new Int32Array(nodes);
  const path: number[] = [];
  let flow = 0;
  for (;;) {
    level.fill(-1);
    level[source] = 0;
    queue[0] = source;
    for (let at = 0, end = 1; at < end; at++) {
      const v = queue[at]!;
      for (let i = offsets[v]!; i < offsets[v + 1]!; i++) {
        const to = head[edges[i]!]!;
        if (level[to] !== -1 || left[edges[i]!]! <= 0) continue;
        level[to] = level[v]! + 1;
        queue[end++] = to;
      }
    }
    if (level[sink] === -1) return flow;
    next.set(offsets.subarray(0, nodes));
    path.length = 0;
    for (let v = source; ; ) {
      if (v === sink) {
        let amount = Number.POSITIVE_INFINITY;
        for (const e of path) amount = Math.min(amount, left[e]!);
        for (const e of path) {
          left[e]! -= amount;
          left[e ^ 1]! += amount;
        }
        flow += amount;
        path.length = 0;
        v = source;
        continue;
      }
      let advanced = false;
      while (next[v]! < offsets[v + 1]!) {
        const e = edges[next[v]!]!;
        if (left[e]! > 0 && level[head[e]!] === level[v]! + 1) {
          path.push(e);
          v = head[e]!;
          advanced = true;
          break;
        }
        next[v]!++;
      }
      if (advanced) continue;
      const back = path.pop();
      if (back === undefined) break;
      v = head[back ^ 1]!;
      next[v]!++;
    }
  }
}
