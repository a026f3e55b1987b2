import type { TrainEvent, TrainingPhase } from '../../app/contract/training.ts';

/** Work that ends sooner needs no progress. */
const WORTH_MS = 2000;
/** Earlier steps do not predict the rest: caches fill, compilers warm up. */
const SETTLED_MS = 1000;
const INTERVAL_MS = 300;
/** Before this share of a phase, what is left is anybody's guess. */
const LEAST_SHARE = 0.03;

/** Tells how far a phase of a run is, a few times a second, if it takes longer than a moment. */
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

  /** @param timed whether what is left takes about as long as what is done */
  begin(phase: TrainingPhase, of: number, timed = true): void {
    this.#phase = phase;
    this.#of = of;
    this.#timed = timed;
    this.#began = this.#now();
    this.#sent = this.#began;
    this.#shown = false;
  }

  /** @param done of what the phase began with; fractions count */
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

  /** A plan of how much there is that has changed meanwhile. */
  reckon(of: number): void {
    this.#of = of;
  }
}
