import { type ExactGraph, exactGraph } from './exact-graph.ts';
import { insertFrees } from '../../schedule/liveness.ts';
import { BACKWARD, FORWARD, type Schedule, ScheduleBuilder } from '../../schedule/schedule.ts';
import type { Problem } from '../strategy.ts';
import { IndexHeap } from './index-heap.ts';

/**
 * Exact search over all schedules that forward each vertex at most twice, for little graphs without
 * shared storages: a shortest path over states (what was forwarded once and twice, what is live, which
 * backward steps have run). First by the largest live size on the way, then, within the least of those,
 * by forward work. A value is freed right after a use or not before the next, so frees are chosen among
 * what a step has used. Up to 16^V states; gives up after MOST_STATES.
 */
export const EXACT_SIZE = 10;
const MOST_STATES = 40_000;

export interface ExactBound {
  readonly peakBytes: number;
  readonly recomputeWork: number;
}

export interface ExactResult {
  /** Better than the bound, or null where the bound cannot be beaten. */
  readonly schedule: Schedule | null;
}

export function exactApplies({ graph, memory }: Problem): boolean {
  return (
    !graph.keepsOrder &&
    graph.size <= EXACT_SIZE &&
    memory.takesOver.every((u) => u < 0) &&
    memory.viewOf.every((u) => u < 0)
  );
}

/**
 * The schedule of least peak, and least recompute among those, or null where the effort limit is hit.
 *
 * @param bound what a schedule at hand reaches
 * @param floor a lower bound on the peak
 */
export function exactSearch(problem: Problem, bound: ExactBound, floor: number): ExactResult | null {
  const graph = exactGraph(problem);
  let limit = bound.peakBytes;
  let work = bound.recomputeWork;
  let steps: number[] | null = null;
  if (limit > floor) {
    const lower = new Search(graph, limit, Number.POSITIVE_INFINITY, floor, true).run();
    if (lower === null) return null;
    if (lower.steps !== null) {
      steps = lower.steps;
      limit = lower.peak;
      work = lower.work;
    }
  }
  const cheaper = new Search(graph, limit, work, limit, false).run();
  if (cheaper === null) return null;
  return { schedule: scheduleOf(problem, cheaper.steps ?? steps) };
}

/**
 * The schedule of least recompute with a peak within `limit`; null where the effort limit is hit.
 *
 * @param work what a schedule at hand recomputes
 */
export function exactWork(problem: Problem, limit: number, work: number): ExactResult | null {
  const found = new Search(exactGraph(problem), limit, work, limit, false).run();
  return found === null ? null : { schedule: scheduleOf(problem, found.steps) };
}

function scheduleOf(problem: Problem, steps: readonly number[] | null): Schedule | null {
  if (steps === null) return null;
  const builder = new ScheduleBuilder();
  for (const step of steps) builder.push(step >= BACKWARD_STEP ? BACKWARD : FORWARD, step % BACKWARD_STEP);
  return insertFrees(problem.graph, problem.memory, builder.build());
}

interface Found {
  /** Vertex of each forward; vertex + BACKWARD_STEP of each backward. Null where nothing beats the bounds. */
  readonly steps: number[] | null;
  readonly peak: number;
  readonly work: number;
}

const BACKWARD_STEP = 32;
/** Sets of vertices are bit masks; two of them share a number that stays exact in a double. */
const SHIFT = 2 ** EXACT_SIZE;

class Search {
  readonly #graph: ExactGraph;
  readonly #limit: number;
  readonly #mostWork: number;
  readonly #floor: number;
  readonly #byPeak: boolean;
  // States, one entry each in all of these.
  readonly #live: number[] = [];
  readonly #once: number[] = [];
  readonly #twice: number[] = [];
  readonly #done: number[] = [];
  readonly #aux: number[] = [];
  readonly #peak: number[] = [];
  readonly #work: number[] = [];
  readonly #steps: number[] = [];
  readonly #from: number[] = [];
  readonly #step: number[] = [];
  readonly #best = new Map<number, number>();
  readonly #heap: IndexHeap;

