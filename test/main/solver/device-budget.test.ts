import { describe, expect, it } from 'vitest';
import { type Bargain, paretoRequestSchema } from '../../../app/contract/pareto.ts';
import { type ComparisonEvent, comparisonRequestSchema } from '../../../app/contract/results.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { heldAt } from '../../../engine/training-memory/held.ts';
import { type Room, type Verdict, verdictOf } from '../../../engine/training-memory/verdict.ts';
import { compareEvents } from '../../../main/solver/compare.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { paretoEvents } from '../../../main/solver/pareto.ts';

type RowEvent = Extract<ComparisonEvent, { type: 'row' }>;

const BATCH = 16;
const NETWORK = { model: 'tiny-residual', batch: BATCH };
const CONTEXT = 10_000_000;

function rowOf(part: {
  model?: string;
  batch?: number;
  input?: number;
  strategies: string[];
  room?: Room;
  budgetBytes?: number;
  optimizer?: 'adam';
}): RowEvent {
  const rows: RowEvent[] = [];
  compareEvents(comparisonRequestSchema.parse({ ...NETWORK, ...part }), {
    memory: new SolverMemory(),
    control: NO_CONTROL,
    emit: (event) => event.type === 'row' && rows.push(event),
  });
  return rows.at(-1)!;
}

const roomOf = (memoryBytes: number): Room => ({ memoryBytes, contextBytes: CONTEXT });
const verdictAt = ({ held }: RowEvent, room: Room): Verdict => verdictOf(held, BATCH, room)!;
const PLENTY = roomOf(2 ** 34);

describe('the default budget', () => {
  const regular = verdictAt(rowOf({ strategies: ['regular'] }), PLENTY);

  it('is the device memory free for activations: no limit if regular training fits', () => {
    const { budgetBytes, row } = rowOf({ strategies: ['budget'], room: PLENTY });
    expect(budgetBytes).toBe(PLENTY.memoryBytes - (regular.totalBytes - regular.terms.activations));
    expect(row).toMatchObject({ applicable: true, recomputeFraction: 0 });
  });

  it('stays, with everything else, within the device memory', () => {
    for (const missing of [0.05, 0.15, 0.3]) {
      const room = roomOf(Math.floor(regular.totalBytes - regular.terms.activations * missing));
      const event = rowOf({ strategies: ['budget'], room });
      expect(verdictAt(event, room)).toMatchObject({ fits: true, overBytes: 0 });
      expect(event.row.recomputeFraction).toBeGreaterThan(0);
      const again = rowOf({ strategies: ['budget'], budgetBytes: event.budgetBytes! });
      expect(again.held).toEqual(event.held);
    }
  });

  it('uses what another peak leaves free: regular training peaks at the loss, the plan elsewhere', () => {
    const network = { model: 'gpt2', batch: 4, input: 256 };
    const needs = verdictOf(rowOf({ ...network, strategies: ['regular'] }).held, 4, PLENTY)!;
    for (const share of [0.9, 0.8]) {
      const room = roomOf(Math.floor(needs.totalBytes * share));
      const { held } = rowOf({ ...network, strategies: ['budget'], room });
      const { fits, totalBytes } = verdictOf(held, 4, room)!;
      expect(fits).toBe(true);
      expect(totalBytes).toBeGreaterThan(0.98 * room.memoryBytes);
    }
  });

  it('is found where a plan needs the most at another instant than that of its most live bytes', () => {
    const network = { model: 'resnet50', batch: 64 };
    const room = { memoryBytes: 4 * 2 ** 30, contextBytes: 0.75 * 2 ** 30 };
    const { held, row } = rowOf({ ...network, strategies: ['budget'], room });
    expect(verdictOf(held, network.batch, room)).toMatchObject({ fits: true });
    expect(row.predictedOverhead).toBeLessThan(0.005);
  });

  it('is above what the loss leaves, if plans have few live bytes there', () => {
    const network = { model: 'gpt2', batch: 8 };
    const room = { memoryBytes: 9 * 2 ** 30, contextBytes: 0 };
    const { held, budgetBytes, row } = rowOf({ ...network, strategies: ['budget'], room });
    const { fits, instant, terms, totalBytes } = verdictOf(held, network.batch, room)!;
    expect({ fits, instant }).toEqual({ fits: true, instant: 'loss' });
    expect(totalBytes).toBeGreaterThan(0.97 * room.memoryBytes);
    expect(budgetBytes).toBeGreaterThan(terms.activations + room.memoryBytes - totalBytes);
    expect(row.predictedOverhead).toBeLessThan(0.3);
  });

  it('gives way to the user’s own, and does not affect strategies without a budget', () => {
    const budgetBytes = Math.ceil(regular.terms.activations * 0.9);
    const own = rowOf({ strategies: ['budget'], room: PLENTY, budgetBytes });
    expect(own.budgetBytes).toBeUndefined();
    expect(own.row.peakBytes).toBeLessThanOrEqual(budgetBytes);
    expect(rowOf({ strategies: ['chain-dp'], room: PLENTY }).budgetBytes).toBeUndefined();
    expect(rowOf({ strategies: ['budget'] }).row.reason).toMatch(/^It needs a budget/);
  });

  it('is refused with the least that works, or with the terms that fill the device', () => {
    const beside = regular.totalBytes - regular.terms.activations;
    const tight = rowOf({ strategies: ['budget'], room: roomOf(beside + 1000) });
    expect(tight).toMatchObject({ held: [], row: { applicable: false, infeasible: true } });
    expect(tight.row.reason).toMatch(/\d/);
    const none = rowOf({ strategies: ['budget'], room: roomOf(beside) });
    expect(none.row).toMatchObject({ applicable: false, infeasible: true });
    expect(none.row.reason).toMatch(/^no memory is left for activations: everything else takes .* of /);
  });

  it('is smaller with an optimizer that has more state', () => {
    const { budgetBytes = 0 } = rowOf({ strategies: ['budget'], room: PLENTY });
    expect(rowOf({ strategies: ['budget'], room: PLENTY, optimizer: 'adam' }).budgetBytes).toBeLessThan(
      budgetBytes,
    );
  });
});

describe('the best trade', () => {
  function bargainOf(part: { model: string; optimizer?: 'adam' }): Bargain | null {
    const told: (Bargain | null)[] = [];
    paretoEvents(paretoRequestSchema.parse({ ...NETWORK, ...part }), {
      memory: new SolverMemory(),
      control: NO_CONTROL,
      emit: (event) => event.type === 'bargain' && told.push(event.bargain),
    });
    expect(told).toHaveLength(1);
    return told[0]!;
  }

  it('equals the row of budget at its budget, to the byte', () => {
    const bargain = bargainOf({ model: 'tiny-residual', optimizer: 'adam' })!;
    const { budgetBytes } = bargain;
    const { row, held } = rowOf({ strategies: ['budget'], budgetBytes, optimizer: 'adam' });
    expect(held).toEqual(bargain.held);
    expect(row.peakBytes).toBe(bargain.peakBytes);
    expect(row.predictedOverhead).toBe(bargain.predictedOverhead);
    const regular = rowOf({ strategies: ['regular'], optimizer: 'adam' });
    expect(heldAt(held, BATCH, 0).totalBytes).toBeLessThan(heldAt(regular.held, BATCH, 0).totalBytes);
  });

  it('does not exist if the front is one point', () => {
    expect(bargainOf({ model: 'chain-2' })).toBeNull();
  });
});
