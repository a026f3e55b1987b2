import { type Graph, predecessorsOf } from '../graph/graph.ts';
import { reachedFrom, reaching } from '../graph/reach.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';
import { GradientCut } from './gradient-cut.ts';
import { gradientsAt, groupsOf, storageBytesOf } from './values.ts';

/** Backward steps of a path, the target's first, which every schedule runs in this order. */
export interface Moments {
  readonly vertices: readonly number[];
  /** By moment: bytes that live then whatever is kept: the source and gradients. */
  readonly base: readonly number[];
  /** By vertex: the last moment before or at which it has certainly not run backward. */
  readonly waits: Int32Array;
  /** By vertex: the first moment before which it has certainly run backward; the number of moments where none is. */
  readonly done: Int32Array;
  /** By vertex: the moment of its own backward, or -1. */
  readonly own: Int32Array;
}

/** At most `most` moments of the heaviest path: the target's and those whose backward needs most at once. */
export function heaviestMoments(graph: Graph, memory: MemoryModel, most: number): Moments {
  const { size } = graph;
  const value = groupsOf(graph, memory);
  const storage = storageBytesOf(memory, size);
  const cut = new GradientCut(graph, memory.gradientBytes);
  const base = new Float64Array(size);
  const weight = new Float64Array(size);
  const best = new Float64Array(size);
  const before = new Int32Array(size).fill(-1);
  for (let v = 1; v < size; v++) {
    base[v] = (memory.outputBytes[0] ?? 0) + gradientsAt(graph, memory, v) + cut.least(v);
    const needs = new Set([...needsOf(memory, v)].map((u) => value[u]!));
    weight[v] = base[v]! + (memory.auxIsFixed[v] === 1 ? 0 : memory.auxBytes[v]!);
    for (const u of needs) if (u > 0) weight[v]! += storage[u]!;
    for (const u of predecessorsOf(graph, v))
      if (before[v] === -1 || best[u]! > best[before[v]!]!) before[v] = u;
    best[v] = weight[v]! + best[before[v]!]!;
  }
  const path: number[] = [];
  for (let v = size - 1; v > 0; v = before[v]!) path.push(v);
  const chosen = new Set([
    size - 1,
    ...[...path].sort((a, b) => weight[b]! - weight[a]! || a - b).slice(0, most - 1),
  ]);
  const vertices = path.filter((v) => chosen.has(v));
  return { vertices, base: vertices.map((v) => base[v]!), ...relations(graph, vertices) };
}

function relations(graph: Graph, vertices: readonly number[]): Pick<Moments, 'waits' | 'done' | 'own'> {
  const { size } = graph;
  const waits = new Int32Array(size).fill(-1);
  const done = new Int32Array(size).fill(vertices.length);
  const own = new Int32Array(size).fill(-1);
  vertices.forEach((at, i) => {
    own[at] = i;
    const isBelow = reachedFrom(graph, at);
    for (let w = at + 1; w < size; w++) if (isBelow[w] === 1) done[w] = Math.min(done[w]!, i);
    const isAbove = reaching(graph, at);
    for (let u = at; u > 0; u--) if (isAbove[u] === 1) waits[u] = i;
  });
  return { waits, done, own };
}
