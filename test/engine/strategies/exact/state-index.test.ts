import { describe, expect, it } from 'vitest';
import { StateIndex } from '../../../../engine/strategies/exact/state-index.ts';

describe('the numbers of states', () => {
  it('are given in the order in which states are met, and once', () => {
    const index = new StateIndex();
    expect(index.size).toBe(0);
    expect(index.find(7)).toBe(-1);
    expect(index.add(7)).toBe(0);
    expect(index.add(2 ** 52)).toBe(1);
    expect(index.add(7)).toBe(0);
    expect(index.find(2 ** 52)).toBe(1);
    expect(index.find(2 ** 52 + 1)).toBe(-1);
    expect(index.size).toBe(2);
  });

  it('stay while the table grows, for keys that differ in low digits, in high ones or in both', () => {
    const index = new StateIndex();
    const keys: number[] = [];
    for (let i = 0; i < 2000; i++) keys.push(i, (i + 1) * 2 ** 32, (i + 1) * (2 ** 40 + 1));
    expect(keys.map((key) => index.add(key))).toEqual(keys.map((_, i) => i));
    expect(keys.map((key) => index.find(key))).toEqual(keys.map((_, i) => i));
    expect(keys.map((key) => index.add(key))).toEqual(keys.map((_, i) => i));
    expect(index.size).toBe(6000);
    for (let i = 3000; i < 4000; i++) expect(index.find(i)).toBe(-1);
  });

  it('are never those of another state that begins at the same place', () => {
    for (let first = 0; first < 40; first++) {
      const index = new StateIndex();
      index.add(first);
      const others = Array.from({ length: 400 }, (_, i) => 1000 + 7 * i);
      expect(others.map((key) => index.find(key))).toEqual(others.map(() => -1));
      expect(others.map((key) => index.add(key))).toEqual(others.map((_, i) => i + 1));
    }
  });
});
