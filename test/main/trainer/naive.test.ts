import { beforeAll, describe, expect, test } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { FORWARD, type Schedule } from '../../../engine/schedule/schedule.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { wasmBackend } from '../../../main/trainer/backends/wasm.ts';
import { difference } from './run-kernel.ts';
import { scheduleOf, train } from './training.ts';

function forwardsOf(schedule: Schedule, vertex: number): number {
  return schedule.vertices.filter((v, t) => v === vertex && schedule.kinds[t] === FORWARD).length;
}

beforeAll(() => wasmBackend.open());

describe('the classic mistakes of recomputation, switched on', () => {
  test('naive statistics count recomputed batches twice; gradients do not notice', async () => {
    const problem = createProblem(buildModel('tiny-residual', { batch: 4, input: 8 }), 'tfjs');
    const regular = scheduleOf(problem, 'regular')!;
    const schedule = scheduleOf(problem, 'chen-sqrt')!;
    const naive = { statistics: true };
    const expected = await train(problem, regular, 1);
    const actual = await train(problem, schedule, 1, { naive });
    expect(actual.loss).toEqual(expected.loss);
    const differing = actual.values.filter((values, i) => difference(values, expected.values[i]!) > 0);
    // Mean and variance of every batch norm that is forwarded twice.
    const { operations } = problem.graph;
    const twice = operations.filter((op, v) => op.kind === 'batch-norm' && forwardsOf(schedule, v) === 2);
    expect(twice.length).toBeGreaterThan(0);
    expect(differing.length).toBe(2 * twice.length);
    // Without recompute the switch changes nothing.
    expect(await train(problem, regular, 1, { naive })).toEqual(expected);
  });

  test('naive dropout drifts: backward sees another mask than the loss did', async () => {
    const problem = createProblem(buildModel('tiny-dropout', { batch: 4, input: 8 }), 'tfjs');
    const naive = { dropout: true };
    const regular = await train(problem, scheduleOf(problem, 'regular')!, 2, { naive });
    const actual = await train(problem, scheduleOf(problem, 'chen-sqrt')!, 2, { naive });
    expect(actual.loss[0]).toBe(regular.loss[0]);
    expect(actual.loss[1]).not.toBe(regular.loss[1]);
  });
});
