import { InternalError } from '../errors.ts';
import { type Graph, idOf, predecessorsOf, successorsOf } from '../graph/graph.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';
import {
  BACKWARD,
  describeStep,
  FORWARD,
  FREE,
  FREE_AUX,
  FREE_GRADIENT,
  HOLD_GRADIENT,
  type Schedule,
} from '../schedule/schedule.ts';
import {
  AUXILIARY,
  CHECKPOINT,
  GRADIENT,
  INPUT,
  LifetimeLog,
  type Lifetimes,
  RECOMPUTED,
} from './lifetime-log.ts';

/** A schedule that uses what is not there, or leaves something behind. Carries the step at fault. */
export class ScheduleError extends InternalError {
  readonly step: number;

  constructor(message: string, step: number) {
    super(message);
    this.step = step;
  }
}

/** The bytes of one training step, sampled at every step of a schedule (DESIGN section 3). */
export interface Timeline {
  /** Live bytes after the step's allocations and before its releases (a free: after it). */
  readonly live: Float64Array;
  /** The same, by what holds them. Their sum is `live`. */
  readonly source: number;
  readonly checkpoints: Float64Array;
  readonly recomputed: Float64Array;
  readonly gradients: Float64Array;
  readonly auxiliaries: Float64Array;
  readonly peakBytes: number;
  /** First step at which the peak is reached. */
  readonly peakStep: number;
  /** First backward step; the steps before it are the first forward. */
  readonly backwardStart: number;
  /** Live bytes at the end of the first forward: what is kept for backward, input batch included. */
  readonly savedBytes: number;
  /** FLOPs of one forward; bytes written where the graph gives no FLOPs. */
  readonly forwardWork: number;
  readonly recomputeWork: number;
  readonly backwardWork: number;
  /** Forward work done again / forward work of one step. */
  readonly recomputeFraction: number;
  /** Number of forward steps beyond the first of each vertex. */
  readonly recomputedVertices: number;
}

/**
 * Replays a schedule on a graph and counts the bytes itself: an independent judge that knows nothing
 * of strategies and trusts none of their figures. Shape of all series: one entry a step, bytes.
 * Time and space O(steps + uses).
 *
 * @throws ScheduleError when a step uses what is not live, when a vertex is never forwarded or is not
 *   backwarded exactly once after all its consumers, or when anything but the source is left at the end.
 */
export function simulate(graph: Graph, memory: MemoryModel, schedule: Schedule): Timeline {
  const replay = new Replay(graph, memory, schedule);
  return replay.run();
}

/**
 * Every tensor that a schedule holds, with the steps in which it is live: the tensors whose range covers a
 * step have exactly the live bytes of that step (`simulate`), by holder too. Time and space O(steps + uses).
 *
 * @throws ScheduleError as `simulate`
 */
export function tensorLifetimes(graph: Graph, memory: MemoryModel, schedule: Schedule): Lifetimes {
  return simulateWithLifetimes(graph, memory, schedule).lifetimes;
}

/** Both at once, in one replay. @throws ScheduleError as `simulate` */
export function simulateWithLifetimes(
  graph: Graph,
  memory: MemoryModel,
  schedule: Schedule,
): { readonly timeline: Timeline; readonly lifetimes: Lifetimes } {
  const log = new LifetimeLog(graph.size);
  const timeline = new Replay(graph, memory, schedule, log).run();
  return { timeline, lifetimes: log.build() };
}

class Replay {
  readonly #graph: Graph;
  readonly #memory: MemoryModel;
  readonly #schedule: Schedule;
  readonly #log: LifetimeLog | undefined;
  /** Storage that holds the value of v, or -1 when v is not live. A storage is named by the vertex that allocated it. */
  readonly #storage: Int32Array;
  /** Number of live values in a storage (views share one). */
  readonly #readers: Int32Array;
  readonly #storageBytes: Float64Array;
  readonly #storageRecomputed: Uint8Array;
  readonly #auxLive: Uint8Array;
  /** Storage that holds the gradient of v, or -1; named by the vertex for which it was allocated. */
  readonly #gradient: Int32Array;
  /** Number of gradients in a storage: a held one may share it with that of what it is a view of. */
  readonly #gradientReaders: Int32Array;
  readonly #held: Uint8Array;
  readonly #forwards: Int32Array;
  readonly #backwarded: Uint8Array;
  readonly #target: number;
  #checkpoints = 0;
  #recomputed = 0;
  #gradients = 0;
  #auxiliaries = 0;
  #step = 0;

