import { describe, expect, it } from 'vitest';
import { completeTable } from '../../../engine/tables/table.ts';
import { WIDTH_KINDS, widthRecipe } from '../../../engine/tables/width-table.ts';
import { mergedLargestBag } from '../../../engine/decomposition/merged-levels.ts';

const { rows } = completeTable(widthRecipe());
const of = (start: string) => rows.filter(({ network }) => String(network).startsWith(start));

describe("002's list of treewidths", () => {
  it('prints the article\u2019s numbers', () => {
    // "Feed-forward network, treewidth=2; Resnet, treewidth=3; Multi-tower with k towers: treewidth=2k;
    // Feed-forward net with k global statistics: treewidth=2+k; Feedforward with k-skip connections: k"
    expect(of('Feed-forward network').map((row) => row['paperWidth'])).toEqual([2]);
    expect(of('Resnet').map((row) => row['paperWidth'])).toEqual([3]);
    expect(of('Multi-tower').map((row) => row['paperWidth'])).toEqual([4, 6, 8]);
    expect(of('Feed-forward net with').map((row) => row['paperWidth'])).toEqual([3, 4, 6]);
    expect(of('Feed-forward with skips').map((row) => row['paperWidth'])).toEqual([2, 3, 4]);
    // "k towers, skip connections in each tower going back k steps and k global statistics: O(k²) treewidth"
    const combined = rows.filter(({ paperWidth }) => paperWidth === 'O(k²)');
    expect(combined.map(({ network }) => String(network)[0])).toEqual(['2', '3', '4', '5']);
    // The article merges parallel paths; one tower after the other, bags grow with k alone.
    expect(combined.map(({ mergedBag }) => mergedBag)).toEqual([9, 16, 25, 36]);
    expect(combined.map(({ largestBag }) => largestBag)).toEqual([6, 8, 10, 12]);
  });

  it('finds the convention of every line, three in all', () => {
    const conventions = WIDTH_KINDS.map(({ title, sizes }) => of(title(sizes[0]!))[0]?.['convention']);
    expect(conventions).toEqual([
      'largest bag',
      'largest bag',
      'largest bag, parallel paths merged',
      'largest bag',
      'largest bag less one',
      'largest bag, parallel paths merged',
    ]);
  });

  it('says a difference wherever the largest bag is not the printed number, and none elsewhere', () => {
    for (const row of rows) {
      expect(row['width']).toBe(Number(row['largestBag']) - 1);
      if (row['paperWidth'] === 'O(k²)') continue;
      expect(row['difference']).toBe(Number(row['largestBag']) - Number(row['paperWidth']));
      expect(row['difference'] === 0).toBe(row['convention'] === 'largest bag');
    }
  });

  it('proves every width but three by its lower bound', () => {
    for (const row of rows) expect(Number(row['widthBound'])).toBeLessThanOrEqual(Number(row['width']));
    const unproved = rows.filter((row) => row['widthBound'] !== row['width']).map((row) => row['network']);
    expect(unproved.map((name) => String(name).slice(0, 21))).toEqual([
      'Feed-forward with ski',
      '4 towers, skips back ',
      '5 towers, skips back ',
    ]);
  });
});

it('mergedLargestBag counts all vertices that were merged into a bag', () => {
  //  0 > 1 > 3 > 5 and 0 > 2 > 4 > 5: {1, 2} with {3, 4}.
  const edges: [number, number][] = [
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 4],
    [3, 5],
    [4, 5],
  ];
  expect(mergedLargestBag(6, edges)).toBe(4);
  expect(mergedLargestBag(2, [[0, 1]])).toBe(2);
});
