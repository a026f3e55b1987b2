import { describe, expect, it } from 'vitest';
import { Heap } from '../../engine/heap.ts';
import { createRng } from '../../engine/rng.ts';

describe('Heap', () => {
  it('returns the first item', () => {
    const rng = createRng(8);
    for (let size = 0; size < 40; size++) {
      const rank = Array.from({ length: size }, () => rng.below(15));
      const heap = new Heap<number>((a, b) => rank[a]! < rank[b]!);
      rank.forEach((_, i) => {
        heap.push(i);
      });
      const given: number[] = [];
      for (let i = heap.pop(); i !== undefined; i = heap.pop()) given.push(i);
      expect(given.map((i) => rank[i]!)).toEqual(rank.toSorted((a, b) => a - b));
      expect(new Set(given).size).toBe(size);
      expect(heap.pop()).toBeUndefined();
    }
  });

  it('makes few comparisons', () => {
    let compared = 0;
    const heap = new Heap<number>((a, b) => {
      compared++;
      return a < b;
    });
    for (let i = 1023; i >= 0; i--) heap.push(i);
    for (let i = 0; i < 1024; i++) expect(heap.pop()).toBe(i);
    // Ten levels: at most ten comparisons up and twenty down.
    expect(compared).toBeLessThan(1024 * 30);
    compared = 0;
    for (let i = 0; i < 1024; i++) heap.push(i);
    expect(compared).toBe(1023);
  });
});