  constructor(graph: Graph, memory: MemoryModel, schedule: Schedule, log?: LifetimeLog) {
    this.#graph = graph;
    this.#memory = memory;
    this.#schedule = schedule;
    this.#log = log;
    this.#storage = new Int32Array(graph.size).fill(-1);
    this.#readers = new Int32Array(graph.size);
    this.#storageBytes = new Float64Array(graph.size);
    this.#storageRecomputed = new Uint8Array(graph.size);
    this.#auxLive = new Uint8Array(graph.size);
    this.#gradient = new Int32Array(graph.size).fill(-1);
    this.#gradientReaders = new Int32Array(graph.size);
    this.#held = new Uint8Array(graph.size);
    this.#forwards = new Int32Array(graph.size);
    this.#backwarded = new Uint8Array(graph.size);
    this.#target = graph.size - 1;
    this.#storage[0] = 0;
    this.#readers[0] = 1;
  }

  run(): Timeline {
    const { kinds, vertices } = this.#schedule;
    const steps = kinds.length;
    const source = this.#memory.outputBytes[0] ?? 0;
    const live = new Float64Array(steps);
    const checkpoints = new Float64Array(steps);
    const recomputed = new Float64Array(steps);
    const gradients = new Float64Array(steps);
    const auxiliaries = new Float64Array(steps);
    let peakBytes = source;
    let peakStep = 0;
    let backwardStart = -1;
    let savedBytes = source;
    const sample = (t: number): void => {
      checkpoints[t] = this.#checkpoints;
      recomputed[t] = this.#recomputed;
      gradients[t] = this.#gradients;
      auxiliaries[t] = this.#auxiliaries;
      const sum = source + this.#checkpoints + this.#recomputed + this.#gradients + this.#auxiliaries;
      live[t] = sum;
      if (sum > peakBytes) {
        peakBytes = sum;
        peakStep = t;
      }
    };
    for (let t = 0; t < steps; t++) {
      this.#step = t;
      const v = vertices[t] ?? 0;
      if (t === 0) this.#log?.begin(INPUT, 0, 0, source, 0);
      const isOfGradient = kinds[t] === HOLD_GRADIENT || kinds[t] === FREE_GRADIENT;
      if (v < (isOfGradient ? 0 : 1) || v > this.#target) {
        this.#refuse('the source and unknown vertices take no step');
      }
      if (kinds[t] === FORWARD) {
        // A recompute that opens backward (no backward step yet, everything forwarded) ends the first forward.
        if (backwardStart < 0 && (this.#forwards[v] ?? 0) > 0 && this.#forwards[this.#target] !== 0) {
          backwardStart = t;
          savedBytes = live[t - 1] ?? source;
        }
        this.#forward(v);
        sample(t);
      } else if (kinds[t] === BACKWARD) {
        if (backwardStart < 0) {
          backwardStart = t;
          savedBytes = source + this.#checkpoints + this.#recomputed + this.#auxiliaries;
        }
        this.#backwardAllocate(v);
        sample(t);
        this.#backwardRelease(v);
      } else if (kinds[t] === FREE) {
        this.#free(v);
        sample(t);
      } else if (kinds[t] === FREE_AUX) {
        if (this.#auxLive[v] !== 1) this.#refuse('it keeps no auxiliary now');
        this.#releaseAux(v, t - 1);
        sample(t);
      } else if (isOfGradient) {
        if (kinds[t] === HOLD_GRADIENT) this.#holdGradient(v);
        else this.#freeGradient(v);
        sample(t);
      } else {
        this.#refuse('unknown kind of step');
      }
    }
    this.#finish();
    this.#log?.end(INPUT, 0, steps - 1);
    const work = this.#work();
    return {
      live,
      source,
      checkpoints,
      recomputed,
      gradients,
      auxiliaries,
      peakBytes,
      peakStep,
      backwardStart,
      savedBytes,
      ...work,
    };
  }

  #refuse(reason: string): never {
    const what = describeStep(this.#graph, this.#schedule, this.#step);
    throw new ScheduleError(`step ${this.#step} (${what}): ${reason}`, this.#step);
  }

  #account(storage: number, sign: 1 | -1): void {
    const bytes = sign * (this.#storageBytes[storage] ?? 0);
    if (this.#storageRecomputed[storage] === 1) this.#recomputed += bytes;
    else this.#checkpoints += bytes;
  }

  #forward(v: number): void {
    const memory = this.#memory;
    if (this.#storage[v] !== -1) this.#refuse('its activation is already live');
    for (const u of predecessorsOf(this.#graph, v)) {
      if (this.#storage[u] === -1) this.#refuse(`needs ${idOf(this.#graph, u)}, which is not live`);
    }
    const again = (this.#forwards[v] ?? 0) > 0;
    const destroyed = memory.takesOver[v] ?? -1;
    const viewed = memory.viewOf[v] ?? -1;
    if (destroyed >= 0) {
      const storage = this.#storage[destroyed] ?? -1;
      if (this.#readers[storage] !== 1) this.#refuse('overwrites a storage that a view still reads');
      this.#storage[destroyed] = -1;
      this.#storage[v] = storage;
      this.#log?.rename(storage, v, this.#step);
    } else if (viewed >= 0) {
      const storage = this.#storage[viewed] ?? -1;
      this.#storage[v] = storage;
      this.#readers[storage] = (this.#readers[storage] ?? 0) + 1;
    } else {
      const storage = this.#vacantStorage(v);
      this.#storage[v] = storage;
      this.#readers[storage] = 1;
      this.#storageBytes[storage] = memory.outputBytes[v] ?? 0;
      this.#storageRecomputed[storage] = again ? 1 : 0;
      this.#account(storage, 1);
      const holder = again ? RECOMPUTED : CHECKPOINT;
      this.#log?.begin(holder, storage, v, memory.outputBytes[v] ?? 0, this.#step);
    }
    if (this.#auxLive[v] === 1) this.#refuse('its auxiliary of an earlier forward was not freed');
    if ((memory.auxBytes[v] ?? 0) > 0) {
      this.#auxLive[v] = 1;
      this.#auxiliaries += memory.auxBytes[v] ?? 0;
      this.#log?.begin(AUXILIARY, v, v, memory.auxBytes[v] ?? 0, this.#step);
    }
    this.#forwards[v] = (this.#forwards[v] ?? 0) + 1;
  }

  /** A storage normally bears the name of its vertex; after an in-place taker kept it, any unused name serves. */
  #vacantStorage(v: number): number {
    if (this.#readers[v] === 0) return v;
    for (let s = this.#graph.size - 1; s > 0; s--) {
      if (this.#readers[s] === 0) return s;
    }
    return this.#refuse('no storage is left');
  }

  #free(v: number): void {
    const storage = this.#storage[v] ?? -1;
    if (storage === -1) this.#refuse('its activation is not live');
    this.#storage[v] = -1;
    const readers = (this.#readers[storage] ?? 0) - 1;
    this.#readers[storage] = readers;
    if (readers === 0 && storage !== 0) {
      this.#account(storage, -1);
      this.#log?.end(CHECKPOINT, storage, this.#step - 1);
    }
  }

  /** @param last the last step in which it counts */
  #releaseAux(v: number, last: number): void {
    if (this.#auxLive[v] !== 1) return;
    this.#log?.end(AUXILIARY, v, last);
    this.#auxLive[v] = 0;
    this.#auxiliaries -= this.#memory.auxBytes[v] ?? 0;
  }

  /** Bytes of the gradient of v, held ones of the source included. */
  #gradientBytesOf(v: number): number {
    return (v === 0 ? this.#memory.sourceGradientBytes : this.#memory.gradientBytes[v]) ?? 0;
  }

  #allocateGradient(v: number): void {
    const bytes = this.#gradientBytesOf(v);
    this.#gradient[v] = v;
    this.#gradientReaders[v] = 1;
    this.#gradients += bytes;
    this.#log?.begin(GRADIENT, v, v, bytes, this.#step);
  }

  /** @param last the last step in which it counts */
  #releaseGradient(v: number, last: number): void {
    const storage = this.#gradient[v] ?? -1;
    if (storage === -1) return;
    this.#gradient[v] = -1;
    const readers = (this.#gradientReaders[storage] ?? 0) - 1;
    this.#gradientReaders[storage] = readers;
    if (readers > 0) return;
    this.#gradients -= this.#gradientBytesOf(storage);
    this.#log?.end(GRADIENT, storage, last);
  }

  /** Backward v has run; that of the source when all its consumers have. */
  #hasGradientPassed(v: number): boolean {
    if (v > 0) return this.#backwarded[v] === 1;
    return successorsOf(this.#graph, 0).every((w) => this.#backwarded[w] === 1);
  }

  #holdGradient(v: number): void {
    if (this.#held[v] === 1) this.#refuse('its gradient is already held');
    if (v === 0 && this.#gradientBytesOf(0) === 0) this.#refuse('the source has no gradient');
    if (v === 0) {
      for (const w of successorsOf(this.#graph, 0)) {
        if (this.#backwarded[w] !== 1) continue;
        this.#refuse(`comes too late: ${idOf(this.#graph, w)}, which makes a part of it, has run backward`);
      }
    } else if (this.#backwarded[v] === 1) this.#refuse('comes too late: its backward has already run');
    this.#held[v] = 1;
  }

  #freeGradient(v: number): void {
    if (this.#held[v] !== 1) this.#refuse('its gradient is not held');
    if (!this.#hasGradientPassed(v))
      this.#refuse('comes too early: its gradient is still needed for backward');
    this.#held[v] = 0;
    this.#releaseGradient(v, this.#step - 1);
  }

  #backwardAllocate(v: number): void {
    const memory = this.#memory;
    if (this.#backwarded[v] === 1) this.#refuse('its backward has already run');
    if (v === this.#target) {
      if (this.#forwards[v] === 0) this.#refuse('backward starts before the forward has ended');
      this.#allocateGradient(v);
    }
    for (const w of successorsOf(this.#graph, v)) {
      if (this.#backwarded[w] !== 1) {
        this.#refuse(`its gradient is not complete: ${idOf(this.#graph, w)} has not run backward`);
      }
    }
    for (const u of needsOf(memory, v)) {
      if (this.#storage[u] === -1) this.#refuse(`needs ${idOf(this.#graph, u)}, which is not live`);
    }
    if ((memory.auxBytes[v] ?? 0) > 0 && this.#auxLive[v] !== 1) {
      this.#refuse('needs its auxiliary, which is not live');
    }
    for (const u of predecessorsOf(this.#graph, v)) {
      if (u === 0 && this.#held[0] !== 1) continue;
      if ((this.#gradient[u] ?? -1) >= 0) this.#addToGradient(u);
      else if (memory.viewOf[v] === u && this.#gradientBytesOf(v) === this.#gradientBytesOf(u)) {
        // The gradient of a view is the same storage under another shape; that of a part is not.
        this.#shareGradient(v, u);
      } else this.#allocateGradient(u);
    }
  }

  #shareGradient(v: number, u: number): void {
    const storage = this.#gradient[v] ?? -1;
    this.#gradient[u] = storage;
    this.#gradientReaders[storage] = (this.#gradientReaders[storage] ?? 0) + 1;
    if (this.#gradientReaders[storage] === 2 && this.#held[v] !== 1) {
      // From now on it is the gradient of u alone.
      this.#log?.end(GRADIENT, storage, this.#step - 1);
      this.#log?.begin(GRADIENT, storage, u, this.#gradientBytesOf(v), this.#step);
    }
  }

  /** A sum is written over a gradient, but not over a storage that a held one is in as well. */
  #addToGradient(u: number): void {
    const storage = this.#gradient[u] ?? -1;
    if ((this.#gradientReaders[storage] ?? 0) <= 1) return;
    this.#releaseGradient(u, this.#step);
    this.#allocateGradient(u);
  }

  #backwardRelease(v: number): void {
    if (this.#held[v] !== 1) this.#releaseGradient(v, this.#step);
    this.#releaseAux(v, this.#step);
    this.#backwarded[v] = 1;
  }

  #finish(): void {
    const graph = this.#graph;
    this.#step = this.#schedule.kinds.length - 1;
    for (let v = 0; v < graph.size; v++) {
      if (this.#held[v] === 1) this.#incomplete(`the gradient of ${idOf(graph, v)} is held and never freed`);
    }
    for (let v = 1; v < graph.size; v++) {
      if (this.#forwards[v] === 0) this.#incomplete(`${idOf(graph, v)} is never forwarded`);
      if (this.#backwarded[v] === 0) this.#incomplete(`${idOf(graph, v)} never runs backward`);
      if (this.#storage[v] !== -1) this.#incomplete(`${idOf(graph, v)} is never freed`);
      if (this.#auxLive[v] === 1) this.#incomplete(`the auxiliary of ${idOf(graph, v)} is never freed`);
    }
  }

  #incomplete(reason: string): never {
    throw new ScheduleError(`the schedule is not complete: ${reason}`, this.#step);
  }

  #work(): Pick<
    Timeline,
    'forwardWork' | 'recomputeWork' | 'backwardWork' | 'recomputeFraction' | 'recomputedVertices'
  > {
    const graph = this.#graph;
    const hasFlops = graph.flops.some((flops) => flops > 0);
    const work = hasFlops ? graph.flops : graph.bytes;
    let forwardWork = 0;
    let recomputeWork = 0;
    let backwardWork = 0;
    let recomputedVertices = 0;
    for (let v = 1; v < graph.size; v++) {
      const again = (this.#forwards[v] ?? 0) - 1;
      forwardWork += work[v] ?? 0;
      recomputeWork += again * (work[v] ?? 0);
      backwardWork += hasFlops ? (graph.backwardFlops[v] ?? 0) : 2 * (work[v] ?? 0);
      recomputedVertices += again;
    }
    const recomputeFraction = forwardWork > 0 ? recomputeWork / forwardWork : 0;
    return { forwardWork, recomputeWork, backwardWork, recomputeFraction, recomputedVertices };
  }
}

/**
 * Predicted time overhead: recompute work over the work of a regular step (forward + backward).
 * A share of 1, not of 100. Predicted, because real kernels do not all run at the same FLOP rate.
 */
export function predictedOverhead(timeline: Timeline): number {
  const regular = timeline.forwardWork + timeline.backwardWork;
  return regular > 0 ? timeline.recomputeWork / regular : 0;
}
