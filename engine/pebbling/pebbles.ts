import { InternalError } from '../errors.ts';
import { type Graph, idOf, predecessorsOf } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';

/** A game of pebbles without backward, move by move: what inference holds. */
export interface Pebbling {
  /** All vertices but the source, in the order in which they get their pebbles; one may come again. */
  readonly order: Int32Array;
  /** By move: the move after which its pebble goes; of the target one behind the last. */
  readonly until: Int32Array;
  /** By move: bytes on the board when its pebble is placed and none is taken away yet, the source included. */
  readonly live: Float64Array;
  /** By move: pebbles at that moment, the source's left out. */
  readonly pebbles: Int32Array;
  readonly peakBytes: number;
  /** The first move that holds so much. */
  readonly peakMove: number;
  readonly mostPebbles: number;
}

/** By move: the last move that reads its value before it is computed again. */
function lastUses(graph: Graph, order: ArrayLike<number>): Int32Array {
  const until = Int32Array.from(order, (_, i) => i);
  /** By vertex: the move that placed its pebble last. */
  const placed = new Int32Array(graph.size).fill(-1);
  for (let i = 0; i < order.length; i++) {
    const v = order[i]!;
    if (!(v > 0 && v < graph.size))
      throw new InternalError(`the order has ${idOf(graph, v)} at a wrong place`);
    for (const u of predecessorsOf(graph, v)) if (placed[u]! >= 0) until[placed[u]!] = i;
    placed[v] = i;
  }
  if (placed.indexOf(-1, 1) >= 0) throw new InternalError('the order misses a vertex');
  until[placed[graph.size - 1]!] = order.length;
  return until;
}

/**
 * Plays an order: each vertex gets its pebble while all its inputs have theirs, and loses it after the last that reads
 * it before it is placed again (Sethi 1975; 002, "The pebble game"). Bytes follow the memory model as in a training step: placing comes
 * before taking away (SPEC M5), an in-place operation takes its input's storage over, a view shares it, and the
 * source is held throughout. Trusts nothing about the order. Time and space O(V + E).
 *
 * @throws InternalError where the order misses a vertex, runs one before its inputs, or an in-place one twice
 */
export function playPebbles(graph: Graph, memory: MemoryModel, order: ArrayLike<number>): Pebbling {
  const lastUse = lastUses(graph, order);
  const gone: number[][] = Array.from({ length: order.length + 1 }, () => []);
  for (let i = 0; i < order.length; i++) gone[lastUse[i]!]!.push(order[i]!);
  const seen = new Uint8Array(graph.size);
  const pebbled = new Uint8Array(graph.size);
  pebbled[0] = 1;
  /** The vertex that allocated what v's value lies in, and how many pebbled vertices share it. */
  const storage = Int32Array.from({ length: graph.size }, (_, v) => v);
  const sharing = new Int32Array(graph.size);
  sharing[0] = 1;
  let bytes = memory.outputBytes[0]!;
  let count = 0;
  const live = new Float64Array(order.length);
  const pebbles = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const v = order[i]!;
    for (const u of predecessorsOf(graph, v)) {
      if (pebbled[u] === 1) continue;
      throw new InternalError(`${idOf(graph, v)} gets its pebble before ${idOf(graph, u)}`);
    }
    const taken = memory.takesOver[v]!;
    if (seen[v] === 1 && taken >= 0) throw new InternalError(`${idOf(graph, v)} works in place, twice`);
    seen[v] = 1;
    const shared = taken >= 0 ? taken : memory.viewOf[v]!;
    storage[v] = shared >= 0 ? storage[shared]! : v;
    if (sharing[storage[v]!]!++ === 0) bytes += memory.outputBytes[v]!;
    pebbled[v] = 1;
    live[i] = bytes;
    pebbles[i] = ++count;
    for (const u of gone[i]!) {
      count--;
      pebbled[u] = 0;
      if (--sharing[storage[u]!]! === 0) bytes -= memory.outputBytes[storage[u]!]!;
    }
  }
  let peakMove = 0;
  for (let i = 1; i < live.length; i++) if (live[i]! > live[peakMove]!) peakMove = i;
  return {
    order: Int32Array.from(order),
    until: lastUse,
    live,
    pebbles,
    peakBytes: live[peakMove] ?? bytes,
    peakMove,
    mostPebbles: pebbles.reduce((most, n) => Math.max(most, n), 0),
  };
}
