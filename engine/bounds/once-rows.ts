import { type Graph, predecessorsOf } from '../graph/graph.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';
import type { Moments } from './moments.ts';
import { groupsOf, storageBytesOf } from './values.ts';

/** sum of coefficient x column <= limit, all integers, every column 0 or 1. */
export interface Row {
  readonly columns: readonly number[];
  readonly coefficients: readonly number[];
  readonly limit: number;
}

/** Rows that every schedule with at most two forwards of a vertex obeys at some moments, whatever its peak. */
export interface OnceRows {
  readonly columns: number;
  readonly rows: readonly Row[];
  /** By moment: bytes that live then beside `base`, by column. */
  readonly live: readonly (readonly (readonly [column: number, bytes: number])[])[];
}

/** Rows about what was recomputed between two moments look so many moments back; more would follow from fewer only in part. */
const BACK = [1, 2, 4, 8] as const;

/**
 * The rows. Fixed auxiliaries are left out, as if they were there for nothing: that forbids no schedule. Let a value be a
 * vertex with its views and with what overwrites it in place (`groupsOf`), E(u, i) say that the storage of its first
 * forward lives at moment i, and S(u, i) that its second forward came before moment i. A second forward whose result
 * nobody takes is left out of a schedule. Then, for every schedule that forwards no vertex more than twice:
 *
 * - E falls and S grows with i, because every first forward comes before the target's backward, the first moment.
 * - S(v, i) - S(v, j) <= E(u, j) + S(u, i) for each input u of v and j < i: when v was forwarded between the two, u lived,
 *   from its first forward on, and then at j too, or from its second.
 * - Backward x needs u: E(u, i) + S(u, i) >= 1 if x runs at moment i. If it runs between i and k, E(u, i) + S(u, k) >= 1.
 * - While some backward that needs u is still to come at i, u lives at i if S(u, i): there is no third forward. A vertex is
 *   forwarded only when it does not live. So either the first storage is gone, or what overwrites u is still to come for
 *   the second time and both storages live: bytes x (E + S). Where u has views, which can hold the first storage, a
 *   column that is at least both stands for it.
 * - Auxiliaries of v that grow with the batch live from the first forward or from the second on until backward v, in the
 *   same way; those of views are left out.
 */
export function onceRows(graph: Graph, memory: MemoryModel, moments: Moments): OnceRows {
  return new Builder(graph, memory, moments).build();
}

class Builder {
  readonly #graph: Graph;
  readonly #memory: MemoryModel;
  readonly #moments: Moments;
  readonly #count: number;
  readonly #rows: Row[] = [];
  readonly #live: Map<number, number>[];
  #columns = 0;

  constructor(graph: Graph, memory: MemoryModel, moments: Moments) {
    this.#graph = graph;
    this.#memory = memory;
    this.#moments = moments;
    this.#count = moments.vertices.length;
    this.#live = moments.vertices.map(() => new Map());
  }

  build(): OnceRows {
    const [graph, memory, count] = [this.#graph, this.#memory, this.#count];
    const { waits, done, own } = this.#moments;
    const value = groupsOf(graph, memory);
    const storage = storageBytesOf(memory, graph.size);
    const isViewed = new Uint8Array(graph.size);
    const last = new Int32Array(graph.size).fill(-1);
    for (let v = 1; v < graph.size; v++) {
      if ((memory.viewOf[v] ?? -1) >= 0) isViewed[value[v]!] = 1;
      for (const u of needsOf(memory, v)) last[value[u]!] = Math.max(last[value[u]!]!, waits[v]!);
    }
    const first = new Int32Array(graph.size);
    const second = new Int32Array(graph.size);
    for (let v = 1; v < graph.size; v++) {
      if (value[v] !== v) continue;
      first[v] = this.#series(count, -1);
      second[v] = this.#series(count + 1, 1);
      this.#hold(first[v]!, second[v]!, last[v]!, storage[v]!, isViewed[v] === 1);
    }
    for (let v = 1; v < graph.size; v++) {
      if (value[v] !== v) continue;
      for (const u of new Set([...predecessorsOf(graph, v)].map((input) => value[input]!))) {
        if (u === 0) continue;
        for (let i = 1; i <= count; i++) {
          for (const j of new Set([...BACK.map((back) => i - back), 0])) {
            if (j < 0 || j >= i) continue;
            this.#atMost(
              [second[v]! + i, 1],
              [second[v]! + j, -1],
              [first[u]! + j, -1],
              [second[u]! + i, -1],
              0,
            );
          }
        }
      }
    }
    for (let x = 1; x < graph.size; x++) {
      const [from, to] = own[x]! >= 0 ? [own[x]!, own[x]!] : [waits[x]!, done[x]!];
      for (const u of new Set([...needsOf(memory, x)].map((needed) => value[needed]!))) {
        if (u !== 0) this.#atMost([first[u]! + from, -1], [second[u]! + to, -1], -1);
      }
      if (memory.auxBytes[x] === 0 || memory.auxIsFixed[x] === 1 || value[x] !== x) continue;
      const kept = this.#series(from + 1, -1);
      this.#hold(kept, second[x]!, from, memory.auxBytes[x]!, false, from + 1);
      this.#atMost([kept + from, -1], [second[x]! + to, -1], -1);
    }
    return { columns: this.#columns, rows: this.#rows, live: this.#live.map((live) => [...live]) };
  }

  /** Columns one a moment, which fall (-1) or grow (1). */
  #series(length: number, direction: number): number {
    const start = this.#columns;
    this.#columns += length;
    for (let i = 1; i < length; i++) this.#atMost([start + i - 1, direction], [start + i, -direction], 0);
    return start;
  }

  #hold(
    first: number,
    second: number,
    last: number,
    bytes: number,
    isViewed: boolean,
    count = this.#count,
  ): void {
    if (bytes === 0) return;
    for (let i = 0; i < count; i++) {
      const live = (column: number): void => {
        this.#live[i]!.set(column, (this.#live[i]!.get(column) ?? 0) + bytes);
      };
      if (i > last || !isViewed) live(first + i);
      if (i > last) continue;
      if (!isViewed) {
        live(second + i);
        continue;
      }
      const either = this.#columns++;
      this.#atMost([first + i, 1], [either, -1], 0);
      this.#atMost([second + i, 1], [either, -1], 0);
      live(either);
    }
  }

  #atMost(...entries: [...(readonly [column: number, coefficient: number])[], number]): void {
    const terms = entries.slice(0, -1) as (readonly [number, number])[];
    const limit = entries.at(-1) as number;
    this.#rows.push({
      columns: terms.map(([column]) => column),
      coefficients: terms.map(([, coefficient]) => coefficient),
      limit,
    });
  }
}
