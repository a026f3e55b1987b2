import { describe, expect, it } from 'vitest';
import { familyOf } from '../../../../../renderer/screens/tables/cutoff/cutoff-bars.ts';
import { placeNames } from '../../../../../renderer/screens/tables/cutoff/place-names.ts';

const pairs = (...titles: string[]) =>
  titles.map((title) => ({ network: title, ...familyOf(title), paper: 1, ours: 1 }));
const CVPR = pairs(
  'AlexNet',
  ...['11', '13', '16', '19'].map((n) => `VGG-${n}`),
  ...['121', '161', '169', '201'].map((n) => `DenseNet-${n}`),
  'Inception-v3',
  'NASNet-A',
  'AmoebaNet-A',
  'DARTS',
);

describe('placeNames', () => {
  it('writes every name where there is room', () => {
    expect(placeNames(CVPR, { left: 0, right: 900 }).map(({ text }) => text)).toEqual([
      'AlexNet',
      'Inception-v3',
      'NASNet-A',
      'AmoebaNet-A',
      'DARTS',
    ]);
  });

  it('leaves names out rather than write them over each other', () => {
    for (const right of [200, 300, 400, 500, 640]) {
      const names = placeNames(CVPR, { left: 0, right });
      for (const [i, one] of names.entries()) {
        for (const other of names.slice(i + 1)) {
          if (one.row !== other.row) continue;
          expect(Math.abs(one.x - other.x)).toBeGreaterThan(
            ((one.text.length + other.text.length) / 2) * 5.9,
          );
        }
      }
    }
    expect(placeNames(CVPR, { left: 0, right: 300 }).length).toBeLessThan(5);
  });
});
