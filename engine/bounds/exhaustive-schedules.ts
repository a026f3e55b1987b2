import { InternalError } from '../errors.ts';
import { type Graph, predecessorsOf, successorsOf, workOf } from '../graph/graph.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';

/** The part of a problem that schedules depend on. */
interface Given {
  readonly graph: Graph;
  readonly memory: MemoryModel;
}

/** Everything that decides what may happen next: which values and auxiliaries live, who ran backward. */
interface State {
  readonly live: number;
  readonly aux: number;
  readonly done: number;
  readonly forwarded: boolean;
}

/**
 * Search over all schedules that the simulator accepts, for graphs of up to about 9 vertices. A state
 * has no memory of its past, so the best way into each state is enough. One thing is left out because it
 * never helps: to forward a value again while a view of it lives (keeping the value costs nothing then).
 */
export class ExhaustiveSchedules {
  readonly #problem: Given;
  readonly #graph: Graph;
  readonly #inputs: number[];
  readonly #consumers: number[];
  readonly #needs: number[];
  /** By vertex: the value whose storage it looks at, itself where it is no view; and all views of a value. */
  readonly #root: number[];
  readonly #views: number[];
  /** By vertex: bytes of the storage of its value, which an operation in place takes over as it is. */
  readonly #storageBytes: number[];

