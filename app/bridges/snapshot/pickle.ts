import { BadInputError } from '../../../engine/errors.ts';
import { ReadBudget } from '../../../engine/exchange/read-limits.ts';
import type { ByteSource } from '../../../engine/exchange/byte-source.ts';
import { ByteCursor } from './byte-cursor.ts';

/**
 * Python's pickles of plain data, protocols 2 to 5 (Lib/pickletools.py): None, bools, ints, floats, strings, bytes, lists,
 * tuples and dicts, with memo and frames. Everything else names code that Python would look up and call; here there is
 * nothing to call, and such a file is refused. Own reader, as a library builds whatever a file asks for: this one bounds
 * what it builds, reads a file in parts, and keeps dicts small (a snapshot has millions).
 */

/** A dict as its keys and values in turn, as they were set; of a key set twice the last one counts. */
export class PickleDict {
  readonly items: unknown[] = [];

  get(key: string): unknown {
    const { items } = this;
    for (let i = items.length - 2; i >= 0; i -= 2) if (items[i] === key) return items[i + 1];
    return undefined;
  }
}

const MAX_TEXT = 16 * 1024 * 1024;
const MAX_INT_BYTES = 16;
const MAX_LINE = 200;

const MARK = Symbol('mark');

const NAMES_CODE: ReadonlyMap<number, string> = new Map([
  [0x63, 'GLOBAL'],
  [0x93, 'STACK_GLOBAL'],
  [0x69, 'INST'],
  [0x6f, 'OBJ'],
  [0x81, 'NEWOBJ'],
  [0x92, 'NEWOBJ_EX'],
  [0x52, 'REDUCE'],
  [0x62, 'BUILD'],
  [0x50, 'PERSID'],
  [0x51, 'BINPERSID'],
  [0x82, 'EXT1'],
  [0x83, 'EXT2'],
  [0x84, 'EXT4'],
]);

/**
 * Reads a pickle: strings, numbers (bigint beyond 2^53), booleans, null, `Uint8Array`, arrays (of lists and tuples) and
 * `PickleDict`. What is shared in the file is one object here, so that what comes back may contain itself.
 * Time and space O(bytes), within the budget.
 *
 * @throws BadInputError in one sentence for a file that is damaged, too large, or more than data
 */
export function readPickle(source: ByteSource, budget = new ReadBudget()): unknown {
  return new PickleReader(new ByteCursor(source), budget).read();
}

class PickleReader {
  readonly #at: ByteCursor;
  readonly #stack: unknown[] = [];
  readonly #marks: number[] = [];
  readonly #memo: unknown[] = [];
  readonly #budget: ReadBudget;

  constructor(at: ByteCursor, budget: ReadBudget) {
    this.#at = at;
    this.#budget = budget;
  }

