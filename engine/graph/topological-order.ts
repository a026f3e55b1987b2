import { BadInputError } from '../errors.ts';
import { Heap } from '../heap.ts';
import { clipped } from '../sentence.ts';

const MAX_NAMED = 8;

/**
 * Vertices in topological order, the smallest original index first among those that are ready
 * (Kahn's algorithm with a heap), so that a list that is in order already stays as it is.
 * Time O(E + V log V), space O(V + E).
 *
 * @param inputs inputs of each vertex by original index
 * @throws BadInputError that names one cycle
 */
export function topologicalOrder(inputs: readonly (readonly number[])[], ids: readonly string[]): Int32Array {
  const size = inputs.length;
  const waiting = new Int32Array(size);
  const offsets = new Int32Array(size + 1);
  for (let v = 0; v < size; v++) {
    waiting[v] = inputs[v]!.length;
    for (const u of inputs[v]!) offsets[u + 1]!++;
  }
  for (let v = 0; v < size; v++) offsets[v + 1]! += offsets[v]!;
  const consumers = new Int32Array(offsets[size]!);
  const next = offsets.slice(0, size);
  for (let v = 0; v < size; v++) for (const u of inputs[v]!) consumers[next[u]!++] = v;

  const ready = new Heap<number>((a, b) => a < b);
  for (let v = 0; v < size; v++) if (waiting[v] === 0) ready.push(v);
  const order = new Int32Array(size);
  let count = 0;
  for (let v = ready.pop(); v !== undefined; v = ready.pop()) {
    order[count++] = v;
    for (let i = offsets[v]!; i < offsets[v + 1]!; i++) {
      const consumer = consumers[i]!;
      if (--waiting[consumer]! === 0) ready.push(consumer);
    }
  }
  if (count < size)
    throw new BadInputError(`the graph has a cycle: ${nameCycle(inputs, ids, waiting)}`, 'edges');
  return order;
}

/** Walks inputs among the vertices that never became ready; each has one there, so the walk must close. */
function nameCycle(
  inputs: readonly (readonly number[])[],
  ids: readonly string[],
  waiting: Int32Array,
): string {
  const seenAt = new Map<number, number>();
  const walk: number[] = [];
  let v = waiting.findIndex((count) => count > 0);
  while (!seenAt.has(v)) {
    seenAt.set(v, walk.length);
    walk.push(v);
    v = inputs[v]!.find((u) => waiting[u]! > 0)!;
  }
  const found = walk.slice(seenAt.get(v)!).reverse();
  const first = found.reduce((best, u, at) => (u < found[best]! ? at : best), 0);
  const cycle = [...found.slice(first), ...found.slice(0, first)];
  const named = cycle.slice(0, MAX_NAMED).map((u) => clipped(ids[u]!));
  const rest = cycle.length > named.length ? ['...'] : [];
  return [...named, ...rest, named[0]].join(' -> ');
}
