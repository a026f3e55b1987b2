import { type Graph, idOf } from '../graph/graph.ts';
import { runsOnce } from '../ops/runs-once.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import {
  BACKWARD,
  FETCH,
  FORWARD,
  FREE,
  FREE_AUX,
  FREE_GRADIENT,
  HOLD_GRADIENT,
  type Schedule,
  SEND,
} from '../schedule/schedule.ts';
import { Gradients } from './gradients.ts';
import { HostCopies } from './host-copies.ts';
import { AUXILIARY, CHECKPOINT, INPUT, type LifetimeLog, RECOMPUTED } from './lifetime-log.ts';
import { Place } from './place.ts';
import type { Series, Totals } from './timeline.ts';

/** One pass over a schedule; `simulate` says what it counts and what it refuses. */
export class Replay {
  readonly #graph: Graph;
  readonly #memory: MemoryModel;
  readonly #schedule: Schedule;
  readonly #log: LifetimeLog | undefined;
  /** Storage that holds the value of v, or -1 when v is not live. A storage is named by the vertex that allocated it. */
  readonly #storage: Int32Array;
  /** Number of live values in a storage (views share one). */
  readonly #readers: Int32Array;
  readonly #holdsAny: boolean;
  /** Number of results in a storage that the program itself holds. */
  readonly #holds: Int32Array;
  /** By vertex: the storages of results that the program holds until it was forwarded. */
  readonly #heldUntil = new Map<number, number[]>();
  readonly #storageBytes: Float64Array;
  readonly #storageRecomputed: Uint8Array;
  readonly #auxLive: Uint8Array;
  readonly #forwards: Int32Array;
  readonly #target: number;
  readonly #place: Place;
  readonly #gradients: Gradients;
  readonly #host: HostCopies;
  #checkpoints = 0;
  #recomputed = 0;
  #auxiliaries = 0;
  /** Bytes that the program holds beside while the running vertex is first forwarded. */
  #beside = 0;

  constructor(graph: Graph, memory: MemoryModel, schedule: Schedule, log?: LifetimeLog) {
    this.#graph = graph;
    this.#memory = memory;
    this.#schedule = schedule;
    this.#log = log;
    this.#storage = new Int32Array(graph.size).fill(-1);
    this.#holdsAny = memory.heldUntil !== undefined || memory.besideBytes !== undefined;
    // One for the value of each vertex, one for each that the program holds.
    const storages = this.#holdsAny ? 2 * graph.size : graph.size;
    this.#readers = new Int32Array(storages);
    this.#holds = new Int32Array(storages);
    this.#storageBytes = new Float64Array(storages);
    this.#storageRecomputed = new Uint8Array(storages);
    this.#auxLive = new Uint8Array(graph.size);
    this.#forwards = new Int32Array(graph.size);
    this.#target = graph.size - 1;
    this.#place = new Place(graph, schedule);
    this.#gradients = new Gradients(graph, memory, this.#place, log);
    this.#host = new HostCopies(graph, this.#place);
    this.#storage[0] = 0;
    this.#readers[0] = 1;
  }