  read(): unknown {
    const at = this.#at;
    if (at.byte() !== 0x80) throw new BadInputError('the file is no pickle of protocol 2 to 5');
    const protocol = at.byte();
    if (protocol < 2 || protocol > 5)
      throw new BadInputError(`the file is a pickle of protocol ${protocol}; those from 2 to 5 are read`);
    for (let op = at.byte(); op !== 0x2e; op = at.byte()) {
      const before = this.#stack.length;
      this.#execute(op);
      if (this.#stack.length > before) this.#budget.values(1);
      this.#budget.items(this.#stack.length);
    }
    if (this.#stack.length !== 1) throw this.#damaged();
    return this.#pop();
  }

  #execute(op: number): void {
    const at = this.#at;
    const stack = this.#stack;
    switch (op) {
      case 0x95: // FRAME
        at.long();
        break;
      case 0x80: // PROTO
        at.byte();
        break;
      case 0x28: // MARK
        this.#marks.push(stack.length);
        this.#budget.depth(this.#marks.length);
        stack.push(MARK);
        break;
      case 0x30: // POP
        if (stack.at(-1) === MARK) this.#marks.pop();
        this.#popAny();
        break;
      case 0x31: // POP_MARK
        this.#fromMark();
        break;
      case 0x4e: // NONE
        stack.push(null);
        break;
      case 0x88: // NEWTRUE
        stack.push(true);
        break;
      case 0x89: // NEWFALSE
        stack.push(false);
        break;
      case 0x4a: // BININT
        stack.push(at.int() | 0);
        break;
      case 0x4b: // BININT1
        stack.push(at.byte());
        break;
      case 0x4d: // BININT2
        stack.push(at.short());
        break;
      case 0x8a: // LONG1
        stack.push(this.#integer(at.byte()));
        break;
      case 0x8b: // LONG4
        stack.push(this.#integer(at.int()));
        break;
      case 0x47: // BINFLOAT
        stack.push(at.double());
        break;
      case 0x8c: // SHORT_BINUNICODE
        stack.push(at.text(at.byte()));
        break;
      case 0x58: // BINUNICODE
        stack.push(at.text(this.#size(at.int())));
        break;
      case 0x8d: // BINUNICODE8
        stack.push(at.text(this.#size(at.long())));
        break;
      case 0x55: // SHORT_BINSTRING
        stack.push(at.text(at.byte()));
        break;
      case 0x54: // BINSTRING
        stack.push(at.text(this.#size(at.int())));
        break;
      case 0x43: // SHORT_BINBYTES
        this.#contain(at.bytes(at.byte()));
        break;
      case 0x42: // BINBYTES
        this.#contain(at.bytes(this.#size(at.int())));
        break;
      case 0x8e: // BINBYTES8
      case 0x96: // BYTEARRAY8
        this.#contain(at.bytes(this.#size(at.long())));
        break;
      case 0x5d: // EMPTY_LIST
      case 0x29: // EMPTY_TUPLE
        this.#contain([]);
        break;
      case 0x7d: // EMPTY_DICT
        this.#contain(new PickleDict());
        break;
      case 0x6c: // LIST
      case 0x74: // TUPLE
        this.#contain(this.#fromMark());
        break;
      case 0x85: // TUPLE1
      case 0x86: // TUPLE2
      case 0x87: // TUPLE3
        this.#tuple(op - 0x84);
        break;
      case 0x64: // DICT
        this.#fill(new PickleDict(), this.#fromMark(), true);
        break;
      case 0x61: // APPEND
        this.#append([this.#pop()]);
        break;
      case 0x65: // APPENDS
        this.#append(this.#fromMark());
        break;
      case 0x73: {
        // SETITEM
        const value = this.#pop();
        this.#set([this.#pop(), value]);
        break;
      }
      case 0x75: // SETITEMS
        this.#set(this.#fromMark());
        break;
      case 0x68: // BINGET
        this.#recall(at.byte());
        break;
      case 0x6a: // LONG_BINGET
        this.#recall(at.int());
        break;
      case 0x71: // BINPUT
        this.#remember(at.byte());
        break;
      case 0x72: // LONG_BINPUT
        this.#remember(at.int());
        break;
      case 0x94: // MEMOIZE
        this.#remember(this.#memo.length);
        break;
      default:
        throw this.#refused(op);
    }
  }

  #contain(container: unknown): void {
    this.#budget.container();
    this.#stack.push(container);
  }

  #tuple(count: number): void {
    const values: unknown[] = [];
    for (let i = 0; i < count; i++) values.unshift(this.#pop());
    this.#contain(values);
  }

  #append(values: readonly unknown[]): void {
    const list = this.#stack.at(-1);
    if (!Array.isArray(list)) throw this.#damaged();
    this.#budget.items(list.length + values.length);
    for (const value of values) list.push(value);
  }

  #set(items: readonly unknown[]): void {
    const dict = this.#stack.at(-1);
    if (!(dict instanceof PickleDict)) throw this.#damaged();
    this.#fill(dict, items, false);
  }

  #fill(dict: PickleDict, items: readonly unknown[], isNew: boolean): void {
    if (items.length % 2 !== 0) throw this.#damaged();
    this.#budget.items(dict.items.length + items.length);
    for (const item of items) dict.items.push(item);
    if (isNew) this.#contain(dict);
  }

  #recall(index: number): void {
    // No value is undefined.
    const value = this.#memo[index];
    if (value === undefined) throw this.#damaged();
    this.#stack.push(value);
  }

  #remember(index: number): void {
    // Writers number what they wrote without gaps.
    if (index > this.#memo.length) throw this.#damaged();
    const value = this.#stack.at(-1);
    if (value === undefined || value === MARK) throw this.#damaged();
    if (index === this.#memo.length) this.#budget.values(1);
    this.#budget.items(index);
    this.#memo[index] = value;
  }

  #popAny(): unknown {
    if (this.#stack.length === 0) throw this.#damaged();
    return this.#stack.pop();
  }

  #pop(): unknown {
    const value = this.#popAny();
    if (value === MARK) throw this.#damaged();
    return value;
  }

  #fromMark(): unknown[] {
    const mark = this.#marks.pop();
    if (mark === undefined || this.#stack[mark] !== MARK) throw this.#damaged();
    const values = this.#stack.splice(mark);
    values.shift();
    return values;
  }

  #size(bytes: number): number {
    if (bytes > MAX_TEXT) throw tooMuch('bytes in one text');
    return bytes;
  }

  /** Little-endian two's complement. */
  #integer(length: number): number | bigint {
    if (length > MAX_INT_BYTES) throw tooMuch('digits in one number');
    // Addresses and times, of which there are two an event.
    const short = length < 8 ? this.#at.signed(length) : null;
    if (short !== null && Number.isSafeInteger(short)) return short;
    if (short !== null) this.#at.back(length);
    const bytes = this.#at.bytes(length);
    let value = 0n;
    for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i] ?? 0);
    if (length > 0 && ((bytes[length - 1] ?? 0) & 0x80) !== 0) value -= 1n << BigInt(8 * length);
    return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= -BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value)
      : value;
  }

  #refused(op: number): BadInputError {
    const code = NAMES_CODE.get(op);
    if (code === undefined)
      return new BadInputError(
        `the pickle has more than data at byte ${this.#at.offset - 1} (opcode 0x${op.toString(16).padStart(2, '0')}), or is damaged`,
      );
    const what = this.#named(op);
    return new BadInputError(
      `the pickle would make Python run code (${code}${what}); nothing was run. A memory snapshot is plain data`,
    );
  }

  /** Name of the class or function, when the opcode carries one. */
  #named(op: number): string {
    const at = this.#at;
    const parts = op === 0x63 || op === 0x69 ? [at.line(MAX_LINE), at.line(MAX_LINE)] : this.#stack.slice(-2);
    if (op !== 0x63 && op !== 0x69 && op !== 0x93) return '';
    const words = parts.filter((part): part is string => typeof part === 'string');
    const name = words.join('.').replaceAll(/[^\w.]/g, '');
    return words.length < 2 || name === '' ? '' : ` of ${name.slice(0, 80)}`;
  }

  #damaged(): BadInputError {
    return new BadInputError(`the pickle is damaged at byte ${this.#at.offset}`);
  }
}

const tooMuch = (of: string): BadInputError =>
  new BadInputError(`the pickle has too many ${of}; record a step or two (max_entries) and open that`);
