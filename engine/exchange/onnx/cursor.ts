import { BadInputError } from '../../errors.ts';
import type { ByteSource } from '../byte-source.ts';

const PAGE = 1 << 16;

/** Reads the wire format of protocol buffers from a source, a page at a time; skipping costs nothing. */
export class Cursor {
  readonly #source: ByteSource;
  #page: Uint8Array = new Uint8Array(0);
  #start = 0;
  position = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  get size(): number {
    return this.#source.size;
  }

  /** A copy of the next bytes. */
  take(length: number): Uint8Array {
    if (length > PAGE) {
      const bytes = this.#source.read(this.position, length).slice();
      if (bytes.length < length) throw truncated(this.position);
      this.#page = new Uint8Array(0);
      this.position += length;
      return bytes;
    }
    this.#load(length);
    const from = this.position - this.#start;
    this.position += length;
    return this.#page.slice(from, from + length);
  }

  /** An unsigned varint; one beyond 2^53 (a negative number) counts as infinite. */
  varint(end: number): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      if (this.position >= end) throw truncated(this.position);
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return Number.isSafeInteger(value) ? value : Number.POSITIVE_INFINITY;
      scale *= 128;
    }
    throw new BadInputError(
      `the ONNX file is broken at byte ${this.position}: a number of more than 10 bytes`,
    );
  }

  #byte(): number {
    const at = this.position - this.#start;
    if (at < 0 || at >= this.#page.length) {
      this.#load(1);
      return this.#page[this.position++ - this.#start] ?? 0;
    }
    this.position++;
    return this.#page[at] ?? 0;
  }

  #load(length: number): void {
    const at = this.position - this.#start;
    if (at >= 0 && at + length <= this.#page.length) return;
    // A copy: the source may use its own page again.
    this.#page = this.#source.read(this.position, PAGE).slice();
    this.#start = this.position;
    if (this.#page.length < length) throw truncated(this.position);
  }
}

export function truncated(position: number): BadInputError {
  return new BadInputError(`the ONNX file is truncated or broken at byte ${position}`);
}
