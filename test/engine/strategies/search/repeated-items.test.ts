import { describe, expect, it } from 'vitest';
import { repeatedItems } from '../../../../engine/strategies/search/repeated-items.ts';
import { modelOf, workChain } from '../../../support/live-models.ts';

describe('repeatedItems', () => {
  it('tells items apart by bytes, work and the distance of their uses', () => {
    const bytes = [1, 8, 4, 8, 4, 8, 4, 8, 1];
    const work = [0, 2, 3, 2, 3, 2, 9, 2, 1];
    const model = modelOf(workChain(bytes, work));
    const { kindOf, sorted, offsets } = repeatedItems(model);
    const kinds = Array.from({ length: offsets.length - 1 }, (_, k) => [
      ...sorted.subarray(offsets[k], offsets[k + 1]),
    ]);
    expect(kinds).toEqual([[0], [1, 3, 5, 7], [2, 4], [6], [8]]);
    kinds.forEach((items, kind) => {
      for (const item of items) expect(kindOf[item]).toBe(kind);
    });
    expect(repeatedItems(model)).toBe(repeatedItems(model));
  });
});
