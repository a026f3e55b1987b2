/** Columns of numbers by item, as they were before a change: from it the change is undone and redone. */
export class ChangeRecord {
  readonly #columns: readonly Int32Array[];
  /** The numbers of before, a row of all columns for each of `#items`. */
  readonly #before: Int32Array;
  readonly #items: Int32Array;
  #count = 0;

  /** @param columns of one length */
  constructor(columns: readonly Int32Array[]) {
    this.#columns = columns;
    this.#before = new Int32Array(columns.length * columns[0]!.length);
    this.#items = new Int32Array(columns[0]!.length);
  }

  /** Items changed. */
  get count(): number {
    return this.#count;
  }

  item(place: number): number {
    return this.#items[place]!;
  }

  /** The number in a column before the change, or after it where it is taken back. */
  before(place: number, column: number): number {
    return this.#before[place * this.#columns.length + column]!;
  }

  /** Begins a change. */
  clear(): void {
    this.#count = 0;
  }

  /** Records an item that is about to change, once. */
  add(item: number): void {
    const columns = this.#columns;
    const place = this.#count++;
    const row = place * columns.length;
    this.#items[place] = item;
    for (let c = 0; c < columns.length; c++) this.#before[row + c] = columns[c]![item]!;
  }

  /** Undoes the change: a second time it redoes it. */
  swap(): void {
    const columns = this.#columns;
    const before = this.#before;
    for (let place = 0; place < this.#count; place++) {
      const item = this.#items[place]!;
      const row = place * columns.length;
      for (let c = 0; c < columns.length; c++) {
        const column = columns[c]!;
        const was = before[row + c]!;
        before[row + c] = column[item]!;
        column[item] = was;
      }
    }
  }
}
