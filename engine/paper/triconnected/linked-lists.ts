const NONE = -1;

/** Doubly linked lists over a fixed set of elements, all in typed arrays; every operation is O(1). */
export class LinkedLists {
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** The list of an element, or -1. */
  readonly #list: Int32Array;

  constructor(lists: number, elements: number) {
    this.#first = new Int32Array(lists).fill(NONE);
    this.#last = new Int32Array(lists).fill(NONE);
    this.#next = new Int32Array(elements).fill(NONE);
    this.#previous = new Int32Array(elements).fill(NONE);
    this.#list = new Int32Array(elements).fill(NONE);
  }

  /** -1 when the list is empty. */
  first(list: number): number {
    return this.#first[list]!;
  }

  /** -1 behind the last; still known for an element that was removed while it was looked at. */
  next(element: number): number {
    return this.#next[element]!;
  }

  pushBack(list: number, element: number): void {
    const last = this.#last[list]!;
    this.#list[element] = list;
    this.#previous[element] = last;
    this.#next[element] = NONE;
    this.#last[list] = element;
    if (last === NONE) this.#first[list] = element;
    else this.#next[last] = element;
  }

  pushFront(list: number, element: number): void {
    const first = this.#first[list]!;
    this.#list[element] = list;
    this.#previous[element] = NONE;
    this.#next[element] = first;
    this.#first[list] = element;
    if (first === NONE) this.#last[list] = element;
    else this.#previous[first] = element;
  }

  /** Does nothing for an element that is in no list. */
  remove(element: number): void {
    const list = this.#list[element]!;
    if (list === NONE) return;
    this.#list[element] = NONE;
    const next = this.#next[element]!;
    const previous = this.#previous[element]!;
    if (next === NONE) this.#last[list] = previous;
    else this.#previous[next] = previous;
    if (previous === NONE) this.#first[list] = next;
    else this.#next[previous] = next;
  }
}
