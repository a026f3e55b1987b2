/**
 * Values pushed by one side and pulled by the other. Unbounded: producers here send at most a few hundred events a
 * second, in messages that have already arrived.
 */
export class EventChannel<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  readonly #onStop: () => void;
  #wake: (() => void) | null = null;
  #ended = false;
  #error: unknown = null;

  /** @param onStop called once if the consumer leaves before the end */
  constructor(onStop: () => void = () => undefined) {
    this.#onStop = onStop;
  }

  push(value: T): void {
    if (this.#ended) return;
    this.#values.push(value);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Earlier values are still delivered. Only the first end or failure counts. */
  fail(error: unknown): void {
    if (this.#ended) return;
    this.#error = error;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      while (true) {
        const value = this.#values.shift();
        if (value !== undefined) {
          yield value;
        } else if (this.#ended) {
          if (this.#error !== null) throw this.#error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = null;
        }
      }
    } finally {
      if (!this.#ended) this.#onStop();
    }
  }
}
