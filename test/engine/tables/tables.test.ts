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

  it('has the paper\u2019s Random in the range of ours on 14 of 18 rows, those without one not counted against', () => {
    const outside: unknown[] = [];
    for (const row of cvpr.rows) {
      const [low, median, high] = ['randomLowMB', 'randomMB', 'randomHighMB'].map((key) => row[key]);
      const paper = row['paperRandomMB'];
      if (paper === null) continue;
      expect(Number(low)).toBeLessThanOrEqual(Number(median));
      expect(Number(median)).toBeLessThanOrEqual(Number(high));
      if (Number(paper) < Number(low) || Number(paper) > Number(high)) outside.push(row['network']);
    }
    expect(outside.length).toBeLessThanOrEqual(4);
  });

  it('finds no valid random set on the networks on which the paper found none', () => {
    for (const row of cvpr.rows.slice(15)) {
      expect([row['network'], row['paperRandomMB'], row['randomMB']]).toEqual([row['network'], null, null]);
    }
  });

  it('runs segments reentrant: the optimum is the paper\u2019s within 1 %', () => {
    const within = cvpr.rows.filter((row) => Math.abs(Number(row['optimalDifferencePct'])) < 1);
    expect(within.map((row) => row['network'])).toEqual([
      'vgg11',
      'vgg13',
      'vgg16',
      'vgg19',
      'resnet18',
      'resnet34',
      'inceptionv3',
    ]);
    // Per sample, as measured on the CPU: VGG11 43.45 MiB, VGG13 and VGG19 55.71 MiB.
    const perSample = ['vgg11', 'vgg13', 'vgg19'].map(
      (name) => Number(cvpr.rows.find((row) => row['network'] === name)?.['optimalMB']) / 64,
    );
    for (const [i, measured] of [43.45, 55.71, 55.71].entries()) {
      expect(Math.abs((perSample[i] ?? 0) - measured)).toBeLessThan(0.02);
    }
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
