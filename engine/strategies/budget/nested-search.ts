import { workOf } from '../../graph/graph.ts';
import { needsOf } from '../../ops/memory-model.ts';
import type { NestedSegment } from '../../schedule/multi-level.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import type { LiveModel } from '../search/live-model.ts';

/** A way to run the backward of a segment, and what it costs besides what was live before. */
export interface NestedPoint extends NestedSegment {
  readonly peak: number;
  /** Forward work, all of it: the first forward too where the segment has not run yet. */
  readonly work: number;
  readonly cut: { readonly after: NestedPoint; readonly before: NestedPoint } | null;
}

/** Positions at which the outer level may cut; between two of them lie the positions of the inner level. */
const outerCount = (size: number): number => Math.max(56, Math.ceil(size ** 0.55));
/** Points kept for each segment. */
const POINTS = 8;

/**
 * Peaks and work of nested segments: for every pair of positions the best trade-offs between the peak
 * of running the backward of what lies between and the forward work that it takes. A segment is run
 * at once, or cut: forward to the cut, what follows, then what precedes. As in the Left/Right
 * decomposition for chains of unequal layers, but with what crosses a cut counted tensor by tensor.
 * Two levels of positions, P on the outer one, keep this at O(P³ + P (V / P)³) times POINTS, and
 * O(V P²) for the peaks.
 */
export class NestedSearch {
  readonly #model: LiveModel;
  readonly #size: number;
  readonly #lastUse: Int32Array;
  readonly #allowed: Uint8Array;
  readonly #createdAt: number[][];
  readonly #diesAt: number[][];
  readonly #workUpTo: Float64Array;
  /** Items whose value the backward of a position needs. */
  readonly #neededAt: number[][];
  /** Auxiliary bytes of the vertex at a position. */
  readonly #auxAt: Float64Array;

