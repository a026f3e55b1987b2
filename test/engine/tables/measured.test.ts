import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cellText, heading, tableCsv } from '../../../app/report/table-forms.ts';
import { readMeasurements } from '../../../app/contract/measurements.ts';
import { createProblem } from '../../../engine/problem.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { regular } from '../../../engine/strategies/regular.ts';
import {
  type MeasuredRow,
  type Measurements,
  measuredColumns,
  withColumns,
} from '../../../engine/tables/measured.ts';
import { protocolPeak } from '../../../engine/tables/protocol-peak.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { planOf } from '../../support/plans.ts';

function kept(name: string): Measurements {
  const path = new URL(`../../bench/results/cpu-xeon-two-threads-${name}.json`, import.meta.url);
  return readMeasurements(readFileSync(path, 'utf8'));
}

const file = kept('measurements');
const NAMES = ['Regular', 'Random', 'Chen', 'Optimal'];
/** A batch of 256 images, 224 pixels a side: the paper's figures hold it, what is measured above it does not. */
const INPUT_BYTES = 4 * 256 * 3 * 224 ** 2;

function withRows(change: (row: MeasuredRow) => MeasuredRow): Measurements {
  return { ...file, rows: file.rows.map(change) };
}

describe('measured columns', () => {
  it.each([
    { checkpointing: 'non-reentrant', measured: file, count: 4 },
    { checkpointing: 'reentrant', measured: kept('measurements-reentrant'), count: 3 },
  ])(
    '$checkpointing: PyTorch measured what is predicted, within 1 %',
    ({ checkpointing, measured, count }) => {
      const { cells } = measuredColumns(measured);
      const ways = new Set(measured.rows.map((row) => row.checkpointing));
      expect([...ways]).toEqual([null, checkpointing]);
      const networks = Object.keys(cells);
      expect(networks).toHaveLength(count);
      for (const network of networks) {
        for (const name of NAMES) {
          const [bytes, predicted] = ['', 'Predicted'].map((what) =>
            Number(cells[network]?.[`device${what}${name}MB`]),
          );
          expect(bytes, `${network} ${name}`).toBeGreaterThan(0);
          expect(Math.abs(bytes! / predicted! - 1), `${network} ${name}`).toBeLessThan(0.01);
        }
      }
    },
  );

  it('are compared with the paper only at its batch and input', () => {
    const { cells, notes } = measuredColumns(file);
    expect(cells['resnet18']).toMatchObject({
      deviceBatch: 4,
      deviceInput: 96,
      deviceRegularDifferencePct: null,
    });
    expect(notes.join(' ')).toContain('not compared with the paper');
    const papers = file.rows
      .filter(({ network }) => network === 'resnet18')
      .map((row) => ({ ...row, batch: 256, input: 224, startBytes: INPUT_BYTES, peakBytes: 5635 * 2 ** 20 }));
    const both = measuredColumns({ ...file, rows: [...file.rows, ...papers] });
    expect(both.cells['resnet18']).toMatchObject({
      deviceBatch: 256,
      deviceRegularMB: 5635,
      deviceRegularDifferencePct: 0,
    });
    expect(both.notes.at(-1)).toMatch(/^Other sizes or checkpointing were measured too, of resnet18/);
  });

  it('say what did not fit and what failed, beside what is predicted', () => {
    const none = { peakBytes: null, startBytes: null, stepMs: null, gradientDifference: null } as const;
    const { cells, notes } = measuredColumns(
      withRows((row) =>
        row.network !== 'resnet18' || row.strategy === 'chen'
          ? row
          : row.strategy === 'regular'
            ? { ...row, ...none, outcome: 'out-of-memory', message: 'CUDA out of memory.' }
            : { ...row, ...none, outcome: 'failed', message: 'the process was ended by signal 6: x' },
      ),
    );
    const row = cells['resnet18'];
    expect(row).toMatchObject({ deviceRegularMB: 'out of memory', deviceOptimalMB: 'failed' });
    expect(row).toMatchObject({ deviceRegularMs: null, deviceChenOverheadPct: null });
    expect(row?.['devicePredictedRegularMB']).toBeGreaterThan(20);
    expect(notes).toContain('resnet18, Optimal: the process was ended by signal 6: x.');
  });

  it('refuse a row of another network and a size that is not admitted, with the place', () => {
    const at = file.rows.findIndex(
      ({ network, strategy }) => network === 'alexnet' && strategy === 'optimal',
    );
    const other = file.rows.map((row, i) => (i === at ? { ...row, checkpoints: ['layer1.0.relu'] } : row));
    expect(() => measuredColumns({ ...file, rows: other })).toThrow(
      "there are others than alexnet's vertices",
    );
    const tiny = withRows((row) => ({ ...row, input: 8 }));
    expect(() => measuredColumns(tiny)).toThrow(/alexnet needs 63 or more/);
  });

  it('stand at the end of the table, in every form', () => {
    const column = { key: 'network', title: 'network', from: 'both', digits: 0 } as const;
    const head = { name: 'cvpr', title: 't', citation: 'c', notes: ['n'], columns: [column] } as const;
    const measured = measuredColumns(file);
    const table = withColumns({ ...head, rows: [{ network: 'alexnet' }, { network: 'vgg19' }] }, measured);
    expect(table.rows[1]).toMatchObject({ network: 'vgg19', deviceRegularMB: null });
    const [, ...added] = table.columns;
    expect(added.every((c) => heading(c).endsWith(file.device))).toBe(true);
    const regularMB = added.find(({ key }) => key === 'deviceRegularMB')!;
    expect(cellText(table.rows[0]?.['deviceRegularMB'], regularMB)).toMatch(/^\d+\.\d$/);
    expect(tableCsv(table).split('\r\n')[0]).toContain('regular MB measured, cpu');
  });
});

it('what the protocol measures is the step with what each backward makes a second time', () => {
  const { graph, memory, view } = createProblem(buildModel('vgg11', { batch: 1, input: 32 }), 'pytorch');
  const plan = planOf(regular, { graph, memory, view });
  const { peakBytes } = simulate(graph, memory, plan.schedule);
  const largest = Math.max(...graph.parameters) * 4;
  const peak = protocolPeak({ graph, memory }, plan.schedule);
  // At this size the weights of fc6, 392 MiB and its bias, outweigh all activations.
  expect(largest).toBe((25088 + 1) * 4096 * 4);
  expect(peak).toBeGreaterThan(largest);
  expect(peak).toBeLessThanOrEqual(largest + peakBytes);
});
