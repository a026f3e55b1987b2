/** A file that an experiment can name. */
export interface KeptFile {
  readonly model: string;
  readonly bytes: Uint8Array;
}

const MOST_FILES = 8;
const MOST_BYTES = 256 * 1024 * 1024;

/** The files opened last, as many as bounded memory holds. */
export class KeptFiles {
  readonly #files = new Map<string, Uint8Array>();

  keep({ model, bytes }: KeptFile): void {
    this.#files.delete(model);
    this.#files.set(model, bytes);
    let total = [...this.#files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    for (const [oldest, { byteLength }] of this.#files) {
      if (oldest === model || (this.#files.size <= MOST_FILES && total <= MOST_BYTES)) return;
      this.#files.delete(oldest);
      total -= byteLength;
    }
  }

  bytesOf(model: string): Uint8Array | undefined {
    const bytes = this.#files.get(model);
    // A Map keeps the order of insertion: what is asked for now leaves last.
    if (bytes !== undefined) {
      this.#files.delete(model);
      this.#files.set(model, bytes);
    }
    return bytes;
  }

  all(): KeptFile[] {
    return Array.from(this.#files, ([model, bytes]) => ({ model, bytes }));
  }
}
