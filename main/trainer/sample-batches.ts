import type { TrainEvent } from '../../app/contract/training.ts';

/** Short enough to look live, long enough to leave the time to the kernels. */
const INTERVAL_MS = 50;

/** Gathers the samples of an iteration's steps into `steps` events. */
export class SampleBatches {
  readonly #emit: (event: TrainEvent) => void;
  readonly #iteration: number;
  #bytes: number[] = [];
  #from = 0;
  #sent = performance.now();
  #peakBytes = 0;

  constructor(iteration: number, emit: (event: TrainEvent) => void) {
    this.#iteration = iteration;
    this.#emit = emit;
  }

  /** Highest sample so far. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  add(bytes: number): void {
    this.#bytes.push(bytes);
    this.#peakBytes = Math.max(this.#peakBytes, bytes);
    if (performance.now() - this.#sent >= INTERVAL_MS) this.flush();
  }

  flush(): void {
    if (this.#bytes.length > 0) {
      this.#emit({ event: 'steps', iteration: this.#iteration, from: this.#from, bytes: this.#bytes });
      this.#from += this.#bytes.length;
      this.#bytes = [];
    }
    this.#sent = performance.now();
  }
}
