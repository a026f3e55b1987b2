import { formatBytes, OutOfMemoryError } from '../../errors.ts';

/** The part of the WebAssembly module that allocates. */
export interface Allocator {
  _malloc(bytes: number): number;
  _free(pointer: number): void;
}

/** A 32-bit heap ends here (the module's own limit: 4 GiB less one page). */
export const HEAP_LIMIT = 4_294_901_760;
/** Left to the module's code, stack and static data, and to the allocator's headers and gaps. */
const RESERVE = 128 * 1024 * 1024;

/**
 * Makes the WebAssembly heap fail loudly. Past its end the allocator returns address 0 without an error,
 * and tensors silently overwrite each other: so every allocation of a tensor is counted and refused
 * above a cap, a null pointer is an error, and a kernel that allocates inside the module, where nobody
 * sees it, first has to show that there is room.
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
    // At their first call the module's functions replace themselves, and would replace ours.
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
   * Shows that a kernel can allocate this much inside the module.
   * @throws OutOfMemoryError
   */
  requireNative(bytes: number): void {
    const pointer = this.#malloc(bytes) >>> 0;
    if (pointer === 0) this.#refuse(bytes);
    this.#free(pointer);
  }

  /** What the module printed; a kernel that could not be set up says so and nothing else. */
  report(message: string): void {
    if (message.startsWith('XNN status')) this.#failure ??= message;
  }

  /** @throws OutOfMemoryError when a kernel could not be set up since the last call */
  check(): void {
    if (this.#failure === null) return;
    const failure = this.#failure;
    this.#failure = null;
    throw new OutOfMemoryError(
      `a kernel found no room in the WebAssembly heap (${failure}); choose a smaller batch or another strategy`,
      null,
    );
  }

  /** Gives the module its own functions back. */
  release(): void {
    this.#allocator._malloc = this.#malloc;
    this.#allocator._free = this.#free;
  }

  #allocate(bytes: number): number {
    if (this.#live + bytes > this.#cap) this.#refuse(bytes);
    const pointer = this.#malloc(bytes);
    if (pointer === 0) {
      if (bytes === 0) return 0;
      this.#refuse(bytes);
    }
    this.#sizes.set(pointer >>> 0, bytes);
    this.#live += bytes;
    this.#peak = Math.max(this.#peak, this.#live);
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
