import { describe, expect, it } from 'vitest';
import { type Cause, drawnSets, explain } from '../../../engine/tables/causes.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { ICLR_TABLE_1 } from '../../../engine/tables/iclr-tables.ts';
import { CVPR_TABLE_2 } from '../../../engine/tables/paper-tables.ts';
import { rowPlans } from '../../../engine/tables/row-plans.ts';
import type { TableRow } from '../../../engine/tables/table.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { solvedTable } from '../../support/solved-tables.ts';

const cvpr = solvedTable('cvpr');
const iclr = solvedTable('iclr');
const causesOf = (row: TableRow): readonly Cause[] => row['cause'] as readonly Cause[];
const COLUMNS = [
  ['regular', 'regularMB', 'paperRegularMB'],
  ['random', 'randomMB', 'paperRandomMB'],
  ['chen', 'chenMB', 'paperChenMB'],
  ['ours', 'optimalMB', 'paperOursMB'],
] as const;
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

  it('prints the range of the literal protocol too, and counts the figures in both as its note says', () => {
    const drawn = cvpr.rows.filter((row) => row['paperRandomMB'] !== null);
    const outside = (low: string, high: string): unknown[] =>
      drawn
        .filter((row) => {
          const paper = Number(row['paperRandomMB']);
          return paper < Number(row[low]) || paper > Number(row[high]);
        })
        .map((row) => row['network']);
    const own = outside('randomLowMB', 'randomHighMB');
    const literal = outside('randomLiteralLowMB', 'randomLiteralHighMB');
    expect(own).toEqual(['alexnet', 'vgg16', 'vgg19']);
    expect(literal).toEqual([...own, 'densenet161', 'densenet169', 'inceptionv3']);
    expect(cvpr.notes.join(' ')).toContain(
      `it has ${drawn.length - own.length} of the ${drawn.length} printed figures in its range, the literal reading ${drawn.length - literal.length}`,
    );
  });

  it('leaves the time overhead of DARTS and DenseNet-201 unexplained, and says that it is predicted from FLOPs', () => {
    const far = cvpr.rows.filter((row) =>
      causesOf(row).some((cause) => cause.kind === 'unexplained-time' && Math.abs(cause.points) > 5),
    );
    expect(far.map((row) => row['network'])).toEqual(['densenet201', 'darts']);
    expect(cvpr.notes.join(' ')).toMatch(/memory traffic, kernel launches .* left out/);
    // Both times of both networks are in the file that measures the table.
    for (const network of ['densenet201', 'darts']) {
      expect(rowPlans(network, 'optimal', 1)[0]?.segments.some(({ again }) => again)).toBe(true);
    }
  });

  it('finds no valid random set on the networks on which the paper found none', () => {
    for (const row of cvpr.rows.slice(15)) {
      expect([row['network'], row['paperRandomMB'], row['randomMB']]).toEqual([row['network'], null, null]);
    }
  });

  const within = (key: string, percent: number): unknown[] =>
    cvpr.rows.filter((row) => Math.abs(Number(row[key])) <= percent).map((row) => row['network']);
  const rest = (networks: readonly unknown[]): string[] =>
    CVPR_TABLE_2.map(({ network }) => network).filter((network) => !networks.includes(network));

  it('[E1] [E7] [E8] [E9] has the paper\u2019s Regular within 0.3 % on every row', () => {
    expect(rest(within('regularDifferencePct', 0.3))).toEqual([]);
  });

  it('[E2] [E3] [E4] [E6] [E9] has the paper\u2019s optimum within 2 % but on two rows, which are 2.6 to 3.4 % lower', () => {
    const others = rest(within('optimalDifferencePct', 2));
    expect(others).toEqual(['nasnet', 'amoebanet']);
    for (const row of cvpr.rows.filter(({ network }) => others.includes(String(network)))) {
      expect(Number(row['optimalDifferencePct'])).toBeGreaterThan(-3.4);
      expect(Number(row['optimalDifferencePct'])).toBeLessThan(-2.6);
    }
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

  it('leaves unexplained what our figure, its counted rules among it, is off', () => {
    for (const row of cvpr.rows) {
      for (const [column, ours, printed] of COLUMNS) {
        const isCounted = column === 'regular' || column === 'ours';
        const named = causesOf(row).flatMap((c) =>
          'column' in c && c.column === column && (!isCounted || c.kind === 'unexplained')
            ? [c.megabytes]
            : [],
        );
        if (row[printed] === null || row[ours] === null) expect(named).toEqual([]);
        else
          expect(named.reduce((sum, mb) => sum + mb, 0)).toBeCloseTo(
            Number(row[printed]) - Number(row[ours]),
            6,
          );
      }
    }
  });

  it.each([
    // 42.2 and 19.8 MiB of it are copies for the factorized reductions after each reducing cell.
    ['nasnet', 'regular', 'saved-inputs', 1102, 1105],
    ['amoebanet', 'regular', 'saved-inputs', 873, 875],
    ['darts', 'regular', 'saved-inputs', 1227, 1230],
    ['resnet50', 'ours', 'dictionary', 310, 330],
    // conv2_2 takes 1766 MiB, when all but 3370 of the step has been freed.
    ['vgg13', 'regular', 'workspace', 580, 586],
    ['densenet121', 'ours', 'workspace', 88, 95],
    ['nasnet', 'ours', 'every-edge', 15, 17],
    ['resnet101', 'ours', 'shared-gradients', -99, -97],
  ])('finds in %s, %s, the effect of %s', (network, column, kind, low, high) => {
    const row = cvpr.rows.find((found) => found['network'] === network);
    const found = row && causesOf(row).find((c) => 'column' in c && c.column === column && c.kind === kind);
    const megabytes = found && 'megabytes' in found ? found.megabytes : Number.NaN;
    expect(megabytes).toBeGreaterThan(low);
    expect(megabytes).toBeLessThan(high);
  });
});

