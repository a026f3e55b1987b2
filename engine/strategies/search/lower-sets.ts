import { predecessorsOf, successorsOf } from '../../graph/graph.ts';
import { needsOf } from '../../ops/memory-model.ts';
import type { SearchLimit } from './search-limit.ts';
import type { Problem } from '../strategy/strategy.ts';

/** More lower sets than this are not few. */
export const FEW_LOWER_SETS = 600;
/** Work of replaying a segment, per vertex. */
const REPLAY_LOOKS = 10;

/** Cuts at lower sets: the order that runs segment after segment, and where each but the last ends. */
export interface LowerSetCuts {
  readonly order: Int32Array;
  /** Positions in `order`. */
  readonly cuts: readonly number[];
  /** Peak of recomputing every segment but the last at once. */
  readonly peak: number;
}

/** A vertex set closed under predecessors, the source in it. */
export interface LowerSet {
  readonly has: Uint8Array;
  /** The same as words of 32 bits. */
  readonly words: Int32Array;
  readonly size: number;
  /** Bytes of its values that some backward needs. */
  readonly bytes: number;
  /** Gradients live when everything outside has run backward. */
  readonly gradients: number;
}

interface Segment {
  readonly from: number;
  readonly to: number;
  /** Peak besides what is kept before it. */
  readonly peak: number;
  /** Bytes of its values that are used after it. */
  readonly boundary: number;
}

/**
 * The least peak over all sequences of growing lower sets, where these are few and no storage is
 * shared: what a cut keeps is its boundary, a segment is recomputed at once in the order of the graph,
 * a boundary dies when backward has passed it. Lower sets are the states of a shortest path by kept
 * bytes; the limit on the peak is searched for.
 * Time O(L² · (V + E)) at worst for L lower sets, segments above the limit pruned by their bytes alone.
 *
 * @param ceiling a peak that some sequence is known to reach
 * @param order in which the vertices of one segment run
 * @returns null where no sequence is within the ceiling, and where the search may not go on
 */
export function cutAtLowerSets(
  problem: Problem,
  sets: readonly LowerSet[],
  order: Int32Array,
  ceiling: number,
  search: SearchLimit,
): LowerSetCuts | null {
  const { memory } = problem;
  const segments = segmentsBetween(problem, sets, order, ceiling, search);
  if (segments === null) return null;
  const peaks = [...new Set(segments.map(({ peak }) => peak))];
  const source = memory.outputBytes[0]!;
  let best = path(sets.length, segments, source, ceiling);
  if (best === null) return null;
  // Kept bytes make peaks of sums: bisection on bytes, not on the peaks of segments alone.
  let low = peaks.reduce((a, b) => Math.min(a, b), ceiling);
  let high = ceiling;
  while (high - low >= 1) {
    search.look(segments.length);
    const limit = Math.floor((low + high) / 2);
    const found = path(sets.length, segments, source, limit);
    if (found === null) low = limit + 1;
    else {
      best = found;
      high = limit;
    }
  }
  return { ...orderOf(sets, order, best), peak: high };
}

/**
 * All lower sets, by size; null where they are not few or where storages are shared (a cut may then not
 * fall anywhere). As many as vertices mean a single topological order.
 */
export function fewLowerSets({ graph, memory }: Problem): LowerSet[] | null {
  const { size } = graph;
  // Every beginning of a topological order is one.
  if (size > FEW_LOWER_SETS) return null;
  if (memory.takesOver.some((u) => u >= 0) || memory.viewOf.some((u) => u >= 0)) return null;
  const needed = new Uint8Array(size);
  for (const u of memory.needs) needed[u] = 1;
  const first = new Uint8Array(size);
  first[0] = 1;
  const seen = new Set<string>([first.join('')]);
  const queue = [first];
  for (let i = 0; i < queue.length; i++) {
    const has = queue[i]!;
    for (let v = 1; v < size; v++) {
      if (has[v] === 1 || predecessorsOf(graph, v).some((u) => has[u] === 0)) continue;
      const next = has.slice();
      next[v] = 1;
      const key = next.join('');
      if (seen.has(key)) continue;
      if (seen.size === FEW_LOWER_SETS) return null;
      seen.add(key);
      queue.push(next);
    }
  }
  return queue.map((has) => {
    let count = 0;
    let bytes = 0;
    let gradients = 0;
    const words = new Int32Array((size >> 5) + 1);
    for (let v = 0; v < size; v++) {
      if (has[v] === 0) continue;
      count++;
      words[v >> 5]! |= 1 << (v & 31);
      if (v === 0) continue;
      if (needed[v] === 1) bytes += memory.outputBytes[v]!;
      if (successorsOf(graph, v).some((w) => has[w] === 0)) gradients += memory.gradientBytes[v]!;
    }
    return { has, words, size: count, bytes, gradients };
  });
}

