import { BadInputError } from '../../../engine/errors.ts';
import type { ByteSource } from '../../../engine/exchange/byte-source.ts';

const WINDOW = 1024 * 1024;
const SHORT = 48;

/** Reads a file from its beginning to its end, little-endian, a megabyte at a time. */
export class ByteCursor {
  readonly #source: ByteSource;
  readonly #decoder = new TextDecoder();
  #window: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** Offset of the window in the file, and the position in the window. */
  #start = 0;
  #at = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  get offset(): number {
    return this.#start + this.#at;
  }

  byte(): number {
    const at = this.#take(1);
    return this.#window[at] ?? 0;
  }

  short(): number {
    // First, as it may replace the view.
    const at = this.#take(2);
    return this.#view.getUint16(at, true);
  }

  /** Unsigned. */
  int(): number {
    const at = this.#take(4);
    return this.#view.getUint32(at, true);
  }

  /** Unsigned, rounded beyond 2^53. */
  long(): number {
    const at = this.#take(8);
    return this.#view.getUint32(at, true) + 2 ** 32 * this.#view.getUint32(at + 4, true);
  }

  /** Big-endian, as pickles have them. */
  double(): number {
    const at = this.#take(8);
    return this.#view.getFloat64(at, false);
  }

  /** Two's complement of up to 7 bytes; no safe integer where it is rounded. */
  signed(length: number): number {
    const at = this.#take(length);
    let value = 0;
    for (let i = length - 1; i >= 0; i--) value = value * 256 + this.#window[at + i]!;
    return length > 0 && this.#window[at + length - 1]! >= 0x80 ? value - 2 ** (8 * length) : value;
  }

  /** Over what was read last once more. */
  back(length: number): void {
    this.#at -= length;
  }

  /** A copy. */
  bytes(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#window.slice(at, at + length);
  }

  /** UTF-8; what is none becomes the sign for that. */
  text(length: number): string {
    const at = this.#take(length);
    const bytes = this.#window.subarray(at, at + length);
    // Starting a decoder takes longer than most names are long.
    if (length <= SHORT && bytes.every((byte) => byte < 0x80)) return String.fromCharCode(...bytes);
    return this.#decoder.decode(bytes);
  }

  /** Up to the next end of a line, which is left out; cut at `most` bytes. */
  line(most: number): string {
    let text = '';
    for (let i = 0; i < most && this.offset < this.#source.size; i++) {
      const byte = this.byte();
      if (byte === 0x0a) break;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** @returns where in the window the next bytes are */
  #take(length: number): number {
    if (this.#at + length > this.#window.length) this.#refill(length);
    const at = this.#at;
    this.#at += length;
    return at;
  }

  #refill(length: number): void {
    const offset = this.offset;
    if (offset + length > this.#source.size)
      throw new BadInputError('the file is incomplete; save or copy it again');
    const bytes = this.#source.read(offset, Math.min(Math.max(length, WINDOW), this.#source.size - offset));
    if (bytes.length < length) throw new BadInputError('the file is incomplete; save or copy it again');
    this.#window = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#start = offset;
    this.#at = 0;
  }
}
