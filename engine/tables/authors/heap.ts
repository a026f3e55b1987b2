const MIB = 2 ** 20;
const GRAIN = 512;
/** Requests up to this come from the pool of small blocks; in the other a rest up to this is not split off. */
const SMALL = MIB;
const SMALL_SEGMENT = 2 * MIB;
const LARGE_SEGMENT = 20 * MIB;
/** Requests from this on get a segment of their own size, rounded up. */
const OWN_SEGMENT = 10 * MIB;
const SEGMENT_GRAIN = 2 * MIB;

interface Block {
  readonly address: number;
  size: number;
  isFree: boolean;
  readonly isSmall: boolean;
  /** Neighbours in the segment. */
  previous: Block | undefined;
  next: Block | undefined;
}

/**
 * The CUDA caching allocator of PyTorch 1.5, and references to what it gave. A tensor takes a whole block: the smallest
 * free one that holds it, of which the rest is split off only where it is large enough; so `live` counts up to 1 MiB
 * more than was asked for. `exact` leaves all that out and counts what was asked for.
 *
 * Source: c10/cuda/CUDACachingAllocator.cpp as of 1.5, from memory of its rules. Time O(free blocks) a request.
 */
export class Heap {
  readonly #free: Block[] = [];
  readonly #blocks: Block[] = [];
  readonly #references: number[] = [];
  readonly #exact: boolean;
  #reserved = 0;
  #live = 0;
  peak = 0;

  constructor(exact: boolean) {
    this.#exact = exact;
  }

  allocate(bytes: number): number {
    const block = this.#blockOf(bytes);
    this.#blocks.push(block);
    this.#references.push(1);
    this.#live += block.size;
    this.peak = Math.max(this.peak, this.#live);
    return this.#blocks.length - 1;
  }

  hold(storage: number): number {
    this.#references[storage]!++;
    return storage;
  }

  drop(storage: number): void {
    if (--this.#references[storage]! > 0) return;
    const block = this.#blocks[storage]!;
    this.#live -= block.size;
    if (!this.#exact && block.size > 0) this.#release(block);
  }

  isShared(storage: number): boolean {
    return this.#references[storage]! > 1;
  }

  get live(): number {
    return this.#live;
  }

  /** Gives segments that are free as a whole back to the device. */
  empty(): void {
    for (let i = this.#free.length - 1; i >= 0; i--) {
      const { previous, next } = this.#free[i]!;
      if (previous === undefined && next === undefined) this.#free.splice(i, 1);
    }
  }

  #blockOf(bytes: number): Block {
    const size = this.#exact ? bytes : Math.ceil(bytes / GRAIN) * GRAIN;
    const isSmall = size <= SMALL;
    const none = { previous: undefined, next: undefined };
    if (this.#exact || size === 0) return { address: 0, size, isFree: false, isSmall, ...none };
    let block: Block | undefined;
    for (const free of this.#free) {
      if (free.isSmall !== isSmall || free.size < size) continue;
      if (
        block === undefined ||
        free.size < block.size ||
        (free.size === block.size && free.address < block.address)
      ) {
        block = free;
      }
    }
    if (block === undefined) {
      const segment = isSmall
        ? SMALL_SEGMENT
        : size < OWN_SEGMENT
          ? LARGE_SEGMENT
          : Math.ceil(size / SEGMENT_GRAIN) * SEGMENT_GRAIN;
      block = { address: this.#reserved, size: segment, isFree: true, isSmall, ...none };
      this.#reserved += segment;
    } else this.#free.splice(this.#free.indexOf(block), 1);
    block.isFree = false;
    const rest = block.size - size;
    if (isSmall ? rest >= GRAIN : rest > SMALL) {
      const after: Block = {
        address: block.address + size,
        size: rest,
        isFree: true,
        isSmall,
        previous: block,
        next: block.next,
      };
      if (block.next !== undefined) block.next.previous = after;
      block.next = after;
      block.size = size;
      this.#free.push(after);
    }
    return block;
  }

  #release(block: Block): void {
    let whole = block;
    const { previous, next } = block;
    if (previous?.isFree === true) {
      previous.size += block.size;
      previous.next = next;
      if (next !== undefined) next.previous = previous;
      this.#free.splice(this.#free.indexOf(previous), 1);
      whole = previous;
    }
    if (next?.isFree === true) {
      whole.size += next.size;
      whole.next = next.next;
      if (next.next !== undefined) next.next.previous = whole;
      this.#free.splice(this.#free.indexOf(next), 1);
    }
    whole.isFree = true;
    this.#free.push(whole);
  }
}
