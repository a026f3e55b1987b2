import { BadInputError } from '../errors.ts';

const MIB = 1024 * 1024;

/**
 * The budget of every reader of a file, in one place: bytes read, values made, depth and work. A file is refused in one
 * sentence where it would cost more, whatever its format.
 */

/** Bytes of a network or plan in JSON; a million vertices fit. */
export const MAX_GRAPH_FILE_BYTES = 160 * MIB;
/** Bytes of measured costs; a million operations fit. */
export const MAX_COSTS_FILE_BYTES = 160 * MIB;
/** Bytes of a memory snapshot, unpacked. */
export const MAX_SNAPSHOT_BYTES = 256 * MIB;
/** Bytes of what `measure` returned. */
export const MAX_RESULT_BYTES = MIB;
/** Bytes of measured columns of a table. */
export const MAX_MEASUREMENTS_BYTES = 16 * MIB;
/** Bytes of saved runs. */
export const MAX_RUNS_FILE_BYTES = 64 * MIB;
/** Bytes of one line of a sweep's shard; lines are read one by one. */
export const MAX_LINE_BYTES = 16 * MIB;
/** Bytes of any file on its way to the lab; the command line reads larger ones from the disk. */
export const MAX_IMPORT_BYTES = 64 * MIB;

/** Lists in lists; a snapshot has five levels. */
const MAX_DEPTH = 200;
/** Memory of all values, in words of 8 bytes: 2 GiB. The longest snapshot of PyTorch takes three quarters of it. */
const MAX_WORDS = 2 ** 28;
/** Words of a list or object without its items. */
const CONTAINER_WORDS = 12;
/** Words of a name in an object: the text, and its place in the object's shape. */
const NAME_WORDS = 4;
/** Items of one list: V8 ends the process where a list grows beyond 2^27. */
const MAX_ITEMS = 8_000_000;
/** Lists and objects of one file. */
const MAX_CONTAINERS = 8_000_000;
/** The same of a JSON file: V8's parser slows down with each that is open or read. A million vertices with edges fit. */
export const MAX_JSON_CONTAINERS = 4_000_000;
/** Steps of a nanosecond or so: what a shared part costs each time that it is met, where a format can share. */
const MAX_STEPS = 2 ** 31;

/** Counts what one file costs. @throws BadInputError in one sentence, from every method, where it is too much */
export class ReadBudget {
  readonly #advice: string;
  readonly #maxContainers: number;
  #words = 0;
  #containers = 0;
  #steps = 0;

  /** @param advice what to do about a file that is too large, as the end of a sentence */
  constructor(advice = 'save less in it', maxContainers = MAX_CONTAINERS) {
    this.#advice = advice;
    this.#maxContainers = maxContainers;
  }

  container(): void {
    if (++this.#containers > this.#maxContainers)
      throw this.#tooMuch('lists and objects', this.#maxContainers);
    this.values(CONTAINER_WORDS);
  }

  name(): void {
    this.values(NAME_WORDS);
  }

  values(count: number): void {
    this.#words += count;
    if (this.#words > MAX_WORDS) throw this.#tooMuch('words of values', MAX_WORDS);
  }

  /** @param length of one list */
  items(length: number): void {
    if (length > MAX_ITEMS) throw this.#tooMuch('values in one list', MAX_ITEMS);
  }

  depth(levels: number): void {
    if (levels > MAX_DEPTH) throw this.#tooMuch('levels of lists and objects', MAX_DEPTH);
  }

  work(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS)
      throw new BadInputError(`the file repeats its parts endlessly; ${this.#advice}`);
  }

  #tooMuch(what: string, limit: number): BadInputError {
    return new BadInputError(
      `the file has too many ${what} (${limit.toLocaleString('en')} at most); ${this.#advice}`,
    );
  }
}
