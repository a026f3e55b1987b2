import type { RandomStGraph } from './random-graphs.ts';

/** The best of all checkpoint sets, as Eq. 2 and the documented order of ties see it. */
export interface BruteForceBest {
  cost: number;
  count: number;
  maxTerm: number;
}

/** A closed vertex set with its two ends (001, Definition 1), as bit masks. */
export interface ClosedSet {
  source: number;
  target: number;
  inside: number;
}

/** Knows only edges and bit masks, so that it shares no idea with what it checks. Up to 20 vertices. */
class Masks {
  readonly n: number;
  readonly before: number[];
  readonly after: number[];

  constructor({ n, edges }: RandomStGraph) {
    if (n > 20) throw new Error('too many vertices for brute force');
    this.n = n;
    this.before = new Array<number>(n).fill(0);
    this.after = new Array<number>(n).fill(0);
    for (const [from, to] of edges) {
      this.before[to]! |= 1 << from;
      this.after[from]! |= 1 << to;
    }
  }

  union(sets: readonly number[], of: number): number {
    let all = 0;
    for (let v = 0; v < this.n; v++) if ((of >> v) & 1) all |= sets[v]!;
    return all;
  }

  component(of: number): number {
    let found = of & -of;
    for (;;) {
      const grown = (found | this.union(this.before, found) | this.union(this.after, found)) & of;
      if (grown === found) return found;
      found = grown;
    }
  }
}

/** Minimum of Eq. 2 over every subset of the inner vertices; O(2^n n^2). */
export function bruteForceOptimum(graph: RandomStGraph): BruteForceBest {
  const masks = new Masks(graph);
  const inner = ((1 << graph.n) - 1) & ~1 & ~(1 << (graph.n - 1));
  let best: BruteForceBest | undefined;
  for (let chosen = inner; ; chosen = (chosen - 1) & inner) {
    const maxTerm = largestPart(graph, masks, inner & ~chosen);
    if (maxTerm !== undefined) {
      const found = { cost: sum(graph, chosen) + maxTerm, count: bits(chosen), maxTerm };
      if (best === undefined || isBetter(found, best)) best = found;
    }
    if (chosen === 0) return best!;
  }
}

/** All closed sets with at least one vertex inside; O(2^n n). */
export function bruteForceClosedSets(graph: RandomStGraph): ClosedSet[] {
  const masks = new Masks(graph);
  const inner = ((1 << graph.n) - 1) & ~1 & ~(1 << (graph.n - 1));
  const found: ClosedSet[] = [];
  for (let inside = inner; inside !== 0; inside = (inside - 1) & inner) {
    const sources = masks.union(masks.before, inside) & ~inside;
    const targets = masks.union(masks.after, inside) & ~inside;
    if (bits(sources) !== 1 || bits(targets) !== 1) continue;
    found.push({ source: 31 - Math.clz32(sources), target: 31 - Math.clz32(targets), inside });
  }
  return found;
}

/** Cost of the largest component, or undefined when one has several sources or targets. */
function largestPart(graph: RandomStGraph, masks: Masks, rest: number): number | undefined {
  let largest = 0;
  for (let left = rest; left !== 0; ) {
    const part = masks.component(left);
    left &= ~part;
    if (bits(masks.union(masks.before, part) & ~part) !== 1) return undefined;
    if (bits(masks.union(masks.after, part) & ~part) !== 1) return undefined;
    largest = Math.max(largest, sum(graph, part));
  }
  return largest;
}

function sum(graph: RandomStGraph, set: number): number {
  let total = 0;
  for (let v = 0; v < graph.n; v++) if ((set >> v) & 1) total += graph.cost[v]!;
  return total;
}

function bits(set: number): number {
  let count = 0;
  for (let left = set; left !== 0; left &= left - 1) count++;
  return count;
}

function isBetter(a: BruteForceBest, b: BruteForceBest): boolean {
  return (a.cost - b.cost || a.count - b.count || a.maxTerm - b.maxTerm) < 0;
}
