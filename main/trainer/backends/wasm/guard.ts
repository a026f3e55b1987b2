import { formatBytes } from '../../../../engine/bytes.ts';
import { OutOfMemoryError } from '../../errors.ts';

/** The part of the WebAssembly module that allocates. */
export interface Allocator {
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  /** The whole heap; replaced when it grows. */
  readonly HEAPU8: { readonly byteLength: number };
}

/** A 32-bit heap ends here (the module's own limit: 4 GiB less one page). */
export const HEAP_LIMIT = 4_294_901_760;
/** Most bytes that a kernel allocates for itself at any time, mostly tables of addresses. */
const NATIVE_SLACK = 16 * 1024 * 1024;
/** Reserved for the module's code, stack and static data, and for the allocator's headers and gaps. */
const RESERVE = 128 * 1024 * 1024;

/**
 * Makes the WebAssembly heap fail loudly. When the heap is full, the allocator returns address 0 without an error, or
 * an invalid address if the block's end wraps around 4 GiB; tensors then silently overwrite each other. So every tensor
 * allocation is counted and refused above a cap, every block must lie inside the heap, and a kernel that allocates
 * inside the module, unseen, must first prove that room exists.
 */
export class HeapGuard {
  readonly #allocator: Allocator;
  readonly #malloc: (bytes: number) => number;
  readonly #free: (pointer: number) => void;
  readonly #sizes = new Map<number, number>();
  readonly #cap: number;
  #live = 0;
  #peak = 0;
  #failure: string | null = null;

  constructor(allocator: Allocator, cap = HEAP_LIMIT - RESERVE) {
    this.#allocator = allocator;
    this.#cap = cap;
    // The module's functions replace themselves at their first call, and would replace ours.
    allocator._free(allocator._malloc(1));
    this.#malloc = allocator._malloc.bind(allocator);
    this.#free = allocator._free.bind(allocator);
    allocator._malloc = (bytes) => this.#allocate(bytes);
    allocator._free = (pointer) => this.#release(pointer);
  }

  /** Bytes of all tensors in the heap, temporaries included. */
  get liveBytes(): number {
    return this.#live;
  }

  get peakBytes(): number {
    return this.#peak;
  }

  get capBytes(): number {
    return this.#cap;
  }

  /**
   * Checks that a kernel can allocate these blocks inside the module at once, and a little more. @throws
   * OutOfMemoryError
   */
  requireNative(blocks: readonly number[]): void {
    const pointers: number[] = [];
    try {
      for (const bytes of [...blocks, NATIVE_SLACK]) pointers.push(this.#block(bytes));
    } finally {
      for (const pointer of pointers) this.#free(pointer);
    }
  }

  /** Receives a line that the module printed, the only sign of a kernel whose setup failed. */
  report(message: string): void {
    if (message.startsWith('XNN status')) this.#failure ??= message;
  }

  /** @throws OutOfMemoryError if the setup of a kernel failed since the last call, or would fail next */
  check(): void {
    if (this.#failure === null) {
      this.requireNative([]);
      return;
    }
    const failure = this.#failure;
    this.#failure = null;
    throw new OutOfMemoryError(
      `a kernel found no room in the WebAssembly heap (${failure}); choose a smaller batch or another strategy`,
      null,
    );
  }

  /** Frees every counted block that failed kernels left behind. Call it when no tensor is alive. */
  sweep(): void {
    for (const pointer of this.#sizes.keys()) this.#free(pointer);
    this.#sizes.clear();
    this.#live = 0;
  }

  #allocate(bytes: number): number {
    if (this.#live + bytes > this.#cap) this.#refuse(bytes);
    const pointer = this.#block(bytes);
    this.#sizes.set(pointer >>> 0, bytes);
    this.#live += bytes;
    this.#peak = Math.max(this.#peak, this.#live);
    return pointer;
  }

  /** Checks that a block lies inside the heap. */
  #block(bytes: number): number {
    const pointer = this.#malloc(bytes);
    const start = pointer >>> 0;
    if (start === 0 && bytes > 0) this.#refuse(bytes);
    if (start + bytes > this.#allocator.HEAPU8.byteLength) {
      this.#free(pointer);
      this.#refuse(bytes);
    }
    return pointer;
  }

  #release(pointer: number): void {
    const bytes = this.#sizes.get(pointer >>> 0);
    if (bytes !== undefined) {
      this.#sizes.delete(pointer >>> 0);
      this.#live -= bytes;
    }
    this.#free(pointer);
  }

  #refuse(bytes: number): never {
    throw new OutOfMemoryError(
      `the WebAssembly heap holds ${formatBytes(this.#live)} of at most ${formatBytes(this.#cap)} and has no room for ${formatBytes(bytes)} more; choose a smaller batch or another strategy`,
      this.#live + bytes,
    );
  }
}
