import { type Graph, predecessorsOf } from '../graph/graph.ts';
import type { TensorView } from '../graph/tensor-view.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';
import type { OneLevelPlan } from './one-level.ts';

/**
 * Turns a set of gradient checkpoints on the papers' computation graph into segments of operations:
 * the weakly connected components of the graph without the checkpoints (each the inside of one
 * independent segment), with the operations of a checkpoint's own vertex joined to the segment that
 * ends in it. Source and target always separate segments. Segments that depend on each other in a
 * circle (possible only for checkpoints that are not ends of independent segments) become one. A checkpoint that
 * several segments lead into is joined to those alone whose outputs its backward needs.
 * Time O(V + E) up to the inverse Ackermann function.
 *
 * @param checkpoints vertices of `view.tensors`
 */
export function checkpointSegments(
  graph: Graph,
  memory: MemoryModel,
  view: TensorView,
  checkpoints: readonly number[],
): OneLevelPlan {
  const isCheckpoint = new Uint8Array(view.representative.length);
  for (const c of checkpoints) isCheckpoint[c] = 1;
  isCheckpoint[0] = 1;
  isCheckpoint[view.representative.length - 1] = 1;
  const checkpointOf = (v: number): number => {
    const tensor = view.tensorOf[v] ?? -1;
    return tensor >= 0 && isCheckpoint[tensor] === 1 ? tensor : -1;
  };

  const sets = new DisjointSets(graph.size);
  const members = new Map<number, number[]>();
  for (let v = 1; v < graph.size; v++) {
    const own = checkpointOf(v);
    if (own >= 0) {
      const group = members.get(own);
      if (group === undefined) members.set(own, [v]);
      else {
        sets.union(group[0] ?? v, v);
        group.push(v);
      }
      continue;
    }
    for (const u of predecessorsOf(graph, v)) if (u > 0 && checkpointOf(u) < 0) sets.union(u, v);
  }
  const joins = new Uint8Array(graph.size);
  for (const group of members.values()) {
    const before = new Set<number>();
    const needed = new Set<number>();
    for (const v of group) {
      const needs = needsOf(memory, v);
      for (const u of predecessorsOf(graph, v)) {
        if (u === 0 || checkpointOf(u) >= 0) continue;
        before.add(sets.find(u));
        // Sharing a segment with the producer spares computing the input twice.
        if (needs.includes(u)) needed.add(sets.find(u));
      }
    }
    if (before.size > 1) for (const v of group) joins[v] = 1;
    for (const root of before.size === 1 ? before : needed) sets.union(root, group[0] ?? root);
  }

  // Without a vertex between checkpoints nothing would be saved by running it again.
  const hasInner = new Uint8Array(graph.size);
  for (let v = 1; v < graph.size; v++) {
    if ((view.tensorOf[v] ?? -1) > 0 && checkpointOf(v) < 0) hasInner[sets.find(v)] = 1;
  }
  for (let v = 1; v < graph.size; v++) if (hasInner[sets.find(v)] !== 1) joins[v] = 1;

  const kept = new Uint8Array(graph.size);
  for (const tensor of members.keys()) kept[view.representative[tensor] ?? 0] = 1;
  return { segments: inOrder(graph, sets), kept, recomputeLast: true, joins };
}

/** The sets as lists in an order that respects all edges; ties by topological position. */
function inOrder(graph: Graph, sets: DisjointSets): number[][] {
  const lists = new Map<number, number[]>();
  for (let v = 1; v < graph.size; v++) {
    const root = sets.find(v);
    const list = lists.get(root);
    if (list === undefined) lists.set(root, [v]);
    else list.push(v);
  }
  const waiting = new Map<number, number>();
  const followers = new Map<number, number[]>();
  for (const root of lists.keys()) waiting.set(root, 0);
  for (let v = 1; v < graph.size; v++) {
    const to = sets.find(v);
    for (const u of predecessorsOf(graph, v)) {
      if (u === 0) continue;
      const from = sets.find(u);
      if (from === to) continue;
      waiting.set(to, (waiting.get(to) ?? 0) + 1);
      const list = followers.get(from);
      if (list === undefined) followers.set(from, [to]);
      else list.push(to);
    }
  }
  const segments: number[][] = [];
  // A stack keeps one branch together before the next starts; first vertices decide among equals.
  const ready = [...lists.keys()].filter((root) => waiting.get(root) === 0).reverse();
  while (ready.length > 0) {
    const root = ready.pop() ?? 0;
    segments.push(lists.get(root) ?? []);
    lists.delete(root);
    for (const to of (followers.get(root) ?? []).reverse()) {
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  if (lists.size > 0) segments.push([...lists.values()].flat().sort((a, b) => a - b));
  return segments;
}

class DisjointSets {
  readonly #parent: Int32Array;

  constructor(size: number) {
    this.#parent = Int32Array.from({ length: size }, (_, i) => i);
  }

  find(v: number): number {
    let root = v;
    while (this.#parent[root] !== root) root = this.#parent[root] ?? root;
    let walk = v;
    while (this.#parent[walk] !== root) {
      const next = this.#parent[walk] ?? root;
      this.#parent[walk] = root;
      walk = next;
    }
    return root;
  }

  union(a: number, b: number): void {
    const x = this.find(a);
    const y = this.find(b);
    // The smaller name wins, so that the result does not depend on the order of unions.
    if (x !== y) this.#parent[Math.max(x, y)] = Math.min(x, y);
  }
}
