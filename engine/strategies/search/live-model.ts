import { type Graph, workOf } from '../../graph/graph.ts';
import { runsOnce } from '../../ops/runs-once.ts';
import type { MemoryModel } from '../../ops/memory-model.ts';
import { ScheduleBuilder } from '../../schedule/schedule.ts';
import { Gradients } from '../../simulate/gradients.ts';
import { Place } from '../../simulate/place.ts';
import { sortByKey } from '../../typed-arrays.ts';

/**
 * A graph under one topological order, contracted to what one keeps or drops as a whole. An *item* is
 * one storage: a tensor together with the views of it and with the operations that take it over in
 * place. Positions 0..size-1 are those of the order; the backward step of a vertex has the position of
 * the vertex, so time runs down through the positions during backward. Items are numbered by the
 * position at which their value is final, which makes the numbering topological; item 0 is the source.
 */
export interface LiveModel {
  readonly graph: Graph;
  readonly memory: MemoryModel;
  /** Position to vertex, the source first. */
  readonly order: Int32Array;
  readonly items: number;
  /** Vertex to the item that it is a member of. */
  readonly itemOf: Int32Array;
  /** Vertices of item i, by position: memberVertices[memberOffsets[i] .. memberOffsets[i+1]). */
  readonly memberOffsets: Int32Array;
  readonly memberVertices: Int32Array;
  /** Position at which the storage is allocated, and at which its value is final (views aside). */
  readonly created: Int32Array;
  readonly final: Int32Array;
  /** Last position at which a forward reads or writes it. */
  readonly lastForward: Int32Array;
  /** Last position in the first forward pass up to which the program itself holds it, `lastForward` at least. */
  readonly lastHeld: Int32Array;
  readonly bytes: Float64Array;
  /** By position: what the program holds beside in the first forward pass; absent where nothing. */
  readonly besideBytes?: Float64Array;
  /** Forward work of all members: FLOPs, or bytes in a graph without FLOPs; more than all of it between GPUs. */
  readonly work: Float64Array;
  /** Largest and smallest position whose backward needs it; -1 and size where none does. */
  readonly maxNeed: Int32Array;
  readonly minNeed: Int32Array;
  /** Positions whose backward needs an item: needPositions[needOffsets[i] .. needOffsets[i+1]), ascending. */
  readonly needOffsets: Int32Array;
  readonly needPositions: Int32Array;
  /** Consumers (items) of an item and its inputs, without repeats. */
  readonly outOffsets: Int32Array;
  readonly outs: Int32Array;
  readonly inOffsets: Int32Array;
  readonly ins: Int32Array;
  /** Auxiliaries: bytes that grow with the batch and bytes that do not, with their backward's position (-1: none). */
  readonly auxBytes: Float64Array;
  readonly auxPosition: Int32Array;
  readonly fixedBytes: Float64Array;
  readonly fixedPosition: Int32Array;
  /** Live gradient bytes at the backward step of a position: before and after its allocations. */
  readonly gradientsBefore: Float64Array;
  readonly gradientsAfter: Float64Array;
}

export const membersOf = (
  { memberOffsets, memberVertices }: Pick<LiveModel, 'memberOffsets' | 'memberVertices'>,
  item: number,
): Int32Array => memberVertices.subarray(memberOffsets[item], memberOffsets[item + 1]);

