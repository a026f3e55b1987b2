import { Heap } from '../../heap.ts';

/** Storages up to which each eviction looks at all of them. */
export const MAX_LOOKED_AT = 3000;
/** Keys of these: each storage, and what its operations keep. */
const MAX_EXACT = 2 * MAX_LOOKED_AT;
/** Answers between two looks at all keys, as a share of the keys. */
const BETWEEN_LOOKS = 1 / 64;

/**
 * The key of the least score among those that can be evicted, where scores change with time. Up to 6,000 keys each answer
 * looks at all that were offered and can be evicted still. Above, all are scored again only after a share of answers;
 * between two looks a heap of former scores answers, and its first key is scored again before it is believed. So a score
 * that rose is noticed at once, one that fell at the next look: an approximation in place of the runtime's random samples
 * (Kirisame et al., appendix on overheads).
 *
 * Time O(evictable keys) an answer up to 6,000 keys, O(64 + log keys) on average above; space O(keys).
 */
export class LeastScored {
  readonly #keys: number;
  readonly #scoreOf: (key: number, most?: number) => number;
  readonly #isQueued: Uint8Array;
  /** Up to 6,000 keys: those offered, in no order. */
  readonly #offered: number[] = [];
  #heap = emptyHeap();
  #untilLook = 0;

  /** @param scoreOf infinite for what cannot be evicted now; any number above `most` where the score is above it */
  constructor(keys: number, scoreOf: (key: number, most?: number) => number) {
    this.#keys = keys;
    this.#scoreOf = scoreOf;
    this.#isQueued = new Uint8Array(keys);
  }

  /** Tells of a key that can be evicted from now on: its tensor came, or its last lock went. */
  offer(key: number): void {
    if (this.#isQueued[key] === 1) return;
    if (this.#keys <= MAX_EXACT) {
      this.#isQueued[key] = 1;
      this.#offered.push(key);
      return;
    }
    if (this.#untilLook === 0) return;
    const score = this.#scoreOf(key);
    if (score === Number.POSITIVE_INFINITY) return;
    this.#isQueued[key] = 1;
    this.#heap.push({ key, score });
  }

  /** The key of least score, the lowest of equals; -1 where nothing can be evicted. */
  take(): number {
    if (this.#keys <= MAX_EXACT) return this.#lookAtAll();
    const found = this.#untilLook > 0 ? this.#first() : -1;
    this.#untilLook--;
    if (found >= 0) return found;
    this.#heap = emptyHeap();
    this.#isQueued.fill(0);
    this.#untilLook = Math.ceil(this.#keys * BETWEEN_LOOKS);
    for (let key = 0; key < this.#keys; key++) this.offer(key);
    return this.#first();
  }

  #lookAtAll(): number {
    let [least, found] = [Number.POSITIVE_INFINITY, -1];
    const offered = this.#offered;
    let kept = 0;
    for (const key of offered) {
      const score = this.#scoreOf(key, least);
      if (score === Number.POSITIVE_INFINITY) {
        this.#isQueued[key] = 0;
        continue;
      }
      offered[kept++] = key;
      if (score < least || (score === least && key < found)) [least, found] = [score, key];
    }
    offered.length = kept;
    return found;
  }

  #first(): number {
    for (let top = this.#heap.pop(); top !== undefined; top = this.#heap.pop()) {
      this.#isQueued[top.key] = 0;
      if (this.#scoreOf(top.key) === top.score) return top.key;
      this.offer(top.key);
    }
    return -1;
  }
}

const emptyHeap = (): Heap<{ readonly key: number; readonly score: number }> =>
  new Heap((a, b) => a.score < b.score || (a.score === b.score && a.key < b.key));