/** Every pair of lower sets, one inside the other, that could be neighbours within the ceiling. */
function segmentsBetween(
  problem: Problem,
  sets: readonly LowerSet[],
  order: Int32Array,
  ceiling: number,
  search: SearchLimit,
): Segment[] | null {
  const replay = new SegmentReplay(problem, order);
  const segments: Segment[] = [];
  const limit = ceiling - problem.memory.outputBytes[0]!;
  for (let from = 0; from < sets.length; from++) {
    for (let to = from + 1; to < sets.length; to++) {
      if (search.look(1)) {
        search.leave('lower-sets', from, sets.length);
        return null;
      }
      const inner = sets[from]!;
      const outer = sets[to]!;
      if (outer.size <= inner.size || outer.bytes - inner.bytes > limit) continue;
      if (!inner.words.every((word, i) => (word & ~outer.words[i]!) === 0)) continue;
      const { peak, boundary } = replay.run(inner, outer, limit);
      search.look(REPLAY_LOOKS * problem.graph.size);
      if (peak <= limit) segments.push({ from, to, peak, boundary });
    }
  }
  // By where they end, so that a shortest path is one pass.
  return segments.sort((a, b) => a.to - b.to);
}

class SegmentReplay {
  readonly #problem: Problem;
  /** Vertices of the segment that still need a value. */
  readonly #pending: Int32Array;
  readonly #needers: number[][];

  readonly #order: Int32Array;

  constructor(problem: Problem, order: Int32Array) {
    this.#order = order;
    const { graph, memory } = problem;
    this.#problem = problem;
    this.#pending = new Int32Array(graph.size);
    this.#needers = Array.from({ length: graph.size }, () => []);
    for (let v = 0; v < graph.size; v++) for (const u of needsOf(memory, v)) this.#needers[u]!.push(v);
  }

  /** Stops early, with too large a peak, where the segment does not fit into `limit`. */
  run(inner: LowerSet, outer: LowerSet, limit: number): { peak: number; boundary: number } {
    const { graph, memory } = this.#problem;
    const pending = this.#pending;
    const inside = (v: number): boolean => outer.has[v] === 1 && inner.has[v] === 0;
    const last = outer.size === graph.size;
    let boundary = 0;
    let live = 0;
    let peak = 0;
    // Forward: a value stays if backward of the segment needs it, or while forwards of the segment use it.
    const uses = new Map<number, number>();
    for (const v of this.#order) {
      if (!inside(v)) continue;
      pending[v] = this.#needers[v]!.filter(inside).length;
      const later =
        successorsOf(graph, v).some((w) => outer.has[w] === 0) ||
        this.#needers[v]!.some((w) => outer.has[w] === 0);
      if (later) boundary += memory.outputBytes[v]!;
      live += memory.outputBytes[v]! + memory.auxBytes[v]!;
      peak = Math.max(peak, live + outer.gradients);
      if (peak > limit) return { peak, boundary };
      if (pending[v] === 0) uses.set(v, successorsOf(graph, v).filter(inside).length);
      for (const u of [...predecessorsOf(graph, v), v]) {
        const left = uses.get(u);
        if (left === undefined) continue;
        uses.set(u, u === v ? left : left - 1);
        if (uses.get(u) === 0 && !(u === v && last)) {
          live -= memory.outputBytes[u]!;
          uses.delete(u);
        }
      }
    }
    let gradients = outer.gradients;
    const given = new Set<number>();
    for (let p = graph.size - 1; p > 0; p--) {
      const v = this.#order[p]!;
      if (!inside(v)) continue;
      if (v === graph.size - 1) gradients += memory.gradientBytes[v]!;
      for (const u of predecessorsOf(graph, v)) {
        if (u === 0 || given.has(u) || successorsOf(graph, u).some((w) => outer.has[w] === 0)) continue;
        given.add(u);
        gradients += memory.gradientBytes[u]!;
      }
      peak = Math.max(peak, live + gradients);
      if (peak > limit) return { peak, boundary };
      gradients -= memory.gradientBytes[v]!;
      live -= memory.auxBytes[v]!;
      for (const u of needsOf(memory, v)) {
        if (u === 0 || !inside(u)) continue;
        pending[u]!--;
        if (pending[u] === 0) live -= memory.outputBytes[u]!;
      }
    }
    return { peak, boundary };
  }
}

/** The segments of a path from the first lower set to the last that keeps the least, within a limit. */
function path(sets: number, segments: readonly Segment[], source: number, limit: number): Segment[] | null {
  const kept = new Float64Array(sets).fill(Number.POSITIVE_INFINITY);
  const into: (Segment | null)[] = new Array(sets).fill(null);
  kept[0] = source;
  for (const segment of segments) {
    const base = kept[segment.from]!;
    if (base + segment.peak > limit || base + segment.boundary >= kept[segment.to]!) continue;
    kept[segment.to] = base + segment.boundary;
    into[segment.to] = segment;
  }
  const found: Segment[] = [];
  for (let at = sets - 1; at > 0; at = found[found.length - 1]!.from) {
    const segment = into[at];
    if (segment == null) return null;
    found.push(segment);
  }
  return found.reverse();
}

function orderOf(
  sets: readonly LowerSet[],
  within: Int32Array,
  segments: readonly Segment[],
): { order: Int32Array; cuts: number[] } {
  const order = [0];
  const cuts: number[] = [];
  for (const { from, to } of segments) {
    const inner = sets[from]!.has;
    const outer = sets[to]!.has;
    for (const v of within) if (outer[v] === 1 && inner[v] === 0) order.push(v);
    cuts.push(order.length - 1);
  }
  cuts.pop();
  return { order: Int32Array.from(order), cuts };
}