/** Builds the model. Time and space O(V + E). */
export function liveModel(graph: Graph, memory: MemoryModel, order: Int32Array): LiveModel {
  const { size, predecessors, predecessorOffsets } = graph;
  const position = new Int32Array(size);
  order.forEach((v, p) => {
    position[v] = p;
  });

  // The storage of a vertex is named by the vertex that allocates it.
  const storage = new Int32Array(size);
  const finalOf = new Int32Array(size).fill(-1);
  for (const v of order) {
    const from = Math.max(memory.takesOver[v] ?? -1, memory.viewOf[v] ?? -1);
    const root = from >= 0 ? (storage[from] ?? v) : v;
    storage[v] = root;
    if ((memory.viewOf[v] ?? -1) < 0) finalOf[root] = position[v] ?? 0;
  }
  // No two storages are final at one position.
  const rootAt = new Int32Array(size).fill(-1);
  for (let v = 0; v < size; v++) if (storage[v] === v) rootAt[finalOf[v]!] = v;
  const roots = rootAt.filter((root) => root >= 0);
  const items = roots.length;
  const itemOfRoot = new Int32Array(size);
  roots.forEach((root, item) => {
    itemOfRoot[root] = item;
  });
  const itemOf = storage.map((root) => itemOfRoot[root]!);

  const members = sortByKey(itemOf, items, order);
  const work = new Float64Array(items);
  const ownWork = workOf(graph);
  const allWork = ownWork.reduce((sum, one) => sum + one, 1);
  const lastForward = new Int32Array(items);
  const maxNeed = new Int32Array(items).fill(-1);
  const minNeed = new Int32Array(items).fill(size);
  const auxBytes = new Float64Array(items);
  const auxPosition = new Int32Array(items).fill(-1);
  const fixedBytes = new Float64Array(items);
  const fixedPosition = new Int32Array(items).fill(-1);
  const edges = pairs(graph.predecessors.length);
  const needs = pairs(memory.needs.length);
  for (let p = 0; p < size; p++) {
    const v = order[p] ?? 0;
    const item = itemOf[v] ?? 0;
    // It runs once, so a search that weighs work does not try to drop it.
    work[item] = (work[item] ?? 0) + (runsOnce(graph.operations[v]!) ? allWork : (ownWork[v] ?? 0));
    lastForward[item] = Math.max(lastForward[item] ?? 0, p);
    for (let k = predecessorOffsets[v]!; k < predecessorOffsets[v + 1]!; k++) {
      const from = itemOf[predecessors[k]!]!;
      lastForward[from] = Math.max(lastForward[from] ?? 0, p);
      // A view that reads what is made after the tensor it looks at: with that edge items would wait for each other.
      if (from >= item) continue;
      edges.from[edges.count] = from;
      edges.to[edges.count++] = item;
    }
    for (let k = memory.needOffsets[v]!; k < memory.needOffsets[v + 1]!; k++) {
      const needed = itemOf[memory.needs[k]!]!;
      maxNeed[needed] = Math.max(maxNeed[needed] ?? 0, p);
      minNeed[needed] = Math.min(minNeed[needed] ?? 0, p);
      needs.from[needs.count] = needed;
      needs.to[needs.count++] = p;
    }
    const aux = memory.auxBytes[v] ?? 0;
    if (aux === 0) continue;
    const [bytesOf, positionOf] =
      memory.auxIsFixed[v] === 1 ? [fixedBytes, fixedPosition] : [auxBytes, auxPosition];
    bytesOf[item] = (bytesOf[item] ?? 0) + aux;
    // Two in one storage hardly occur; the earlier position is the one that lives longer.
    if (positionOf[item] === -1) positionOf[item] = p;
  }
  const needsOfItems = adjacency(items, size, needs);
  const lastHeld = Int32Array.from(lastForward);
  memory.heldUntil?.forEach((until, v) => {
    const item = itemOf[v]!;
    lastHeld[item] = Math.max(lastHeld[item]!, position[until]!);
  });
  const outsOf = adjacency(items, items, edges);
  const insOf = adjacency(items, items, { ...edges, from: edges.to, to: edges.from });
  const bytes = new Float64Array(items);
  roots.forEach((root, item) => {
    bytes[item] = memory.outputBytes[root]!;
  });
  return {
    graph,
    memory,
    order,
    items,
    itemOf,
    memberOffsets: members.offsets,
    memberVertices: members.sorted,
    created: roots.map((root) => position[root]!),
    final: roots.map((root) => finalOf[root]!),
    lastForward,
    lastHeld,
    bytes,
    ...(memory.besideBytes === undefined
      ? {}
      : { besideBytes: Float64Array.from(order, (v) => memory.besideBytes![v]!) }),
    work,
    maxNeed,
    minNeed,
    needOffsets: needsOfItems.offsets,
    needPositions: needsOfItems.targets,
    outOffsets: outsOf.offsets,
    outs: outsOf.targets,
    inOffsets: insOf.offsets,
    ins: insOf.targets,
    auxBytes,
    auxPosition,
    fixedBytes,
    fixedPosition,
    ...gradients(graph, memory, order),
  };
}

/** From one number to another, the first `count` of each column. */
interface Pairs {
  readonly from: Int32Array;
  readonly to: Int32Array;
  count: number;
}

const pairs = (most: number): Pairs => ({ from: new Int32Array(most), to: new Int32Array(most), count: 0 });

/** The ends of edges by where they start, in their order, without repeats; `ends` is the number of ends. O(V + E) */
function adjacency(
  size: number,
  ends: number,
  { from, to, count: most }: Pairs,
): { offsets: Int32Array; targets: Int32Array } {
  const { sorted, offsets } = sortByKey(from.subarray(0, most), size);
  // By end: the last start that it was seen from, counted from 1.
  const seenFrom = new Int32Array(ends);
  let count = 0;
  for (let v = 0, k = 0; v < size; v++) {
    for (const end = offsets[v + 1]!; k < end; k++) {
      const target = to[sorted[k]!]!;
      if (seenFrom[target] === v + 1) continue;
      seenFrom[target] = v + 1;
      sorted[count++] = target;
    }
    offsets[v + 1] = count;
  }
  return { offsets, targets: sorted.slice(0, count) };
}

const NO_STEPS = new ScheduleBuilder().build();

/** Bytes of gradients by step. They depend on the order alone, so they are replayed once. */
function gradients(
  graph: Graph,
  memory: MemoryModel,
  order: Int32Array,
): { gradientsBefore: Float64Array; gradientsAfter: Float64Array } {
  const { size } = graph;
  const before = new Float64Array(size);
  const after = new Float64Array(size);
  const gradients = new Gradients(graph, memory, new Place(graph, NO_STEPS), undefined);
  for (let p = size - 1; p > 0; p--) {
    const v = order[p]!;
    before[p] = gradients.bytes;
    if (v === size - 1) gradients.start(v);
    gradients.allocateForInputs(v);
    after[p] = gradients.bytes;
    gradients.endBackward(v);
  }
  return { gradientsBefore: before, gradientsAfter: after };
}
