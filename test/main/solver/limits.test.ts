import { describe, expect, it } from 'vitest';
import { type LimitsEvent, limitsRequestSchema } from '../../../app/contract/limits.ts';
import type { ParetoEvent } from '../../../app/contract/pareto.ts';
import { paretoRequestSchema } from '../../../app/contract/pareto.ts';
import type { TableEvent } from '../../../app/contract/tables.ts';
import { CancelledError } from '../../../engine/errors.ts';
import { largestBatch } from '../../../engine/limits/largest-batch.ts';
import { peakAt } from '../../../engine/limits/peak-lines.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy.ts';
import { cvprTable } from '../../../engine/tables/training-tables.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { limitsEvents } from '../../../main/solver/limits.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { paretoEvents } from '../../../main/solver/pareto.ts';
import { tableEvents } from '../../../main/solver/tables.ts';

const MEMORY = 2 ** 30;

function limits(part: object = {}): LimitsEvent[] {
  const request = limitsRequestSchema.parse({
    model: 'resnet18',
    batch: 4,
    input: 64,
    strategies: ['regular', 'optimal', 'linear-optimal', 'budget'],
    memoryBytes: MEMORY,
    ...part,
  });
  const events: LimitsEvent[] = [];
  limitsEvents(request, {
    memory: new SolverMemory(),
    control: NO_CONTROL,
    emit: (event) => events.push(event),
  });
  return events.filter(({ type }) => type !== 'progress');
}

describe('limits', () => {
  it('gives the batch that the command line gives', () => {
    const [head, ...rows] = limits();
    expect(head).toMatchObject({ type: 'head', input: 64, batch: 4 });
    for (const event of rows) {
      if (event.type !== 'row') continue;
      const { strategy } = event.row;
      if (strategy === 'budget') continue;
      const slow = largestBatch(
        { model: 'resnet18', input: 64, profile: 'pytorch', memoryBytes: MEMORY },
        strategy,
        { seed: 0 },
      );
      expect(event.row.batch?.batch ?? 0, strategy).toBe(slow.batch);
      expect(event.row.batch?.peakBytes ?? null, strategy).toBe(slow.peakBytes);
      expect(event.row.reason === null, strategy).toBe(slow.applicable);
    }
  });

  it('finds the largest input at the batch of the experiment', () => {
    const rows = limits().flatMap((event) => (event.type === 'row' ? [event.row] : []));
    const [regular, optimal] = rows;
    const head = limits()[0];
    const stationary = head?.type === 'head' ? head.stationaryBytes : 0;
    const peak = (input: number): number =>
      solveRow(createProblem(buildModel('resnet18', { batch: 4, input }), 'pytorch'), 'regular', { seed: 0 })
        .peakBytes ?? 0;
    const side = regular?.input?.input ?? 0;
    expect(peak(side) + stationary).toBeLessThanOrEqual(MEMORY);
    expect(peak(side + 1) + stationary).toBeGreaterThan(MEMORY);
    expect(regular?.input?.peakBytes).toBe(peak(side));
    expect(optimal?.input?.input ?? 0).toBeGreaterThan(side);
    expect(peakAt(regular?.lines ?? [], 4)).toBe(peak(64));
  });

  it('counts the optimizer and refuses what has no plan', () => {
    const [plain] = limits({ optimizerCopies: 0 });
    const [adam, ...rows] = limits({ optimizerCopies: 2 });
    if (plain?.type !== 'head' || adam?.type !== 'head') throw new Error('no head');
    expect(adam.stationaryBytes).toBe(2 * plain.stationaryBytes);
    const reasons = rows.flatMap((event) => (event.type === 'row' ? [event.row.reason] : []));
    expect(reasons[2]).toMatch(/not linear/);
    expect(reasons[3]).toMatch(/the device is the budget/);
  });

  it('says what is missing where nothing fits', () => {
    const row = limits({ memoryBytes: 2 ** 20, strategies: ['regular'] }).find(({ type }) => type === 'row');
    expect(row).toMatchObject({ row: { batch: { batch: 0, peakBytes: null }, input: { input: 0 } } });
  });
});

describe('table', () => {
  it('streams the rows of the table in order', () => {
    const events: TableEvent[] = [];
    tableEvents({ name: 'cvpr' }, { control: NO_CONTROL, emit: (event) => events.push(event) });
    const rows = events.flatMap((event) => (event.type === 'row' ? [event.row] : []));
    expect(rows).toEqual(cvprTable().rows);
    expect(events[0]).toMatchObject({ type: 'head', networks: rows.map((row) => row['network']) });
  });

  it('stops between rows', () => {
    const events: TableEvent[] = [];
    const tick = (done: number): void => {
      if (done > 0) throw new CancelledError();
    };
    expect(() =>
      tableEvents({ name: 'cvpr' }, { control: { tick }, emit: (event) => events.push(event) }),
    ).toThrow(CancelledError);
    expect(events.map(({ type }) => type)).toEqual(['head', 'row']);
  });
});

describe('pareto', () => {
  it('gives points of falling memory and growing recompute, the first without any', () => {
    const events: ParetoEvent[] = [];
    const request = paretoRequestSchema.parse({ model: 'tiny-residual', batch: 4 });
    const memory = new SolverMemory();
    paretoEvents(request, { memory, control: NO_CONTROL, emit: (event) => events.push(event) });
    const fronts = events.flatMap((event) => (event.type === 'front' ? [event.points] : []));
    const points = fronts.at(-1) ?? [];
    expect(fronts.length).toBeGreaterThan(1);
    expect(points.length).toBeGreaterThan(1);
    expect(points[0]?.recomputeFraction).toBe(0);
    points.slice(1).forEach((point, i) => {
      expect(point.peakBytes).toBeLessThan(points[i]?.peakBytes ?? 0);
      expect(point.recomputeFraction).toBeGreaterThan(points[i]?.recomputeFraction ?? 0);
    });
    const again: ParetoEvent[] = [];
    paretoEvents(request, { memory, control: NO_CONTROL, emit: (event) => again.push(event) });
    expect(again.filter(({ type }) => type === 'front')).toEqual([{ type: 'front', points }]);
  });
});
