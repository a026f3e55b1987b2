import { type Graph, predecessorsOf } from '../graph/graph.ts';
import { type DeviceSpeed, stepSeconds } from '../limits/throughput.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';
import { BACKWARD, FETCH, FORWARD, FREE, type Schedule, SEND } from '../schedule/schedule.ts';
import type { Link, LinkedDevice } from './link.ts';

/** When the steps of one training step run, as predicted. Seconds from its start. */
export interface StepTimes {
  readonly seconds: number;
  /** Part of these seconds in which the device waits for a copy. */
  readonly stalledSeconds: number;
  /** In which the link is busy with copies to host memory, and with copies from there. */
  readonly sendingSeconds: number;
  readonly fetchingSeconds: number;
  /** By step: of a forward or backward its run; of a send or fetch its copy; of a free what it waits. */
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/** A storage on the device: how many values are in it, when the copy into it has come, when that out of it is done. */
interface Storage {
  readers: number;
  arrives: number;
  leaves: number;
  readonly bytes: number;
}

/**
 * Predicts the times of a schedule that the simulator accepts (SPEC O1 to O6): what is computed runs one after
 * another, as long as `stepSeconds` says; each direction of the link is a queue of its own.
 * Time and space O(steps + uses).
 */
export function stepTimes(
  graph: Graph,
  memory: MemoryModel,
  schedule: Schedule,
  device: LinkedDevice,
): StepTimes {
  return new Clock(graph, memory, device).run(schedule);
}

class Clock {
  readonly #graph: Graph;
  readonly #memory: MemoryModel;
  readonly #speed: DeviceSpeed;
  readonly #link: Link;
  readonly #storageOf: (Storage | undefined)[];
  readonly #sent: (Storage | undefined)[];
  #now = 0;
  #stalled = 0;
  #sending = 0;
  #fetching = 0;
  /** When each direction of the link is free. */
  #outFree = 0;
  #inFree = 0;

  constructor(graph: Graph, memory: MemoryModel, { speed, link }: LinkedDevice) {
    this.#graph = graph;
    this.#memory = memory;
    this.#speed = speed;
    this.#link = link;
    this.#storageOf = new Array<Storage | undefined>(graph.size);
    this.#sent = new Array<Storage | undefined>(graph.size);
    this.#storageOf[0] = newStorage(memory.outputBytes[0] ?? 0, 0);
  }

  run({ kinds, vertices }: Schedule): StepTimes {
    const start = new Float64Array(kinds.length);
    const end = new Float64Array(kinds.length);
    for (let t = 0; t < kinds.length; t++) {
      const v = vertices[t] ?? 0;
      let copy: readonly [number, number] | null = null;
      const before = this.#now;
      if (kinds[t] === FORWARD || kinds[t] === BACKWARD) {
        if (kinds[t] === FORWARD) this.#forward(v);
        else for (const u of needsOf(this.#memory, v)) this.#awaitArrival(u);
        start[t] = this.#now;
        this.#now += this.#secondsOf(kinds[t] ?? FORWARD, v);
        end[t] = this.#now;
        continue;
      }
      if (kinds[t] === FREE) this.#free(v);
      else if (kinds[t] === SEND) copy = this.#send(v);
      else if (kinds[t] === FETCH) copy = this.#fetch(v);
      start[t] = copy === null ? before : copy[0];
      end[t] = copy === null ? this.#now : copy[1];
    }
    return {
      seconds: this.#now,
      stalledSeconds: this.#stalled,
      sendingSeconds: this.#sending,
      fetchingSeconds: this.#fetching,
      start,
      end,
    };
  }

  #secondsOf(kind: number, v: number): number {
    const flops = (kind === FORWARD ? this.#graph.flops[v] : this.#graph.backwardFlops[v]) ?? 0;
    return stepSeconds({ operations: 1, flopsPerSample: flops }, this.#speed, 1);
  }

  #wait(until: number): void {
    if (until <= this.#now) return;
    this.#stalled += until - this.#now;
    this.#now = until;
  }

  #awaitArrival(v: number): void {
    this.#wait(this.#storageOf[v]?.arrives ?? 0);
  }

  #forward(v: number): void {
    const { takesOver, viewOf, outputBytes } = this.#memory;
    for (const u of predecessorsOf(this.#graph, v)) this.#awaitArrival(u);
    const destroyed = takesOver[v] ?? -1;
    const viewed = viewOf[v] ?? -1;
    if (destroyed >= 0) {
      const storage = this.#storageOf[destroyed];
      this.#wait(storage?.leaves ?? 0);
      this.#storageOf[v] = storage;
      this.#storageOf[destroyed] = undefined;
    } else if (viewed >= 0) {
      const storage = this.#storageOf[viewed];
      if (storage !== undefined) storage.readers += 1;
      this.#storageOf[v] = storage;
    } else this.#storageOf[v] = newStorage(outputBytes[v] ?? 0, 0);
  }

  /** The storage goes with its last value, once no copy out of it or into it is under way. */
  #free(v: number): void {
    const storage = this.#storageOf[v];
    this.#storageOf[v] = undefined;
    if (storage === undefined) return;
    storage.readers -= 1;
    if (storage.readers === 0) this.#wait(Math.max(storage.leaves, storage.arrives));
  }

  #send(v: number): readonly [number, number] {
    const storage = this.#storageOf[v] ?? newStorage(0, 0);
    const from = Math.max(this.#now, this.#outFree);
    const to = from + storage.bytes / this.#link.bytesPerSecond;
    this.#sending += to - from;
    this.#outFree = to;
    storage.leaves = to;
    this.#sent[v] = storage;
    if (!this.#link.overlaps) this.#wait(to);
    return [from, to];
  }

  #fetch(v: number): readonly [number, number] {
    const copy = this.#sent[v];
    const bytes = copy?.bytes ?? 0;
    const from = Math.max(this.#now, this.#inFree, copy?.leaves ?? 0);
    const to = from + bytes / this.#link.bytesPerSecond;
    this.#fetching += to - from;
    this.#inFree = to;
    this.#storageOf[v] = newStorage(bytes, to);
    if (!this.#link.overlaps) this.#wait(to);
    return [from, to];
  }
}

function newStorage(bytes: number, arrives: number): Storage {
  return { readers: 1, arrives, leaves: 0, bytes };
}