describe('the ICLR table', () => {
  it('runs segments reentrant and counts how much that moves the optimum', () => {
    for (const row of iclr.rows) {
      const counted = causesOf(row).find((c) => c.kind === 'reentrant');
      const network = String(row['network']);
      const size = { batch: Number(row['batch']), input: Number(row['input']) };
      const problem = createProblem(buildModel(network, size), 'pytorch-1.5');
      const { peakBytes } = solveRow(problem, 'optimal', { seed: 0, checkpointing: 'non-reentrant' });
      const without = (peakBytes ?? Number.NaN) / 2 ** 20;
      const megabytes = counted && 'megabytes' in counted ? counted.megabytes : Number.NaN;
      expect(Math.abs(Number(row['optimalMB']) - megabytes - without), network).toBeLessThan(0.06);
    }
  });

  it('says how many of the printed memories are even', () => {
    const printed = ICLR_TABLE_1.flatMap(({ regularMB, chenMB, oursMB }) => [
      regularMB,
      chenMB,
      oursMB,
    ]).filter((mb) => mb !== null);
    const even = printed.filter((mb) => mb % 2 === 0);
    expect(iclr.notes.join(' ')).toContain(
      `Of the ${printed.length} printed memories ${even.length} are even`,
    );
  });

  it('names the difference of two batch sizes, which accounts for the Regular of every VGG within 0.7 %', () => {
    for (const row of iclr.rows) {
      const rest = causesOf(row).find((c) => c.kind === 'unexplained' && c.column === 'regular');
      if (!String(row['network']).startsWith('vgg')) continue;
      expect(rest && 'percent' in rest && Math.abs(rest.percent), String(row['network'])).toBeLessThan(0.7);
    }
  });

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

describe('explain', () => {
  const effects = [{ kind: 'two-batches', megabytes: 30 }] as const;

  it('names no cause for a difference that needs none, nor for what the paper does not print', () => {
    const small = { column: 'ours', paperMB: 100, oursMB: 99.5, effects } as const;
    expect(explain(small)).toEqual([{ kind: 'unexplained', column: 'ours', megabytes: 0.5, percent: 0.5 }]);
    expect(explain({ ...small, paperMB: null })).toEqual([]);
  });

  it('says what a cause leaves over, also where it goes too far', () => {
    expect(explain({ column: 'ours', paperMB: 120, oursMB: 100, effects })).toEqual([
      { kind: 'two-batches', column: 'ours', megabytes: 30 },
      { kind: 'unexplained', column: 'ours', megabytes: -10, percent: expect.closeTo(-8.33, 2) },
    ]);
  });

  it('gives seeds no more than their range', () => {
    expect(drawnSets(150, [80, 100, 130])).toEqual([{ kind: 'drawn-sets', megabytes: 30 }]);
    expect(drawnSets(90, [80, 100, 130])).toEqual([{ kind: 'drawn-sets', megabytes: -10 }]);
    expect(drawnSets(null, [80, 100, 130])).toEqual([]);
    expect(drawnSets(90, [null, null, null])).toEqual([]);
  });
});
