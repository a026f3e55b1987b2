/**
 * Gate at which a paused run waits: between two steps, with everything kept where it is, so that it
 * goes on as if nothing had been.
 */
export class PauseGate {
  readonly #onHold: (holding: boolean) => void;
  #isPaused = false;
  #heldMs = 0;
  #wake = (): void => undefined;

  /** @param onHold called when the run begins to hold, and when it goes on */
  constructor(onHold: (holding: boolean) => void = () => undefined) {
    this.#onHold = onHold;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  setPaused(paused: boolean): void {
    this.#isPaused = paused;
    if (!paused) this.#wake();
  }

  /** Milliseconds of the run's own clock, which stands still while it holds. */
  now(): number {
    return performance.now() - this.#heldMs;
  }

  /** Resolves when the run may go on: at once unless it is paused, and when it is cancelled. */
  async hold(signal?: AbortSignal): Promise<void> {
    if (!this.#isPaused || signal?.aborted === true) return;
    const since = performance.now();
    this.#onHold(true);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#heldMs += performance.now() - since;
    this.#onHold(false);
  }
}
