import { describe, expect, it } from 'vitest';
import {
  checksum,
  contentSum,
  iterationRow,
  lineSum,
  type SummedLine,
} from '../../../main/history/checksum.ts';

const LINE: SummedLine = {
  ...{ id: 'id', source: 'lab', begunMs: 1, endedMs: 2, outcome: 'failed', failure: 'f' },
  ...{ name: 'name', note: 'note', summary: '{}' },
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the sum of what is kept', () => {
  it('knows values from their texts, and what belongs to which', () => {
    const sums = [
      [],
      [''],
      ['', ''],
      [null],
      ['null'],
      [1],
      ['1'],
      [-1],
      ['ab', ''],
      ['a', 'b'],
      ['', 'ab'],
      ['b', 'a'],
      ['ä'],
    ].map(checksum);
    expect(new Set(sums).size).toBe(sums.length);
    for (const sum of sums) expect(Number.isSafeInteger(sum) && sum >= 0 && sum < 2 ** 32).toBe(true);
  });

  it('is that of a disk: the same again, with an empty array without memory, too', () => {
    expect(checksum(['a', new Uint8Array(0), 'b'])).toBe(
      checksum(['a', new Uint8Array(new ArrayBuffer(0)), 'b']),
    );
    expect(checksum(['a', new Uint8Array(0)])).not.toBe(checksum(['a']));
    expect(checksum(['a', new Uint8Array(0)])).not.toBe(checksum([new Uint8Array(0)]));
    // It is kept, so that it is the same in every version: CRC-32 of `t6:zigzagv1:1v4:nullv1:x`.
    expect(checksum(['zigzag', 1, null, bytes('x')])).toBe(3_849_175_985);
  });

  it('of a line counts every value in it, as text or as the bytes of it', () => {
    const sum = lineSum(LINE);
    for (const key of Object.keys(LINE) as (keyof SummedLine)[]) {
      const other = typeof LINE[key] === 'number' ? 7 : 'other';
      expect(lineSum({ ...LINE, [key]: other }), key).not.toBe(sum);
      if (typeof LINE[key] === 'string')
        expect(lineSum({ ...LINE, [key]: bytes(LINE[key] as string) }), key).toBe(sum);
    }
    expect(lineSum({ ...LINE, failure: null })).not.toBe(lineSum({ ...LINE, failure: '' }));
    expect(lineSum({ ...LINE, endedMs: null })).not.toBe(sum);
  });

  it('of a content counts the request, the facts, the measured bytes and the iterations', () => {
    const iterations = Float64Array.from([1, 2, 3, 4, 5, 6]);
    const sum = contentSum('r', 'f', bytes('m'), iterations);
    expect(contentSum(bytes('r'), bytes('f'), bytes('m'), iterations)).toBe(sum);
    // A view into more memory counts as what it shows.
    const more = Float64Array.from([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(contentSum('r', 'f', bytes('m'), more.subarray(1, 7))).toBe(sum);
    const others = [
      contentSum('R', 'f', bytes('m'), iterations),
      contentSum('r', 'F', bytes('m'), iterations),
      contentSum('r', 'f', bytes('M'), iterations),
      contentSum('r', 'f', null, iterations),
      contentSum('r', 'f', bytes('m'), iterations.subarray(3)),
    ];
    expect(new Set([sum, ...others]).size).toBe(6);
  });

  it('takes nothing for infinite, as no loss that is kept is', () => {
    expect(iterationRow(1, null, null)).toEqual([1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect(iterationRow(1, 0, 0)).toEqual([1, 0, 0]);
  });
});