  /**
   * @param limit peaks must stay below (by peak) or within (by work) this many bytes
   * @param mostWork recompute must stay below this
   * @param floor peaks up to this one are as good as none
   */
  constructor(graph: ExactGraph, limit: number, mostWork: number, floor: number, byPeak: boolean) {
    this.#graph = graph;
    this.#limit = limit;
    this.#mostWork = mostWork;
    this.#floor = floor;
    this.#byPeak = byPeak;
    const cost = byPeak ? this.#peak : this.#work;
    // Among equals, the one that is further.
    this.#heap = new IndexHeap(
      (a, b) => cost[a]! < cost[b]! || (cost[a] === cost[b] && this.#steps[a]! > this.#steps[b]!),
    );
  }

  run(): Found | null {
    const { all, bytes } = this.#graph;
    this.#push(1, 1, 0, 1, 0, bytes[1]!, 0, -1, 0);
    const cost = this.#byPeak ? this.#peak : this.#work;
    let settled = 0;
    for (let state = this.#heap.pop(); state >= 0; state = this.#heap.pop()) {
      // A cheaper way to the same state was found meanwhile.
      if (this.#best.get(this.#key(state))! < cost[state]!) continue;
      if (this.#done[state] === all)
        return { steps: this.#path(state), peak: this.#peak[state]!, work: this.#work[state]! };
      if (++settled > MOST_STATES) return null;
      if (!this.#forced(state)) this.#expand(state);
    }
    return { steps: null, peak: this.#limit, work: this.#mostWork };
  }

  #key(state: number): number {
    return this.#keyOf(
      this.#live[state]!,
      this.#once[state]!,
      this.#twice[state]!,
      this.#done[state]!,
      this.#aux[state]!,
    );
  }

  #keyOf(live: number, once: number, twice: number, done: number, aux: number): number {
    return (((live * SHIFT + once) * SHIFT + twice) * SHIFT + done) * SHIFT + aux;
  }

  #push(
    live: number,
    once: number,
    twice: number,
    done: number,
    aux: number,
    peak: number,
    work: number,
    from: number,
    step: number,
  ): void {
    if (this.#byPeak ? peak >= this.#limit : peak > this.#limit) return;
    if (work >= this.#mostWork) return;
    const cost = this.#byPeak ? peak : work;
    const key = this.#keyOf(live, once, twice, done, aux);
    const known = this.#best.get(key);
    if (known !== undefined && known <= cost) return;
    this.#best.set(key, cost);
    const state = this.#live.length;
    this.#live.push(live);
    this.#once.push(once);
    this.#twice.push(twice);
    this.#done.push(done);
    this.#aux.push(aux);
    this.#peak.push(peak);
    this.#work.push(work);
    this.#steps.push(from < 0 ? 0 : this.#steps[from]! + (step >= BACKWARD_STEP ? SHIFT : 1));
    this.#from.push(from);
    this.#step.push(step);
    this.#heap.push(state);
  }

  /**
   * A backward step that raises neither the peak nor what is live afterwards goes first: any schedule
   * from here can be changed to run it now, with no more live at any step.
   */
  #forced(state: number): boolean {
    const { size, gradients, bytes, auxBytes } = this.#graph;
    const done = this.#done[state]!;
    const live = this.#live[state]!;
    const aux = this.#aux[state]!;
    const held = bytes[live]! + auxBytes[aux]! + gradients[done]!;
    for (let v = 1; v < size; v++) {
      if (!this.#canRun(state, v)) continue;
      const bit = 1 << v;
      const peak = held + this.#allocated(done, v);
      if (peak > Math.max(this.#peak[state]!, this.#floor)) continue;
      const freed = this.#useless(live, this.#once[state]!, this.#twice[state]!, done | bit);
      const after = live & ~freed;
      const auxAfter = aux & ~bit;
      if (bytes[after]! + auxBytes[auxAfter]! + gradients[done | bit]! > held) continue;
      this.#push(
        after,
        this.#once[state]!,
        this.#twice[state]!,
        done | bit,
        auxAfter,
        Math.max(peak, this.#peak[state]!),
        this.#work[state]!,
        state,
        v + BACKWARD_STEP,
      );
      return true;
    }
    return false;
  }

  #canRun(state: number, v: number): boolean {
    const { needs, outputs, hasAux, size } = this.#graph;
    const bit = 1 << v;
    const done = this.#done[state]!;
    if ((done & bit) !== 0 || (outputs[v]! & ~done) !== 0) return false;
    if (v === size - 1 && (this.#once[state]! & bit) === 0) return false;
    if ((hasAux & bit & ~this.#aux[state]!) !== 0) return false;
    return (needs[v]! & ~this.#live[state]!) === 0;
  }

  /** Gradients that backward v allocates: those of inputs that have none yet, and the target's own. */
  #allocated(done: number, v: number): number {
    const { gradients, targetGradient, size } = this.#graph;
    const before = gradients[done]! - (v === size - 1 ? 0 : this.#graph.ownGradient[v]!);
    return gradients[done | (1 << v)]! - before + (v === size - 1 ? targetGradient : 0);
  }

  /** Live values that no step to come can use. */
  #useless(live: number, once: number, twice: number, done: number): number {
    const { size, outputs, neededBy } = this.#graph;
    let useless = 0;
    for (let u = 1; u < size; u++) {
      if (((live >> u) & 1) === 0) continue;
      if ((neededBy[u]! & ~done) !== 0) continue;
      // A consumer that runs forward once more: not twice forwarded, its own backward to come.
      if ((outputs[u]! & ~done & ~twice) === 0) useless |= 1 << u;
    }
    void once;
    return useless;
  }

  #expand(state: number): void {
    const { size, inputs, bytes, auxBytes, gradients, hasAux, work } = this.#graph;
    const live = this.#live[state]!;
    const once = this.#once[state]!;
    const twice = this.#twice[state]!;
    const done = this.#done[state]!;
    const aux = this.#aux[state]!;
    const held = bytes[live]! + auxBytes[aux]! + gradients[done]!;
    for (let v = 1; v < size; v++) {
      const bit = 1 << v;
      if ((done & bit) !== 0) continue;
      if (((live | twice | aux) & bit) === 0 && (inputs[v]! & ~live) === 0) {
        const again = (once & bit) !== 0;
        const peak = Math.max(this.#peak[state]!, held + bytes[bit]! + auxBytes[bit & hasAux]!);
        const spent = this.#work[state]! + (again ? work[v]! : 0);
        const twiceNow = again ? twice | bit : twice;
        const auxNow = aux | (bit & hasAux);
        // A value that only its auxiliary was wanted for may go at once.
        const used = (inputs[v]! & ~1) | (bit & hasAux);
        this.#branch(live | bit, used, once | bit, twiceNow, done, auxNow, peak, spent, state, v);
        if (!again && (bit & hasAux) !== 0) {
          this.#branch(live | bit, used, once | bit, twiceNow, done, aux, peak, spent, state, v);
        }
      }
      if (!this.#canRun(state, v)) continue;
      const peak = Math.max(this.#peak[state]!, held + this.#allocated(done, v));
      const used = this.#graph.needs[v]! & ~1;
      this.#branch(
        live,
        used,
        once,
        twice,
        done | bit,
        aux & ~bit,
        peak,
        this.#work[state]!,
        state,
        v + BACKWARD_STEP,
      );
    }
  }

  /** Every subset of the values just used is freed, of those that may come back; what is useless goes. */
  #branch(
    live: number,
    used: number,
    once: number,
    twice: number,
    done: number,
    aux: number,
    peak: number,
    work: number,
    from: number,
    step: number,
  ): void {
    const { neededBy, size } = this.#graph;
    const left = live & ~this.#useless(live, once, twice, done);
    let optional = 0;
    for (let u = 1; u < size; u++) {
      const bit = 1 << u;
      if ((used & left & bit) === 0) continue;
      // What was forwarded twice and backward still needs cannot come back.
      if ((twice & bit) === 0 || (neededBy[u]! & ~done) === 0) optional |= bit;
    }
    for (let freed = optional; ; freed = (freed - 1) & optional) {
      this.#push(left & ~freed, once, twice, done, aux, peak, work, from, step);
      if (freed === 0) break;
    }
  }

  #path(end: number): number[] {
    const steps: number[] = [];
    for (let state = end; this.#from[state]! >= 0; state = this.#from[state]!) steps.push(this.#step[state]!);
    return steps.reverse();
  }
}
