import type { Imported } from '../../app/contract/import-file.ts';

/** A file that an experiment can name. */
export interface KeptFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly imported: Imported;
}

const MAX_FILES = 8;
const MAX_BYTES = 256 * 1024 * 1024;

/** The last opened files, within a memory bound. */
export class KeptFiles {
  readonly #files = new Map<string, KeptFile>();

  keep(file: KeptFile): void {
    this.#files.delete(file.name);
    this.#files.set(file.name, file);
    let total = [...this.#files.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    for (const { name, bytes } of this.#files.values()) {
      if (name === file.name || (this.#files.size <= MAX_FILES && total <= MAX_BYTES)) return;
      this.#files.delete(name);
      total -= bytes.byteLength;
    }
  }

  bytesOf(name: string): Uint8Array | undefined {
    const file = this.#files.get(name);
    // A Map keeps the insertion order: reinserting a file makes it the last to be dropped.
    if (file !== undefined) {
      this.#files.delete(name);
      this.#files.set(name, file);
    }
    return file?.bytes;
  }

  all(): KeptFile[] {
    return [...this.#files.values()];
  }

  /** Parsed networks, the oldest first. */
  opened(): Imported[] {
    return this.all().map(({ imported }) => imported);
  }
}