  /** @param series filled in, an entry a step */
  run(series: Series | null): Totals {
    const { kinds, vertices } = this.#schedule;
    const steps = kinds.length;
    const source = this.#memory.outputBytes[0] ?? 0;
    let liveBytes = source;
    let peakBytes = source;
    let peakStep = 0;
    let backwardStart = -1;
    let savedBytes = source;
    const sample = (t: number): void => {
      const gradients = this.#gradients.bytes;
      liveBytes =
        source + this.#checkpoints + this.#recomputed + gradients + this.#auxiliaries + this.#beside;
      if (liveBytes > peakBytes) {
        peakBytes = liveBytes;
        peakStep = t;
      }
      if (series === null) return;
      series.live[t] = liveBytes;
      series.checkpoints[t] = this.#checkpoints;
      series.recomputed[t] = this.#recomputed;
      series.gradients[t] = gradients;
      series.auxiliaries[t] = this.#auxiliaries + this.#beside;
    };
    /** A recompute after everything was forwarded ends the first forward: it opens backward. */
    const open = (t: number): void => {
      if (backwardStart >= 0 || this.#forwards[this.#target] === 0) return;
      backwardStart = t;
      savedBytes = liveBytes;
    };
    for (let t = 0; t < steps; t++) {
      this.#place.step = t;
      const v = vertices[t] ?? 0;
      if (t === 0) this.#log?.begin(INPUT, 0, 0, source, 0);
      const isOfGradient = kinds[t] === HOLD_GRADIENT || kinds[t] === FREE_GRADIENT;
      if (v < (isOfGradient ? 0 : 1) || v > this.#target) {
        this.#place.refuse('the source and unknown vertices take no step');
      }
      if (kinds[t] === FORWARD) {
        if ((this.#forwards[v] ?? 0) > 0) open(t);
        this.#forward(v);
        sample(t);
        if (this.#holdsAny) this.#letGo(v);
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
        if (this.#auxLive[v] !== 1) this.#place.refuse('it keeps no auxiliary now');
        this.#releaseAux(v, t - 1);
        sample(t);
      } else if (isOfGradient) {
        if (kinds[t] === HOLD_GRADIENT) this.#gradients.hold(v);
        else this.#gradients.free(v);
        sample(t);
      } else if (kinds[t] === SEND) {
        this.#send(v);
        sample(t);
      } else if (kinds[t] === FETCH) {
        open(t);
        this.#fetch(v);
        sample(t);
      } else {
        this.#place.refuse('unknown kind of step');
      }
    }
    this.#finish();
    const host = this.#host.finish(steps);
    this.#log?.end(INPUT, 0, steps - 1);
    const work = this.#work();
    return {
      source,
      peakBytes,
      peakStep,
      backwardStart,
      savedBytes,
      ...work,
      ...(host === undefined ? {} : { host }),
    };
  }

  #account(storage: number, sign: 1 | -1): void {
    const bytes = sign * (this.#storageBytes[storage] ?? 0);
    if (this.#storageRecomputed[storage] === 1) this.#recomputed += bytes;
    else this.#checkpoints += bytes;
  }

  #forward(v: number): void {
    const memory = this.#memory;
    if (this.#storage[v] !== -1) this.#place.refuse('its activation is already live');
    const { predecessors, predecessorOffsets } = this.#graph;
    for (let k = predecessorOffsets[v]!; k < predecessorOffsets[v + 1]!; k++) {
      const u = predecessors[k]!;
      if (this.#storage[u] === -1) this.#place.refuse(`needs ${idOf(this.#graph, u)}, which is not live`);
    }
    const again = (this.#forwards[v] ?? 0) > 0;
    if (again && runsOnce(this.#graph.operations[v]!))
      this.#place.refuse('an operation between GPUs and a cast that autocast keeps run once');
    const destroyed = memory.takesOver[v] ?? -1;
    const viewed = memory.viewOf[v] ?? -1;
    if (destroyed >= 0) {
      const storage = this.#storage[destroyed] ?? -1;
      if (this.#readers[storage] !== 1) this.#place.refuse('overwrites a storage that a view still reads');
      this.#storage[destroyed] = -1;
      this.#storage[v] = storage;
      this.#log?.rename(storage, v, this.#place.step);
    } else if (viewed >= 0) {
      const storage = this.#storage[viewed] ?? -1;
      this.#storage[v] = storage;
      this.#readers[storage] = (this.#readers[storage] ?? 0) + 1;
    } else {
      this.#allocate(v, memory.outputBytes[v] ?? 0, again ? RECOMPUTED : CHECKPOINT);
    }
    if (this.#auxLive[v] === 1) this.#place.refuse('its auxiliary of an earlier forward was not freed');
    if ((memory.auxBytes[v] ?? 0) > 0) {
      this.#auxLive[v] = 1;
      this.#auxiliaries += memory.auxBytes[v] ?? 0;
      this.#log?.begin(AUXILIARY, v, v, memory.auxBytes[v] ?? 0, this.#place.step);
    }
    this.#forwards[v] = (this.#forwards[v] ?? 0) + 1;
    if (this.#holdsAny && !again) this.#hold(v);
  }

  #hold(v: number): void {
    this.#beside = this.#memory.besideBytes?.[v] ?? 0;
    this.#log?.moment(AUXILIARY, v, this.#beside, this.#place.step);
    const until = this.#memory.heldUntil?.[v] ?? 0;
    if (until === 0 || this.#forwards[until] !== 0) return;
    const storage = this.#storage[v]!;
    this.#holds[storage]!++;
    const others = this.#heldUntil.get(until);
    if (others === undefined) this.#heldUntil.set(until, [storage]);
    else others.push(storage);
  }

  /** The program lets go of results once v was forwarded. */
  #letGo(v: number): void {
    this.#beside = 0;
    for (const storage of this.#heldUntil.get(v) ?? []) {
      this.#holds[storage]!--;
      this.#releaseUnread(storage, this.#place.step);
    }
    this.#heldUntil.delete(v);
  }

  #allocate(v: number, bytes: number, holder: typeof RECOMPUTED | typeof CHECKPOINT): void {
    const storage = this.#vacantStorage(v);
    this.#storage[v] = storage;
    this.#readers[storage] = 1;
    this.#storageBytes[storage] = bytes;
    this.#storageRecomputed[storage] = holder === RECOMPUTED ? 1 : 0;
    this.#account(storage, 1);
    this.#log?.begin(holder, storage, v, bytes, this.#place.step);
  }

  #send(v: number): void {
    const storage = this.#storage[v] ?? -1;
    if (storage === -1) this.#place.refuse('its activation is not live');
    if ((this.#memory.viewOf[v] ?? -1) >= 0) {
      this.#place.refuse('it is a view; send its storage’s tensor instead');
    }
    if (this.#readers[storage] !== 1) this.#place.refuse('a view still reads its storage');
    this.#host.send(v, this.#storageBytes[storage] ?? 0);
  }

  /** A fetched value counts as kept: nobody computed it again. */
  #fetch(v: number): void {
    if (this.#storage[v] !== -1) this.#place.refuse('its activation is already live');
    this.#allocate(v, this.#host.fetch(v), CHECKPOINT);
  }

  /** A storage normally bears the name of its vertex; after an in-place taker kept it, any unused name serves. */
  #vacantStorage(v: number): number {
    const isVacant = (s: number): boolean => this.#readers[s] === 0 && this.#holds[s] === 0;
    if (isVacant(v)) return v;
    for (let s = this.#readers.length - 1; s > 0; s--) if (isVacant(s)) return s;
    return this.#place.refuse('no storage is left');
  }

  #free(v: number): void {
    const storage = this.#storage[v] ?? -1;
    if (storage === -1) this.#place.refuse('its activation is not live');
    this.#storage[v] = -1;
    this.#readers[storage]!--;
    this.#releaseUnread(storage, this.#place.step - 1);
  }

  /** @param last the last step in which it counts */
  #releaseUnread(storage: number, last: number): void {
    if (this.#readers[storage] !== 0 || this.#holds[storage] !== 0) return;
    this.#account(storage, -1);
    this.#log?.end(CHECKPOINT, storage, last);
  }

  /** @param last the last step in which it counts */
  #releaseAux(v: number, last: number): void {
    if (this.#auxLive[v] !== 1) return;
    this.#log?.end(AUXILIARY, v, last);
    this.#auxLive[v] = 0;
    this.#auxiliaries -= this.#memory.auxBytes[v] ?? 0;
  }

  #backwardAllocate(v: number): void {
    const memory = this.#memory;
    if (this.#gradients.hasRunBackward(v)) this.#place.refuse('its backward has already run');
    if (v === this.#target) {
      if (this.#forwards[v] === 0) this.#place.refuse('backward starts before the forward has ended');
      this.#gradients.start(v);
    }
    this.#gradients.requireComplete(v);
    for (let k = memory.needOffsets[v]!; k < memory.needOffsets[v + 1]!; k++) {
      const u = memory.needs[k]!;
      if (this.#storage[u] === -1) this.#place.refuse(`needs ${idOf(this.#graph, u)}, which is not live`);
    }
    if ((memory.auxBytes[v] ?? 0) > 0 && this.#auxLive[v] !== 1) {
      this.#place.refuse('needs its auxiliary, which is not live');
    }
    this.#gradients.allocateForInputs(v);
  }

  #backwardRelease(v: number): void {
    this.#releaseAux(v, this.#place.step);
    this.#gradients.endBackward(v);
  }

  #finish(): void {
    const graph = this.#graph;
    this.#place.step = this.#schedule.kinds.length - 1;
    this.#gradients.finish();
    for (let v = 1; v < graph.size; v++) {
      if (this.#forwards[v] === 0) this.#place.incomplete(`${idOf(graph, v)} is never forwarded`);
      if (!this.#gradients.hasRunBackward(v)) this.#place.incomplete(`${idOf(graph, v)} never runs backward`);
      if (this.#storage[v] !== -1) this.#place.incomplete(`${idOf(graph, v)} is never freed`);
      if (this.#auxLive[v] === 1) this.#place.incomplete(`the auxiliary of ${idOf(graph, v)} is never freed`);
    }
  }

  #work(): Pick<
    Totals,
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
