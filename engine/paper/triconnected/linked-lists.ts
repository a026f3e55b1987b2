/**
 * Doubly linked lists over a fixed set of elements 0..elements-1, each in at most one list, all in two
 * typed arrays; every operation is O(1). A list is a ring through a node of its own, so that no end is
 * a special case.
 */
export class LinkedLists {
  readonly #elements: number;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;

  constructor(lists: number, elements: number) {
    this.#elements = elements;
    this.#next = new Int32Array(elements + lists);
    this.#previous = new Int32Array(elements + lists);
    for (let list = elements; list < elements + lists; list++) {
      this.#next[list] = list;
      this.#previous[list] = list;
    }
    this.#previous.fill(-1, 0, elements);
  }

  /** -1 when the list is empty. */
  first(list: number): number {
    return this.next(this.#elements + list);
  }

  /** -1 behind the last; still known for an element that was removed while the search stood on it. */
  next(element: number): number {
    const next = this.#next[element]!;
    return next < this.#elements ? next : -1;
  }

  pushBack(list: number, element: number): void {
    const end = this.#elements + list;
    this.#insert(this.#previous[end]!, element, end);
  }

  pushFront(list: number, element: number): void {
    const end = this.#elements + list;
    this.#insert(end, element, this.#next[end]!);
  }

  /** Does nothing for an element that is in no list. */
  remove(element: number): void {
    const previous = this.#previous[element]!;
    if (previous === -1) return;
    const next = this.#next[element]!;
    this.#next[previous] = next;
    this.#previous[next] = previous;
    this.#previous[element] = -1;
  }

  #insert(previous: number, element: number, next: number): void {
    this.#next[previous] = element;
    this.#previous[element] = previous;
    this.#next[element] = next;
    this.#previous[next] = element;
  }
}