  constructor(problem: Given) {
    if (problem.graph.size > 12) throw new InternalError('too many vertices for an exhaustive search');
    this.#problem = problem;
    this.#graph = problem.graph;
    const masks = (of: (v: number) => Int32Array): number[] =>
      Array.from({ length: this.#graph.size }, (_, v) => of(v).reduce((mask, u) => mask | (1 << u), 0));
    this.#inputs = masks((v) => predecessorsOf(this.#graph, v));
    this.#consumers = masks((v) => successorsOf(this.#graph, v));
    this.#needs = masks((v) => needsOf(problem.memory, v));
    this.#root = Array.from({ length: this.#graph.size }, (_, v) => v);
    this.#views = this.#root.map(() => 0);
    for (let v = 1; v < this.#graph.size; v++) {
      for (let u = problem.memory.viewOf[v] ?? -1; u >= 0; u = problem.memory.viewOf[u] ?? -1) {
        this.#root[v] = u;
        this.#views[u]! |= 1 << v;
      }
    }
    this.#storageBytes = [...problem.memory.outputBytes];
    for (let v = 1; v < this.#graph.size; v++) {
      const taken = problem.memory.takesOver[v] ?? -1;
      if (taken > 0) this.#storageBytes[v] = this.#storageBytes[taken] ?? 0;
    }
  }

  /** The lowest peak of any schedule. */
  lowestPeak(): number {
    return this.#search((peak, _work, bytes) => Math.max(peak, bytes));
  }

  /** The least forward work done again by any schedule with a peak of at most `budget`, or infinity. */
  leastRecompute(budget: number): number {
    const work = workOf(this.#graph);
    const once = work.reduce((sum, w, v) => sum + (v > 0 ? w : 0), 0);
    const total = this.#search((sum, v, at) =>
      at > budget ? Number.POSITIVE_INFINITY : sum + (v > 0 ? (work[v] ?? 0) : 0),
    );
    return total - once;
  }

  /** Least value of a path of steps; `extend` gets the value so far, the forwarded vertex or 0, and the live bytes. */
  #search(extend: (value: number, forwarded: number, bytes: number) => number): number {
    const start: State = { live: 0, aux: 0, done: 0, forwarded: false };
    const everything = (1 << this.#graph.size) - 2;
    const first = extend(0, 0, this.#bytes(start));
    const best = new Map<number, number>([[this.#key(start), first]]);
    const queue: [number, State][] = [[first, start]];
    for (let entry = pop(queue); entry !== undefined; entry = pop(queue)) {
      const [value, state] = entry;
      if (state.done === everything) return value;
      if (value > (best.get(this.#key(state)) ?? Number.POSITIVE_INFINITY)) continue;
      for (const [next, forwarded, bytes] of this.#steps(state)) {
        const reached = extend(value, forwarded, bytes);
        const key = this.#key(next);
        if (reached < (best.get(key) ?? Number.POSITIVE_INFINITY)) {
          best.set(key, reached);
          push(queue, [reached, next]);
        }
      }
    }
    return Number.POSITIVE_INFINITY;
  }

  *#steps(state: State): Generator<[State, number, number]> {
    const { memory } = this.#problem;
    const target = this.#graph.size - 1;
    for (let v = 1; v <= target; v++) {
      const bit = 1 << v;
      if (state.live & bit) yield [{ ...state, live: state.live & ~bit }, 0, 0];
      if (state.aux & bit) yield [{ ...state, aux: state.aux & ~bit }, 0, 0];
      const has = (mask: number): boolean => (mask & ~(state.live | 1)) === 0;
      const keepsAux = (memory.auxBytes[v] ?? 0) > 0;
      const shown = (this.#views[v]! & state.live) !== 0;
      if (!((state.live | state.aux) & bit) && !shown && has(this.#inputs[v]!)) {
        const taken = memory.takesOver[v] ?? -1;
        const next = {
          ...state,
          live: (state.live | bit) & (taken > 0 ? ~(1 << taken) : -1),
          aux: keepsAux ? state.aux | bit : state.aux,
          forwarded: state.forwarded || v === target,
        };
        yield [next, v, this.#bytes(next)];
      }
      const ready = (this.#consumers[v]! & ~state.done) === 0 && !(state.done & bit) && state.forwarded;
      if (ready && has(this.#needs[v]!) && (!keepsAux || (state.aux & bit) !== 0)) {
        const next = { ...state, done: state.done | bit, aux: state.aux & ~bit };
        // The gradient of v lives until the step ends; those of its inputs are there already.
        const held = (memory.gradientBytes[v] ?? 0) + (state.aux & bit ? (memory.auxBytes[v] ?? 0) : 0);
        yield [next, 0, this.#bytes(next) + held - this.#handedOver(state, v)];
      }
    }
  }

  /** The gradient that a view hands to its input instead of a copy. */
  #handedOver(state: State, v: number): number {
    const { memory } = this.#problem;
    const u = memory.viewOf[v] ?? -1;
    const isNew = u > 0 && (this.#consumers[u]! & state.done) === 0;
    // Two contributions add up to a sum, in a storage of its own.
    const isOnly = predecessorsOf(this.#graph, v).filter((w) => w === u).length === 1;
    return isNew && isOnly && memory.gradientBytes[u] === memory.gradientBytes[v]
      ? (memory.gradientBytes[u] ?? 0)
      : 0;
  }

  #bytes(state: State): number {
    const { memory } = this.#problem;
    let bytes = memory.outputBytes[0] ?? 0;
    const counted = new Set([0]);
    for (let v = 1; v < this.#graph.size; v++) {
      if ((state.live >> v) & 1 && !counted.has(this.#root[v]!)) {
        counted.add(this.#root[v]!);
        bytes += this.#storageBytes[this.#root[v]!] ?? 0;
      }
      if ((state.aux >> v) & 1) bytes += memory.auxBytes[v] ?? 0;
      if (!((state.done >> v) & 1) && this.#consumers[v]! & state.done) bytes += memory.gradientBytes[v] ?? 0;
    }
    return bytes;
  }

  #key({ live, aux, done, forwarded }: State): number {
    const range = 2 ** this.#graph.size;
    return ((live * range + aux) * range + done) * 2 + (forwarded ? 1 : 0);
  }
}

/** A binary heap of [value, state]; smallest value first. */
function push(heap: [number, State][], entry: [number, State]): void {
  heap.push(entry);
  for (let i = heap.length - 1; i > 0; ) {
    const up = (i - 1) >> 1;
    if (heap[up]![0] <= heap[i]![0]) return;
    [heap[up], heap[i]] = [heap[i]!, heap[up]!];
    i = up;
  }
}

function pop(heap: [number, State][]): [number, State] | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (top === undefined || last === undefined || heap.length === 0) return top;
  heap[0] = last;
  for (let i = 0; ; ) {
    let least = i;
    for (const child of [2 * i + 1, 2 * i + 2]) {
      if (child < heap.length && heap[child]![0] < heap[least]![0]) least = child;
    }
    if (least === i) return top;
    [heap[least], heap[i]] = [heap[i]!, heap[least]!];
    i = least;
  }
}
