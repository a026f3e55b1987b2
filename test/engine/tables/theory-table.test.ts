import { describe, expect, it } from 'vitest';
import { tensorView } from '../../../engine/graph/tensor-view.ts';
import { cutoffSums, earlyView } from '../../../engine/tables/early-view.ts';
import { ICLR_TABLE_2 } from '../../../engine/tables/iclr-tables.ts';
import { completeTable, type TableRow } from '../../../engine/tables/table.ts';
import { isAsPrinted, type TheoryCause } from '../../../engine/tables/theory-causes.ts';
import { theoryRecipe } from '../../../engine/tables/theory-table.ts';
import { buildModel, modelInfo } from '../../../engine/zoo/zoo.ts';

const { rows } = completeTable(theoryRecipe(() => 0));
const rowOf = (network: string): TableRow => rows.find((row) => row['network'] === network) ?? {};
const causesOf = (row: TableRow): readonly TheoryCause[] => row['cause'] as readonly TheoryCause[];
const asPrinted = (row: TableRow): boolean =>
  Math.round(Number(row['theoreticalCutoffPct'])) === row['paperTheoreticalCutoffPct'];

const earlyOf = (network: string) => {
  const { defaultInput, family } = modelInfo(network);
  return earlyView(buildModel(network, { batch: 1, input: defaultInput }), family);
};

describe('the theory table', () => {
  it('times each solution with the clock that it is given', () => {
    let clock = 0;
    const table = completeTable(
      theoryRecipe(() => {
        clock += 500;
        return clock;
      }),
    );
    expect(table.rows).toHaveLength(ICLR_TABLE_2.length);
    for (const row of table.rows) expect(row['solverS']).toBe(0.5);
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

  it('explains what is not as printed, and nothing else, by a figure that gives the printed one', () => {
    for (const row of rows) expect(causesOf(row).length > 0, String(row['network'])).toBe(!asPrinted(row));
    const [cause] = causesOf(rowOf('vgg13'));
    if (cause?.kind !== 'source-left-out') throw new Error('another cause');
    expect(Math.round(cause.withoutPct)).toBe(47);
    expect(cause.sourceBytes).toBe(4 * 3 * 224 * 224);
    const sums = cutoffSums(earlyOf('vgg13'), 'counted');
    const cheaper = (bytes: number): boolean => isAsPrinted({ ...sums, cost: sums.cost - bytes }, 47);
    expect(cheaper(Math.floor(cause.excessBytes))).toBe(false);
    expect(cheaper(Math.ceil(cause.excessBytes))).toBe(true);
    expect(causesOf(rowOf('customnet'))).toEqual([{ kind: 'figure-only' }]);
  });

  it('gives fewer printed cut-offs where the source is left out everywhere', () => {
    const printed = rows.filter((row) =>
      isAsPrinted(
        cutoffSums(earlyOf(String(row['network'])), 'left-out'),
        Number(row['paperTheoreticalCutoffPct']),
      ),
    );
    expect(printed.length).toBeLessThan(13);
  });

  it('leaves the graph that it looks at as it was', () => {
    const graph = buildModel('resnet18', { batch: 1 });
    earlyView(graph, 'ResNet');
    expect(tensorView(graph).tensors.size).toBe(41);
  });
});
