import { type Graph, predecessorsOf, successorsOf } from '../graph/graph.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';
import { GradientCut, splitters } from './gradient-cut.ts';
import { gradientsAt, groupsOf, storageBytesOf } from './values.ts';

/** A backward step of a stage. */
export interface StageStep {
  readonly vertex: number;
  /** Source, gradients, and the vertex's own auxiliary that grows with the batch. */
  readonly base: number;
  /** Bytes of what it needs of its stage. */
  readonly needBytes: number;
  /** True if it needs the end of the stage before. */
  readonly needsEntry: boolean;
  /** True if some backward that is certainly not over needs the end of the stage before. */
  readonly entryPending: boolean;
  /** Place beside the stage's `reference`: the same, certainly before it, or neither. */
  readonly order: 'reference' | 'before' | 'unknown';
}

/** The vertices after one splitting vertex up to the next: between them and all others there is no edge but at the two. */
export interface Stage {
  readonly vertices: readonly number[];
  /** Values made in the stage, by number: their groups (`groupsOf`). The last is that of the splitting vertex. */
  readonly values: readonly number[];
  readonly bytes: readonly number[];
  /** By value: the values of this stage that its forward reads, and whether it reads the end of the stage before. */
  readonly inputs: readonly (readonly number[])[];
  readonly readsEntry: readonly boolean[];
  /** By value: whether backward needs it within the stage. */
  readonly isNeeded: readonly boolean[];
  readonly steps: readonly StageStep[];
  /** By step: values that it needs, and those that some backward needs which is certainly not over. */
  readonly needs: readonly (readonly number[])[];
  readonly pending: readonly (readonly number[])[];
}

/** Effort guards: vertices of a stage whose order is looked at, and of a region whose gradients are cut. */
const MAX_ORDERED = 100;
const MAX_REGION = 300;

/**
 * The network as a chain of stages. A splitting vertex ends one if a backward step after it needs its value and it is the
 * last to change or show that value. What the stages hold is counted by the values of groups.
 */
export function stagesOf(graph: Graph, memory: MemoryModel): Stage[] {
  const group = groupsOf(graph, memory);
  const storage = storageBytesOf(memory, graph.size);
  const cut = new GradientCut(graph, memory.gradientBytes);
  const { before } = splitters(graph);
  const lastOf = new Int32Array(graph.size);
  for (let v = 0; v < graph.size; v++) lastOf[group[v]!] = v;
  const isEnd = (v: number): boolean =>
    v === graph.size - 1 ||
    (before[v] === v &&
      group[v] !== 0 &&
      lastOf[group[v]!] === v &&
      successorsOf(graph, v).some((w) => needsOf(memory, w).some((u) => group[u] === group[v])));

  const stageOf = (entry: number, end: number): Stage => {
    const vertices = Array.from({ length: end - entry }, (_, i) => entry + 1 + i);
    const [entryGroup, endGroup] = [group[entry]!, group[end]!];
    const inner = new Set(vertices.map((v) => group[v]!));
    for (const g of [0, entryGroup, endGroup]) inner.delete(g);
    const values = [...inner, endGroup];
    const numbers = new Map(values.map((g, i) => [g, i]));
    // Whatever forwards a value forwards its first vertex; other members can have inputs that only some uses ask for.
    const read = values.map((g) => [...predecessorsOf(graph, g)].map((u) => group[u]!));
    const numbersOf = (groups: readonly number[]): number[] => [
      ...new Set(groups.flatMap((g) => numbers.get(g) ?? [])),
    ];
    const above = vertices.length > MAX_ORDERED ? null : ancestors(graph, vertices);
    const isAbove = (z: number, x: number): boolean => z === x || (above?.[x - entry - 1]?.has(z) ?? false);
    const needed = vertices.map((v) => [...needsOf(memory, v)].map((u) => group[u]!));
    const ofEntry = vertices.filter((_, i) => entryGroup !== 0 && needed[i]!.includes(entryGroup));
    const reference = above === null ? (ofEntry[0] ?? -1) : mostBelow(ofEntry, vertices, isAbove);
    const isOwnNeed = needsItself(memory, group, entry);
    const bytes = values.map((g) => (g === 0 ? 0 : storage[lastOf[g]!]!));
    const needs = needed.map(numbersOf);
    const users: number[][] = values.map(() => []);
    needs.forEach((own, i) => {
      for (const n of own) users[n]!.push(vertices[i]!);
    });
    return {
      vertices,
      values,
      bytes,
      inputs: read.map((groups, i) => numbersOf(groups).filter((n) => n !== i)),
      readsEntry: read.map((groups) => entryGroup !== 0 && groups.includes(entryGroup)),
      isNeeded: users.map((zs) => zs.length > 0),
      needs,
      pending:
        above === null
          ? needs
          : vertices.map((x) => values.flatMap((_, n) => (users[n]!.some((z) => isAbove(z, x)) ? [n] : []))),
      steps: vertices.map((x, i): StageStep => {
        const grown = memory.auxIsFixed[x] === 1 ? 0 : memory.auxBytes[x]!;
        const around = cut.region(x) > MAX_REGION ? 0 : cut.least(x);
        return {
          vertex: x,
          base: memory.outputBytes[0]! + gradientsAt(graph, memory, x) + around + grown,
          needBytes: needs[i]!.reduce((sum, n) => sum + bytes[n]!, 0),
          needsEntry: entryGroup !== 0 && needed[i]!.includes(entryGroup),
          entryPending: isOwnNeed || ofEntry.some((z) => isAbove(z, x)),
          order: x === reference ? 'reference' : isAbove(reference, x) ? 'before' : 'unknown',
        };
      }),
    };
  };

  const stages: Stage[] = [];
  let entry = 0;
  for (let v = 1; v < graph.size; v++) {
    if (!isEnd(v)) continue;
    stages.push(stageOf(entry, v));
    entry = v;
  }
  return stages;
}

/** By vertex of a range: those of the range with a path to it. */
function ancestors(graph: Graph, vertices: readonly number[]): Set<number>[] {
  const first = vertices[0]!;
  const above: Set<number>[] = [];
  for (const v of vertices) {
    const own = new Set<number>();
    for (const u of predecessorsOf(graph, v)) {
      if (u < first) continue;
      own.add(u);
      for (const z of above[u - first]!) own.add(z);
    }
    above.push(own);
  }
  return above;
}

/** Vertex of a range from which most others descend: most backward steps come before its own. -1 of none. */
function mostBelow(
  some: readonly number[],
  vertices: readonly number[],
  isAbove: (z: number, x: number) => boolean,
): number {
  let best = -1;
  let most = -1;
  for (const z of some) {
    const below = vertices.reduce((sum, x) => sum + (isAbove(z, x) ? 1 : 0), 0);
    if (below <= most) continue;
    best = z;
    most = below;
  }
  return best;
}

/** True if a vertex no later than a splitting vertex needs the latter's value for its backward. */
function needsItself(memory: MemoryModel, group: Int32Array, entry: number): boolean {
  if (group[entry] === 0) return false;
  // Members have edges between them, so their users are members or consumers of members.
  for (let v = group[entry]!; v <= entry; v++)
    if (needsOf(memory, v).some((u) => group[u] === group[entry])) return true;
  return false;
}