  constructor(model: LiveModel) {
    const size = model.order.length;
    const { graph, items, created, final, lastForward, maxNeed } = model;
    this.#model = model;
    this.#size = size;
    this.#lastUse = new Int32Array(items);
    this.#allowed = new Uint8Array(size).fill(1);
    this.#createdAt = Array.from({ length: size }, () => []);
    this.#diesAt = Array.from({ length: size }, () => []);
    for (let item = 1; item < items; item++) {
      for (let p = created[item]!; p < final[item]!; p++) this.#allowed[p] = 0;
      this.#lastUse[item] = Math.max(lastForward[item]!, maxNeed[item]!);
      this.#createdAt[created[item]!]!.push(item);
      this.#diesAt[lastForward[item]!]!.push(item);
    }
    this.#neededAt = Array.from(model.order, (v) => [
      ...new Set(Array.from(needsOf(model.memory, v), (u) => model.itemOf[u]!)),
    ]);
    this.#auxAt = Float64Array.from(model.order, (v) => model.memory.auxBytes[v]!);
    const work = workOf(graph);
    this.#workUpTo = new Float64Array(size);
    for (let p = 1; p < size; p++) this.#workUpTo[p] = this.#workUpTo[p - 1]! + work[model.order[p]!]!;
  }

  /** Trade-offs for the whole graph, by falling peak and growing work; none where the search may not go on. */
  points(search: SearchLimit, tick: (done: number) => void): NestedPoint[] {
    const outer = this.#outerPositions();
    const units: NestedPoint[][] = [];
    for (let k = 0; k + 1 < outer.length; k++) {
      tick((0.5 * k) / outer.length);
      const inner = [outer[k]!];
      for (let p = outer[k]! + 1; p < outer[k + 1]!; p++) if (this.#allowed[p] === 1) inner.push(p);
      inner.push(outer[k + 1]!);
      units.push(this.#solve(inner, null, search, () => undefined));
    }
    const points = this.#solve(outer, units, search, (done) => tick(0.5 + done / 2));
    if (points.length === 0) search.leave('nested', 0, 1);
    return points;
  }

  /** In each of equally long stretches, the position that the fewest bytes cross. */
  #outerPositions(): number[] {
    const { bytes } = this.#model;
    const last = this.#size - 1;
    const crossing = new Float64Array(this.#size + 1);
    for (let item = 1; item < this.#model.items; item++) {
      crossing[this.#model.created[item]!]! += bytes[item]!;
      crossing[this.#lastUse[item]!]! -= bytes[item]!;
    }
    for (let p = 1; p <= last; p++) crossing[p]! += crossing[p - 1]!;
    const stretch = Math.max(1, last / outerCount(this.#size));
    const positions = [0];
    for (let k = 0; k * stretch < last; k++) {
      let best = -1;
      for (let p = Math.floor(k * stretch) + 1; p <= Math.min(last - 1, (k + 1) * stretch); p++) {
        if (this.#allowed[p] === 1 && (best < 0 || crossing[p]! < crossing[best]!)) best = p;
      }
      if (best > 0) positions.push(best);
    }
    positions.push(last);
    return positions;
  }

  /** Trade-offs between the first and the last of some positions; `units`: those between neighbours. */
  #solve(
    positions: readonly number[],
    units: NestedPoint[][] | null,
    search: SearchLimit,
    tick: (done: number) => void,
  ): NestedPoint[] {
    const n = positions.length;
    const table: NestedPoint[][][] = Array.from({ length: n }, () => new Array(n));
    const peaks: Peaks[] = [];
    for (const [i, from] of positions.entries()) {
      if (search.isReached) return [];
      peaks.push(this.#peaks(from, positions, i, search));
    }
    const { gradientsBefore } = this.#model;
    for (let length = 1; length < n; length++) {
      tick((length / n) ** 2);
      for (let i = 0; i + length < n; i++) {
        if (search.look(length * 4 * POINTS)) return [];
        const j = i + length;
        const from = positions[i]!;
        const to = positions[j]!;
        const { whole, poor, poorWork } = peaks[i]!;
        const once = this.#workUpTo[to]! - this.#workUpTo[from]!;
        const points = new Undominated(from, to);
        points.add(whole[j]!, once, null, false);
        points.add(poor[j]!, Math.max(once, poorWork[j]!), null, true);
        if (length === 1 && units !== null)
          for (const { peak, work, cut, repeatedRecompute } of units[i]!)
            points.add(peak, work, cut, repeatedRecompute);
        for (let c = i + 1; c < j; c++) {
          const ahead = this.#workUpTo[positions[c]!]! - this.#workUpTo[from]!;
          const reach = peaks[i]!.forward[c]! + gradientsBefore[to]!;
          const held = peaks[i]!.boundary[c]!;
          join(table[c]![j]!, table[i]![c]!, reach, held, (peak, after, before) =>
            points.add(peak, ahead + after.work + before.work, { after, before }, false),
          );
        }
        table[i]![j] = points.some(length === n - 1 ? 4 * POINTS : POINTS);
      }
    }
    return table[0]?.[n - 1] ?? [];
  }

  /**
   * From one position to each later one of a list: the peak of recomputing all between and running
   * backward at once, peak and work of doing so for every backward step again, the peak of a forward that
   * keeps only what crosses the end, and what crosses it.
   */
  #peaks(from: number, positions: readonly number[], index: number, search: SearchLimit): Peaks {
    const {
      bytes,
      created,
      minNeed,
      auxPosition,
      auxBytes,
      fixedPosition,
      fixedBytes,
      gradientsAfter,
      gradientsBefore,
    } = this.#model;
    const n = positions.length;
    const whole = new Float64Array(n);
    const forward = new Float64Array(n);
    const boundary = new Float64Array(n);
    const poor = new Float64Array(n);
    const poorWork = new Float64Array(n);
    const needed = new Float64Array(this.#size + 1);
    let open = 0;
    let mostOpen = 0;
    let mostPoor = 0;
    let again = 0;
    const end = positions[n - 1]!;
    let saved = 0;
    let run = 0;
    let mostRun = 0;
    let mostBackward = 0;
    let next = index + 1;
    for (let p = from + 1; p <= end; p++) {
      for (const item of this.#createdAt[p]!) {
        needed[minNeed[item]!]! += bytes[item]!;
        if (auxPosition[item]! >= 0) needed[auxPosition[item]!]! += auxBytes[item]!;
        if (fixedPosition[item]! >= 0) needed[fixedPosition[item]!]! += fixedBytes[item]!;
        run += bytes[item]! + auxBytes[item]! + fixedBytes[item]!;
        open += bytes[item]!;
      }
      // Repeated recompute: every backward step holds what it needs, after a forward that keeps nothing else.
      mostOpen = Math.max(mostOpen, open);
      let wanted = 0;
      for (const item of this.#neededAt[p]!) if (created[item]! > from) wanted += bytes[item]!;
      const aux = this.#auxAt[p]!;
      if (wanted + aux > 0) again += this.#workUpTo[p]! - this.#workUpTo[from]!;
      mostPoor = Math.max(mostPoor, mostOpen + aux + gradientsBefore[p]!, wanted + aux + gradientsAfter[p]!);
      saved += needed[p]!;
      mostRun = Math.max(mostRun, run);
      mostBackward = Math.max(mostBackward, saved + gradientsAfter[p]!);
      for (const item of this.#diesAt[p]!) {
        if (created[item]! <= from) continue;
        open -= bytes[item]!;
        if (minNeed[item]! >= this.#size) run -= bytes[item]!;
      }
      if (p !== positions[next]) continue;
      whole[next] = Math.max(mostBackward, mostRun + gradientsBefore[p]!);
      poor[next] = mostPoor;
      poorWork[next] = again;
      search.look(p - from);
      this.#forwardPeak(from, p, next, forward, boundary);
      next++;
    }
    return { whole, poor, poorWork, forward, boundary };
  }

  #forwardPeak(from: number, to: number, at: number, forward: Float64Array, boundary: Float64Array): void {
    const { bytes, created, auxBytes } = this.#model;
    let live = 0;
    let most = 0;
    for (let p = from + 1; p <= to; p++) {
      let aux = 0;
      for (const item of this.#createdAt[p]!) {
        live += bytes[item]!;
        aux += auxBytes[item]!;
      }
      most = Math.max(most, live + aux);
      for (const item of this.#diesAt[p]!) {
        if (created[item]! > from && this.#lastUse[item]! <= to) live -= bytes[item]!;
      }
    }
    forward[at] = most;
    boundary[at] = live;
  }
}

interface Peaks {
  readonly whole: Float64Array;
  readonly poor: Float64Array;
  readonly poorWork: Float64Array;
  readonly forward: Float64Array;
  readonly boundary: Float64Array;
}

/**
 * Pairs worth having of two lists by falling peak: with each point of one, the point of the other of
 * least work among those that do not raise the peak. What is live after a cut adds `held` to the part
 * after it; the forward to the cut reaches `reach`.
 */
function join(
  afters: readonly NestedPoint[],
  befores: readonly NestedPoint[],
  reach: number,
  held: number,
  give: (peak: number, after: NestedPoint, before: NestedPoint) => void,
): void {
  for (const after of afters) {
    const peak = Math.max(reach, held + after.peak);
    const before = befores.find((point) => point.peak <= peak);
    if (before !== undefined) give(peak, after, before);
  }
  for (const before of befores) {
    const peak = Math.max(reach, before.peak);
    const after = afters.find((point) => held + point.peak <= peak);
    if (after !== undefined) give(peak, after, before);
  }
}

/** The points between two positions that no other beats in both figures. */
class Undominated {
  readonly #from: number;
  readonly #to: number;
  /** By rising peak and falling work. */
  readonly #points: NestedPoint[] = [];

  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
  }

  add(peak: number, work: number, cut: NestedPoint['cut'], repeatedRecompute: boolean): void {
    const points = this.#points;
    let [low, high] = [0, points.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (points[middle]!.peak <= peak) low = middle + 1;
      else high = middle;
    }
    if (low > 0 && points[low - 1]!.work <= work) return;
    const first = low > 0 && points[low - 1]!.peak === peak ? low - 1 : low;
    let end = low;
    while (end < points.length && points[end]!.work >= work) end++;
    points.splice(first, end - first, { from: this.#from, to: this.#to, peak, work, cut, repeatedRecompute });
  }

  /** By falling peak, at most so many of them: both ends and an even choice between. */
  some(most: number): NestedPoint[] {
    const points = this.#points.toReversed();
    if (points.length <= most) return points;
    return Array.from(
      { length: most },
      (_, i) => points[Math.round((i * (points.length - 1)) / (most - 1))]!,
    );
  }
}
