import { describe, expect, it } from 'vitest';
import { type Cause, causeOf } from '../../../engine/tables/causes.ts';
import { CVPR_TABLE_2, ICLR_TABLE_1 } from '../../../engine/tables/paper-tables.ts';
import { completeTable, type TableRow } from '../../../engine/tables/table.ts';
import { cvprRecipe, iclrRecipe } from '../../../engine/tables/training-tables.ts';

const cvpr = completeTable(cvprRecipe());
const iclr = completeTable(iclrRecipe());
const causesOf = (row: TableRow): readonly Cause[] => row['cause'] as readonly Cause[];

describe('the CVPR table', () => {
  it('has every row of the paper in its order', () => {
    expect(cvpr.rows.map((row) => row['network'])).toEqual(CVPR_TABLE_2.map((row) => row.network));
  });

  it('prints the median of Random over seeds with its range, and the paper lies in it where tensors alone count', () => {
    const inside: unknown[] = [];
    for (const row of cvpr.rows) {
      const [low, median, high] = ['randomLowMB', 'randomMB', 'randomHighMB'].map((key) => Number(row[key]));
      expect(low).toBeLessThanOrEqual(median ?? 0);
      expect(median).toBeLessThanOrEqual(high ?? 0);
      const paper = row['paperRandomMB'];
      if (typeof paper === 'number' && paper >= (low ?? 0) && paper <= (high ?? 0))
        inside.push(row['network']);
    }
    expect(inside).toEqual(
      expect.arrayContaining(['densenet121', 'densenet161', 'densenet169', 'densenet201', 'inceptionv3']),
    );
  });

  it("prints Chen by every budget and by memonger's search where the paper has him", () => {
    for (const row of cvpr.rows.filter(({ paperChenMB }) => paperChenMB !== null)) {
      expect(Number(row['chenMB']), String(row['network'])).toBeGreaterThan(0);
      expect(Number(row['chenMemongerMB']), String(row['network'])).toBeGreaterThan(0);
    }
    const alexnet = cvpr.rows.find(({ network }) => network === 'alexnet');
    expect(alexnet?.['chenMemongerMB']).toBeGreaterThan(Number(alexnet?.['chenMB']));
  });

  it('never lets the optimum of Eq. 2 lose a network to regular training', () => {
    for (const row of cvpr.rows) expect(Number(row['optimalMB'])).toBeLessThan(Number(row['regularMB']));
  });

  it('explains every difference over 5 %, and nothing else', () => {
    for (const row of cvpr.rows) {
      const differences = ['regular', 'random', 'chen', 'optimal'].map((name) => row[`${name}DifferencePct`]);
      const large = differences.some((pct) => typeof pct === 'number' && Math.abs(pct) > 5.05);
      if (large) expect(row['cause'], String(row['network'])).not.toEqual([]);
      if (causesOf(row).length > 0)
        expect(differences.some((pct) => Math.abs(Number(pct)) > 4.95)).toBe(true);
    }
  });
});

describe('the ICLR table', () => {
  it('keeps within 4 % of the Regular column on every row', () => {
    for (const row of iclr.rows) {
      const ratio = Number(row['savedMB']) / Number(row['paperRegularMB']);
      expect(Math.abs(ratio - 1), String(row['network'])).toBeLessThan(0.04);
    }
  });

  it('runs Chen by hand wherever the paper did', () => {
    const without = iclr.rows.filter((row) => row['chenMB'] === null).map((row) => row['network']);
    expect(without).toEqual(ICLR_TABLE_1.filter((row) => row.chenMB === null).map((row) => row.network));
  });
});

describe('causeOf', () => {
  it('says nothing of small differences and of what does not apply', () => {
    expect(causeOf('vgg16', 'cvpr', { column: 'ours', paperMB: 100, oursMB: 104 })).toBeNull();
    expect(causeOf('vgg16', 'cvpr', { column: 'chen', paperMB: null, oursMB: 104 })).toBeNull();
  });

  it('tells methods of measurement apart', () => {
    const larger = { column: 'ours', paperMB: 100, oursMB: 120 } as const;
    expect(causeOf('vgg16', 'iclr', larger)).toBe('difference-of-batches');
    expect(causeOf('nasnet', 'cvpr', { ...larger, oursMB: 80 })).toBe('small-tensors');
  });
});
