/** Gate at which a paused run waits, between two steps and with all state kept, so that it continues unchanged. */
export class PauseGate {
  readonly #onHold: (holding: boolean) => void;
  #isPaused = false;
  #heldMs = 0;
  #wake = (): void => undefined;

  /** @param onHold called when the run pauses, and when it resumes */
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

  /** Milliseconds of the run's clock, which stops while it is paused. */
  now(): number {
    return performance.now() - this.#heldMs;
  }

  /** Resolves when the run may continue: at once unless paused, and on cancel. */
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
