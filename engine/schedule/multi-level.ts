import { type Graph, predecessorsOf, successorsOf } from '../graph/graph.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';
import { insertFrees } from './liveness.ts';
import { BACKWARD, FORWARD, type Schedule, ScheduleBuilder } from './schedule.ts';

/**
 * Positions (from, to] of a topological order, `from` exclusive. With `cut`: forward up to the cut,
 * keep what crosses it, do the part after it, then the part before it from scratch. Without: recompute
 * what is needed and run backward, or recompute it again for every backward step (repeated recompute).
 */
export interface NestedSegment {
  readonly from: number;
  readonly to: number;
  readonly cut: { readonly after: NestedSegment; readonly before: NestedSegment } | null;
  readonly repeatedRecompute: boolean;
}

/**
 * The schedule of nested segments: checkpoints inside segments that are themselves recomputed, to any
 * depth, so that a tensor may be forwarded many times. Its two ends are a single segment without cuts
 * (regular training) and repeated recompute (store nothing but the source).
 * Time O(steps + uses), and O(V) for each step of repeated recompute.
 *
 * @param order all vertices in topological order, the source first; the root spans all positions
 */
export function multiLevelSchedule(
  graph: Graph,
  memory: MemoryModel,
  order: Int32Array,
  root: NestedSegment,
): Schedule {
  const writer = new NestedWriter(graph, memory, order);
  writer.write(root);
  return insertFrees(graph, memory, writer.builder.build());
}

class NestedWriter {
  readonly builder = new ScheduleBuilder();
  readonly #graph: Graph;
  readonly #memory: MemoryModel;
  readonly #order: Int32Array;
  readonly #position: Int32Array;
  /** By vertex: the last position whose forward or backward uses its value. */
  readonly #lastUse: Int32Array;
  readonly #available: Uint8Array;
  readonly #auxAvailable: Uint8Array;
  readonly #forwarded: Uint8Array;
  readonly #wanted: Uint8Array;

  constructor(graph: Graph, memory: MemoryModel, order: Int32Array) {
    const { size } = graph;
    this.#graph = graph;
    this.#memory = memory;
    this.#order = order;
    this.#position = new Int32Array(size);
    order.forEach((v, p) => {
      this.#position[v] = p;
    });
    this.#lastUse = new Int32Array(size);
    for (let v = 0; v < size; v++) {
      for (const w of successorsOf(graph, v)) {
        this.#lastUse[v] = Math.max(this.#lastUse[v]!, this.#position[w]!);
      }
    }
    for (let v = 0; v < size; v++) {
      for (const u of needsOf(memory, v)) {
        this.#lastUse[u] = Math.max(this.#lastUse[u]!, this.#position[v]!);
      }
    }
    this.#available = new Uint8Array(size);
    this.#available[0] = 1;
    this.#auxAvailable = new Uint8Array(size);
    this.#forwarded = new Uint8Array(size);
    this.#forwarded[0] = 1;
    this.#wanted = new Uint8Array(size);
  }

  /** With a stack instead of recursion: nesting may be as deep as the graph is long. */
  write(root: NestedSegment): void {
    const stack: { segment: NestedSegment; forget: boolean }[] = [{ segment: root, forget: false }];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const { segment, forget } = top;
      // The part before a cut that is cut again starts from scratch: what crossed the cut is not in its bill.
      if (forget && segment.cut !== null) this.#forget(segment.from, segment.to, this.#order.length);
      if (segment.cut === null) {
        this.#leaf(segment);
        continue;
      }
      const { after, before } = segment.cut;
      this.#reach(segment.from, after.from);
      stack.push({ segment: before, forget: true }, { segment: after, forget: false });
    }
  }

  /** Makes available what crosses a cut, and forgets the rest of the positions before it. */
  #reach(from: number, cut: number): void {
    const missing: number[] = [];
    for (let p = from + 1; p <= cut; p++) {
      const v = this.#order[p]!;
      if (this.#lastUse[v]! > cut) this.#want(v, missing);
    }
    this.#recompute(missing);
    this.#forget(from, cut, cut);
  }

  /** Forgets values at positions (from, to] that nothing after `cut` uses. */
  #forget(from: number, to: number, cut: number): void {
    for (let p = from + 1; p <= to; p++) {
      const v = this.#order[p]!;
      if (this.#lastUse[v]! <= cut) this.#available[v] = 0;
      this.#auxAvailable[v] = 0;
    }
  }

  #leaf({ from, to, repeatedRecompute }: NestedSegment): void {
    for (let p = from + 1; p <= to; p++) {
      const v = this.#order[p]!;
      if (this.#forwarded[v] !== 1) this.#forward(v);
    }
    for (let p = to; p > from; p--) {
      const v = this.#order[p]!;
      const missing: number[] = [];
      for (const u of needsOf(this.#memory, v)) this.#want(u, missing);
      const grows = this.#memory.auxBytes[v]! > 0 && this.#memory.auxIsFixed[v] !== 1;
      if (grows && this.#auxAvailable[v] !== 1) {
        this.#available[v] = 0;
        this.#want(v, missing);
      }
      this.#recompute(missing);
      this.builder.push(BACKWARD, v);
      if (repeatedRecompute) this.#forget(from, p, this.#order.length);
    }
    this.#forget(from, to, this.#order.length);
  }

  #want(v: number, missing: number[]): void {
    if (this.#available[v] === 1 || this.#wanted[v] === 1) return;
    this.#wanted[v] = 1;
    missing.push(v);
  }

  #recompute(missing: number[]): void {
    for (let i = 0; i < missing.length; i++) {
      for (const u of predecessorsOf(this.#graph, missing[i]!)) this.#want(u, missing);
    }
    missing.sort((a, b) => this.#position[a]! - this.#position[b]!);
    for (const v of missing) this.#forward(v);
  }

  #forward(v: number): void {
    this.builder.push(FORWARD, v);
    this.#forwarded[v] = 1;
    this.#wanted[v] = 0;
    this.#available[v] = 1;
    this.#auxAvailable[v] = 1;
    const destroyed = this.#memory.takesOver[v]!;
    if (destroyed > 0) this.#available[destroyed] = 0;
  }
}
