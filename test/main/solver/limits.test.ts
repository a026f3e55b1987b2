import { describe, expect, it } from 'vitest';
import { MAX_INPUT } from '../../../engine/options/sizes.ts';
import { type LimitsEvent, limitsRequestSchema } from '../../../app/contract/limits.ts';
import type { ParetoEvent } from '../../../app/contract/pareto.ts';
import { paretoRequestSchema } from '../../../app/contract/pareto.ts';
import { type ComparisonEvent, comparisonRequestSchema } from '../../../app/contract/results.ts';
import type { TableEvent } from '../../../app/contract/tables.ts';
import { CancelledError } from '../../../engine/errors.ts';
import { peakAt } from '../../../engine/limits/peak-lines.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { strategyOf } from '../../../engine/strategies/registry.ts';
import { heldAt, heldLines } from '../../../engine/training-memory/held.ts';
import { verdictOf } from '../../../engine/training-memory/verdict.ts';
import { USUAL_SETUP } from '../../../engine/training-memory/setup.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel, MODELS } from '../../../engine/zoo/zoo.ts';
import { compareEvents } from '../../../main/solver/compare.ts';
import { limitsEvents } from '../../../main/solver/limits.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { paretoEvents } from '../../../main/solver/pareto.ts';
import { tableEvents } from '../../../main/solver/tables.ts';
import { solvedTable } from '../../support/solved-tables.ts';

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
  it.each([MEMORY, 2 ** 20, 2 ** 50])('gives the last batch that fits into %d bytes', (memoryBytes) => {
    const [head, ...rows] = limits({ memoryBytes, largestInput: false });
    expect(head).toMatchObject({ type: 'head', input: 64, batch: 4 });
    for (const event of rows) {
      if (event.type !== 'row' || event.row.batch === null) continue;
      const { strategy } = event.row;
      const { held: lines } = event.row;
      const { batch, capped, peakBytes, heldBytes, leastBytes } = event.row.batch;
      const held = (size: number): number => heldAt(lines, size, 0).totalBytes;
      const peak = (size: number): number =>
        solveRow(createProblem(buildModel('resnet18', { batch: size, input: 64 }), 'pytorch'), strategy, {
          seed: 0,
        }).peakBytes ?? 0;
      expect(capped, strategy).toBe(memoryBytes === 2 ** 50);
      expect(leastBytes, strategy).toBe(held(1));
      expect(leastBytes, strategy).toBeGreaterThan(peak(1));
      if (batch > 0) expect(peakBytes, strategy).toBe(peak(batch));
      if (batch > 0) expect(heldBytes, strategy).toBe(held(batch));
      if (batch > 0) expect(held(batch), strategy).toBeLessThanOrEqual(memoryBytes);
      if (!capped) expect(held(batch + 1), strategy).toBeGreaterThan(memoryBytes);
    }
    const found = rows.flatMap((event) => (event.type === 'row' ? (event.row.batch?.batch ?? []) : []));
    expect(found).toHaveLength(2);
  });

  it.each([1, 64])('equals a comparison at batch %i: one plan, one computation', (batch) => {
    const network = { model: 'mobilenet-v2', batch, precision: 'amp-bf16', optimizer: 'adamw' } as const;
    // Dtr plans otherwise at batch 64 than at 1.
    const strategies = ['regular', 'optimal', 'dtr'];
    const memoryBytes = 2 ** 31;
    const rows = limits({ ...network, input: 224, strategies, memoryBytes, largestInput: false });
    const compared: ComparisonEvent[] = [];
    compareEvents(comparisonRequestSchema.parse({ ...network, strategies }), {
      memory: new SolverMemory(),
      control: NO_CONTROL,
      emit: (event) => compared.push(event),
    });
    const wanted = compared.flatMap((event) =>
      event.type === 'row'
        ? verdictOf(event.held, batch, { memoryBytes, contextBytes: 0 })?.largestBatch
        : [],
    );
    expect(wanted).toHaveLength(3);
    expect(rows.flatMap((event) => (event.type === 'row' ? event.row.batch?.batch : []))).toEqual(wanted);
  });

  it('finds the largest input at the batch of the experiment', () => {
    const rows = limits().flatMap((event) => (event.type === 'row' ? [event.row] : []));
    const [regular, optimal] = rows;
    const peak = (input: number): number =>
      solveRow(createProblem(buildModel('resnet18', { batch: 4, input }), 'pytorch'), 'regular', { seed: 0 })
        .peakBytes ?? 0;
    const side = regular?.input?.input ?? 0;
    const held = (input: number): number => {
      const problem = createProblem(buildModel('resnet18', { batch: 4, input }), 'pytorch');
      const plan = strategyOf('regular').plan(problem, { seed: 0 }, NO_CONTROL);
      if (!plan.applicable) throw new Error(plan.reason);
      return heldAt(heldLines(problem, problem, plan.schedule, USUAL_SETUP), 1, 0).totalBytes;
    };
    expect(held(side)).toBeLessThanOrEqual(MEMORY);
    expect(held(side + 1)).toBeGreaterThan(MEMORY);
    expect(regular?.input?.peakBytes).toBe(peak(side));
    expect(optimal?.input?.input ?? 0).toBeGreaterThan(side);
    expect(peakAt(regular?.lines ?? [], 4)).toBe(peak(64));
  });

  it('ends the search for the largest input at the network’s own limit', () => {
    const plenty = { model: 'tiny-transformer', memoryBytes: 2 ** 40, strategies: ['regular'] };
    expect(limits(plenty)[1]).toMatchObject({ row: { input: { input: 64, capped: false, unit: 'tokens' } } });
    const ends = MODELS.flatMap(({ name, maxInput }) => (maxInput === undefined ? [] : [[name, maxInput]]));
    expect(ends).toEqual([
      ['gpt2', 1024],
      ['gpt2-fused', 1024],
      ['bert-base', 512],
      ['bert-base-fused', 512],
      ['tiny-transformer', 64],
      ['tiny-transformer-fused', 64],
    ]);
  });

  it.each(MODELS.filter(({ inputUnit }) => inputUnit !== undefined))(
    'admits $name at its largest input and at no larger one',
    ({ name, maxInput }) => {
      const input = maxInput ?? MAX_INPUT;
      expect(buildModel(name, { batch: 1, input }).size).toBeGreaterThan(0);
      if (maxInput !== undefined)
        expect(() => buildModel(name, { batch: 1, input: input + 1 })).toThrow(/at most/);
    },
  );

  it('counts the optimizer and refuses strategies without a plan', () => {
    const [plain] = limits({ optimizer: 'sgd', largestInput: false });
    const [adam, ...rows] = limits({ optimizer: 'adam', largestInput: false });
    if (plain?.type !== 'head' || adam?.type !== 'head') throw new Error('no head');
    expect(adam.stationaryBytes - plain.stationaryBytes).toBe(2 * 4 * plain.parameters);
    const reasons = rows.flatMap((event) => (event.type === 'row' ? [event.row.reason] : []));
    expect(reasons[2]).toMatch(/not linear/);
    expect(reasons[3]).toMatch(/the device is the budget/);
  });

  it('says what is missing if nothing fits, and searches the input only on request', () => {
    const small = { memoryBytes: 2 ** 20, strategies: ['regular'] };
    const row = limits(small).find(({ type }) => type === 'row');
    expect(row).toMatchObject({ row: { batch: { batch: 0, peakBytes: null }, input: { input: 0 } } });
    expect(limits({ ...small, largestInput: false })[1]).toMatchObject({ row: { input: null } });
  });
});

describe('table', () => {
  it('streams the rows of the table in order', () => {
    const events: TableEvent[] = [];
    tableEvents({ name: 'iclr' }, { control: NO_CONTROL, emit: (event) => events.push(event) });
    const rows = events.flatMap((event) => (event.type === 'row' ? [event.row] : []));
    expect(rows).toEqual(solvedTable('iclr').rows);
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

it('pareto gives points of falling memory and growing recompute, the first without any', () => {
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
