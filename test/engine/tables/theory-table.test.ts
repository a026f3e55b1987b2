import { describe, expect, it } from 'vitest';
import { tensorView } from '../../../engine/graph/tensor-view.ts';
import type { Cause } from '../../../engine/tables/causes.ts';
import { cutoffSums, earlyView, percentOf } from '../../../engine/tables/early-view.ts';
import { ICLR_TABLE_2 } from '../../../engine/tables/iclr-tables.ts';
import { completeTable, type TableRow } from '../../../engine/tables/table.ts';
import { theoryRecipe } from '../../../engine/tables/theory-table.ts';
import { buildModel, modelInfo } from '../../../engine/zoo/zoo.ts';

const { rows } = completeTable(theoryRecipe(() => 0));
const rowOf = (network: string): TableRow => rows.find((row) => row['network'] === network) ?? {};
const causesOf = (row: TableRow): readonly Cause[] => row['cause'] as readonly Cause[];
const asPrinted = (row: TableRow): boolean =>
  Math.round(Number(row['theoreticalCutoffPct'])) === row['paperTheoreticalCutoffPct'];

const earlyOf = (network: string) => {
  const { defaultInput, family } = modelInfo(network);
  return earlyView(buildModel(network, { batch: 1, input: defaultInput }), family);
};

describe('the theory table', () => {
  it('times the fastest of several solutions with the clock that it is given', () => {
    // A first call of 90 s, each later one 2 s shorter.
    let clock = 0;
    let call = 90_000;
    const recipe = theoryRecipe(() => {
      clock += call;
      call = Math.max(call - 2000, 500);
      return clock;
    });
    const rows = ICLR_TABLE_2.map((_, i) => recipe.rowOf(i));
    expect(rows[0]?.['solverS']).toBe(72);
    expect(rows.at(-1)?.['solverS']).toBe(0.5);
    expect(rows.at(-1)?.['speedup']).toBe(Math.round((ICLR_TABLE_2.at(-1)?.solverRuntimeS ?? 0) / 0.5));
  });

  it.each([
    ['alexnet', 12, 42],
    ['resnet18', 51, 63],
    ['resnet34', 91, 73],
    ['resnet50', 125, 75],
    ['resnet101', 244, 81],
    ['resnet152', 363, 84],
  ])('counts %s as the early version did: %i vertices, %i % [D12]', (network, vertices, percent) => {
    const row = rowOf(network);
    expect(row['earlyVertices']).toBe(vertices);
    expect(Math.round(Number(row['theoreticalCutoffPct']))).toBe(percent);
  });

  it('has every printed count of vertices, and all cut-offs as printed but two and our own network', () => {
    for (const row of rows) expect(row['earlyVertices'], String(row['network'])).toBe(row['paperVertices']);
    expect(rows.filter((row) => !asPrinted(row)).map((row) => row['network'])).toEqual([
      'vgg13',
      'vgg16',
      'customnet',
    ]);
  });

  it('keeps the view of the CVPR program beside it', () => {
    expect(rowOf('resnet18')).toMatchObject({ vertices: 41, cvprCutoffPct: 59.8 });
    expect(rowOf('inceptionv3')).toMatchObject({ vertices: 220, earlyVertices: 219 });
  });

  it('leaves a cut-off that is not as printed unexplained, with the points that are missing', () => {
    for (const row of rows) expect(causesOf(row).length > 0, String(row['network'])).toBe(!asPrinted(row));
    for (const [network, printed] of [
      ['vgg13', 47],
      ['vgg16', 51],
    ] as const) {
      const [cause] = causesOf(rowOf(network));
      if (cause?.kind !== 'unexplained-cutoff') throw new Error('another cause');
      expect(cause.points).toBeCloseTo(printed - percentOf(cutoffSums(earlyOf(network), 'counted')), 9);
    }
    expect(causesOf(rowOf('customnet'))).toEqual([{ kind: 'own-design' }]);
  });

  it('has fewer cut-offs as printed where the source is left out: those of VGG-11 and AlexNet differ then', () => {
    const printed = rows
      .filter(
        ({ network, paperTheoreticalCutoffPct }) =>
          Math.round(percentOf(cutoffSums(earlyOf(String(network)), 'left-out'))) ===
          paperTheoreticalCutoffPct,
      )
      .map(({ network }) => network);
    expect(printed.length).toBeLessThan(13);
    expect(printed).toContain('vgg13');
    expect(printed).not.toContain('vgg11');
    expect(printed).not.toContain('alexnet');
  });

  it('leaves the graph that it looks at as it was', () => {
    const graph = buildModel('resnet18', { batch: 1 });
    earlyView(graph, 'ResNet');
    expect(tensorView(graph).tensors.size).toBe(41);
  });
});
