/** A node to be placed: real ones first, then a bend for every level that an edge passes. */
export interface LeveledGraph {
  readonly size: number;
  /** Nodes below this are real. */
  readonly realCount: number;
  readonly level: Int32Array;
  readonly levelCount: number;
  /** Neighbours one level above and below; an edge over several levels goes through its bends. */
  readonly above: readonly (readonly number[])[];
  readonly below: readonly (readonly number[])[];
  /** The bends of each edge, from its upper to its lower end. */
  readonly bends: readonly (readonly number[])[];
}

export type Edge = readonly [from: number, to: number];

/**
 * Gives every node a level below all that lead to it (longest path), then moves nodes that more edges leave
 * than enter down, which shortens edges. Time O(V + E + bends).
 *
 * @param edges each from a smaller to a larger node
 * @param last nodes that stand on the last level whatever leads to them
 */
export function assignLevels(count: number, edges: readonly Edge[], last: ReadonlySet<number>): LeveledGraph {
  const into: number[][] = Array.from({ length: count }, () => []);
  const outOf: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) {
    into[to]!.push(from);
    outOf[from]!.push(to);
  }
  const level = new Int32Array(count);
  for (let v = 0; v < count; v++) for (const u of into[v]!) level[v] = Math.max(level[v]!, level[u]! + 1);
  for (let v = count - 1; v >= 0; v--) {
    if (outOf[v]!.length <= into[v]!.length || outOf[v]!.length === 0) continue;
    level[v] = Math.max(level[v]!, Math.min(...outOf[v]!.map((w) => level[w]!)) - 1);
  }
  const levelCount = level.reduce((most, value) => Math.max(most, value), 0) + 1;
  for (const v of last) level[v] = levelCount - 1;
  return withBends(count, edges, level, levelCount);
}

function withBends(
  count: number,
  edges: readonly Edge[],
  realLevel: Int32Array,
  levelCount: number,
): LeveledGraph {
  const level = Array.from(realLevel);
  const above: number[][] = Array.from({ length: count }, () => []);
  const below: number[][] = Array.from({ length: count }, () => []);
  const join = (upper: number, lower: number): void => {
    below[upper]!.push(lower);
    above[lower]!.push(upper);
  };
  const bends = edges.map(([from, to]) => {
    const own: number[] = [];
    let upper = from;
    for (let at = level[from]! + 1; at < level[to]!; at++) {
      const bend = level.length;
      level.push(at);
      above.push([]);
      below.push([]);
      own.push(bend);
      join(upper, bend);
      upper = bend;
    }
    join(upper, to);
    return own;
  });
  return {
    size: level.length,
    realCount: count,
    level: Int32Array.from(level),
    levelCount,
    above,
    below,
    bends,
  };
}
