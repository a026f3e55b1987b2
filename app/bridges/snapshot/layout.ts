import { ReadBudget } from '../../../engine/exchange/read-limits.ts';

/** Above this a block comes from the large pool (`kSmallSize`, c10/cuda/CUDACachingAllocator). */
const SMALL = 1024 * 1024;
/** The least that the allocator gives, and what it rounds to (`kMinBlockSize`). */
const UNIT = 512;

const roundedTo = (bytes: number): number => Math.max(UNIT, Math.ceil(bytes / UNIT) * UNIT);

interface Room {
  readonly start: number;
  readonly end: number;
  /** Start addresses of the blocks, ascending. */
  readonly blocks: number[];
}

/**
 * Addresses of the blocks of the large pool, because they decide how much each takes: the allocator leaves a block
 * whole unless more than 1 MiB would be left over (`should_split`), and what is not split off counts as allocated. All
 * blocks of that pool are larger than 1 MiB, so that a smaller gap behind one is its own. Blocks of the small pool, and
 * all under expandable segments, are split to 512 bytes.
 */
export class Layout {
  readonly #rooms: Room[] = [];
  readonly #splits: boolean;
  readonly #mostSplit: number;
  readonly #budget: ReadBudget;

  /** @param splits whether everything is split to 512 bytes; @param mostSplit blocks from this size on never are */
  constructor(splits: boolean, mostSplit: number, budget = new ReadBudget()) {
    this.#budget = budget;
    this.#splits = splits;
    this.#mostSplit = mostSplit;
  }

  addSegment(start: number, size: number): void {
    if (this.#splits) return;
    this.#insertInto(this.#rooms, this.#place(start) + 1, { start, end: start + size, blocks: [] });
  }

  removeSegment(start: number): void {
    const at = this.#place(start);
    if (this.#rooms[at]?.start === start) this.#rooms.splice(at, 1);
  }

  /** Puts a block where it lies. */
  put(address: number, requested: number): void {
    const room = this.#roomOf(address, requested);
    if (room === null) return;
    this.#insertInto(room.blocks, after(room.blocks, address), address);
  }

  remove(address: number, requested: number): void {
    const room = this.#roomOf(address, requested);
    if (room === null) return;
    const at = after(room.blocks, address) - 1;
    if (room.blocks[at] === address) room.blocks.splice(at, 1);
  }

  /** Bytes that a block at this address takes. */
  extentOf(address: number, requested: number): number {
    const least = roundedTo(requested);
    const room = this.#roomOf(address, requested);
    if (room === null) return least;
    const whole = (room.blocks[after(room.blocks, address)] ?? room.end) - address;
    const isSplit = whole < this.#mostSplit && whole - least > SMALL;
    return whole < least || isSplit ? least : whole;
  }

  /** Moves what comes after, some four values in a nanosecond. */
  #insertInto<T>(list: T[], at: number, value: T): void {
    this.#budget.work((list.length - at) / 4);
    list.splice(at, 0, value);
  }

  #roomOf(address: number, requested: number): Room | null {
    if (this.#splits || requested <= SMALL) return null;
    const room = this.#rooms[this.#place(address)];
    return room !== undefined && address < room.end ? room : null;
  }

  /** The last segment that begins at or before an address; -1 if none exists. */
  #place(address: number): number {
    let [low, high] = [0, this.#rooms.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#rooms[middle]!.start <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** How many begin at or before an address. */
function after(blocks: readonly number[], address: number): number {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blocks[middle]! <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}
