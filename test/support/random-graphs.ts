import { between, chance, pick, type Rng, shuffled } from './rng.ts';

/**
 * `chain`: a single path. `linear`, `branch`, `complicate`: the whole graph is an IS of that type, with
 * anything inside. `mixed`: any of these. `dag`: random edges, made valid.
 */
export type GraphKind = 'chain' | 'linear' | 'branch' | 'complicate' | 'mixed' | 'dag';

export const GRAPH_KINDS: readonly GraphKind[] = ['chain', 'linear', 'branch', 'complicate', 'mixed', 'dag'];

/** Vertices 0..n-1 in topological order, 0 the only source, n-1 the only target. */
export interface RandomStGraph {
  n: number;
  edges: [from: number, to: number][];
  cost: number[];
}

export interface RandomStGraphOptions {
  /** At least 2; at least 3 for `linear` and 4 for `complicate`, otherwise the kind becomes `mixed`. */
  vertices: number;
  kind: GraphKind;
  /** Costs are integers in 0..maxCost; default 9, small enough for ties. */
  maxCost?: number;
  /** Probability that an edge is doubled; default 0.05. */
  doubleEdges?: number;
}

/** A random graph with one source and one target; the same seed and options give the same graph. */
export function randomStGraph(rng: Rng, options: RandomStGraphOptions): RandomStGraph {
  const { vertices: n, kind, maxCost = 9, doubleEdges = 0.05 } = options;
  const edges = kind === 'dag' ? randomDag(rng, n) : compose(rng, n, kind);
  if (kind !== 'chain') {
    for (const edge of [...edges]) if (chance(rng, doubleEdges)) edges.push([...edge]);
  }
  const renamed = topologicalNames(rng, n, edges);
  const cost = Array.from({ length: n }, () => (chance(rng, 0.1) ? 0 : between(rng, 0, maxCost)));
  return { n, edges: shuffled(rng, renamed), cost };
}

type Edge = [from: number, to: number];
type Part = 'chain' | 'linear' | 'branch' | 'complicate';

/** A part to be drawn between two vertices with a number of vertices inside. */
interface Task {
  from: number;
  to: number;
  inside: number;
  kind: Part;
}

/** Recursive composition of linear, branch and complicate parts, with a stack instead of recursion. */
function compose(rng: Rng, n: number, kind: Exclude<GraphKind, 'dag'>): Edge[] {
  const edges: Edge[] = [];
  let named = 2;
  const tasks: Task[] = [{ from: 0, to: 1, inside: n - 2, kind: asPart(rng, kind, n - 2) }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { from, to, inside } = task;
    if (task.kind === 'branch') {
      const shares = split(rng, inside, between(rng, 2, 4));
      // A branch is never a Branch IS itself; one without vertices is an edge.
      for (const share of shares) tasks.push({ from, to, inside: share, kind: nested(rng, 'branch', share) });
      continue;
    }
    if (inside === 0) {
      edges.push([from, to]);
      continue;
    }
    const stops =
      task.kind === 'chain' ? inside : Math.min(inside, between(rng, task.kind === 'complicate' ? 2 : 1, 6));
    const line = [from, ...Array.from({ length: stops }, () => named++), to];
    const pairs = task.kind === 'complicate' ? rigid(rng, line.length) : path(line.length);
    const shares = split(rng, inside - stops, pairs.length);
    pairs.forEach(([a, b], i) => {
      const share = shares[i]!;
      tasks.push({ from: line[a]!, to: line[b]!, inside: share, kind: nested(rng, 'linear', share) });
    });
  }
  return edges;
}

function asPart(rng: Rng, kind: GraphKind, inside: number): Part {
  if (kind === 'chain' || kind === 'branch') return kind;
  if (kind === 'linear' && inside >= 1) return kind;
  if (kind === 'complicate' && inside >= 2) return kind;
  return nested(rng, 'chain', inside);
}

/** The kind of a part inside another; `chain` with no vertices inside is an edge. */
function nested(rng: Rng, outer: Part, inside: number): Part {
  if (inside === 0) return 'chain';
  const kinds: Part[] = inside >= 2 ? ['linear', 'branch', 'complicate', 'complicate'] : ['linear', 'branch'];
  return pick(rng, outer === 'chain' ? kinds : kinds.filter((kind) => kind !== outer));
}

function path(size: number): Edge[] {
  return Array.from({ length: size - 1 }, (_, i) => [i, i + 1]);
}

/**
 * A path with skips of two, plus random edges, without an edge between the ends: no linear splitting
 * vertex, no branch and nothing larger than an edge inside, like a chain of cells that read two before.
 */
function rigid(rng: Rng, size: number): Edge[] {
  const edges = path(size);
  for (let i = 0; i + 2 < size; i++) edges.push([i, i + 2]);
  for (let a = 0; a < size; a++) {
    for (let b = a + 3; b < size; b++) {
      if (!(a === 0 && b === size - 1) && chance(rng, 0.1)) edges.push([a, b]);
    }
  }
  return edges;
}

/** `total` as a sum of `count` non-negative shares, uneven on purpose so that trees get deep. */
function split(rng: Rng, total: number, count: number): number[] {
  const shares = new Array<number>(count).fill(0);
  let left = total;
  while (left > 0) {
    const share = between(rng, 1, left);
    shares[rng.below(count)]! += share;
    left -= share;
  }
  return shares;
}

/** Edges i -> j for i < j with the source and the target made unique; 1 stands for the target here. */
function randomDag(rng: Rng, n: number): Edge[] {
  const position = (i: number): number => (i === 0 ? 0 : i === n - 1 ? 1 : i + 1);
  const edges: Edge[] = [];
  const reach = between(rng, 1, 6);
  const hasOutput = new Uint8Array(n);
  const add = (a: number, b: number): void => {
    edges.push([position(a), position(b)]);
    hasOutput[a] = 1;
  };
  for (let v = 1; v < n; v++) {
    for (let k = between(rng, 1, 2); k > 0; k--) add(Math.max(0, v - between(rng, 1, reach)), v);
  }
  for (let v = 0; v < n - 1; v++) if (hasOutput[v] === 0) add(v, Math.min(n - 1, v + between(rng, 1, reach)));
  return edges;
}

/** Renames vertices by a random topological order; 0 stays first and 1 becomes the last. */
function topologicalNames(rng: Rng, n: number, edges: readonly Edge[]): Edge[] {
  const waiting = new Int32Array(n);
  const next: number[][] = Array.from({ length: n }, () => []);
  for (const [from, to] of edges) {
    waiting[to]!++;
    next[from]!.push(to);
  }
  const name = new Int32Array(n);
  const ready = [0];
  for (let count = 0; ready.length > 0; count++) {
    const at = rng.below(ready.length);
    const vertex = ready[at]!;
    ready[at] = ready[ready.length - 1]!;
    ready.pop();
    name[vertex] = count;
    for (const to of next[vertex]!) {
      waiting[to]!--;
      if (waiting[to] === 0) ready.push(to);
    }
  }
  return edges.map(([from, to]) => [name[from]!, name[to]!]);
}
