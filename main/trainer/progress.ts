import type { TrainEvent, TrainingPhase } from '../../app/contract/training.ts';

/** Shorter work shows no progress. */
const WORTH_MS = 2000;
/** First steps do not predict the rest: caches fill, compilers warm up. */
const SETTLED_MS = 1000;
const INTERVAL_MS = 300;
/** Share of a phase before which the rest cannot be estimated. */
const LEAST_SHARE = 0.03;

/** Reports the progress of a phase a few times a second, unless it is very short. */
export class Progress {
  readonly #emit: (event: TrainEvent) => void;
  readonly #now: () => number;
  #phase: TrainingPhase = 'iterations';
  #of = 1;
  #timed = true;
  #began = 0;
  #sent = 0;
  #shown = false;

  /** @param now milliseconds of a clock that stands still while the run is paused */
  constructor(emit: (event: TrainEvent) => void, now: () => number) {
    this.#emit = emit;
    this.#now = now;
  }

  /** @param timed true if the rest takes about as long per unit as the finished part */
  begin(phase: TrainingPhase, of: number, timed = true): void {
    this.#phase = phase;
    this.#of = of;
    this.#timed = timed;
    this.#began = this.#now();
    this.#sent = this.#began;
    this.#shown = false;
  }

  /** @param done finished units of the phase; fractions count */
  at(done: number): void {
    const now = this.#now();
    const isEnd = done >= this.#of;
    if (isEnd ? !this.#shown : now - this.#sent < INTERVAL_MS) return;
    const elapsed = now - this.#began;
    if (elapsed < SETTLED_MS) return;
    const share = done / this.#of;
    const leftMs = this.#timed && share >= LEAST_SHARE ? (elapsed * (1 - share)) / share : null;
    if (elapsed + (leftMs ?? 0) < WORTH_MS) return;
    this.#sent = now;
    this.#shown = !isEnd;
    this.#emit({ event: 'progress', phase: this.#phase, done, of: this.#of, leftMs });
  }

  /** Changes the total number of units. */
  reckon(of: number): void {
    this.#of = of;
  }
}
