import { describe, expect, it } from 'vitest';
import { checkpointSegments } from '../../../engine/schedule/checkpoint-segments.ts';
import { CHECKPOINTINGS, segmentSchedule } from '../../../engine/schedule/checkpointing.ts';
import { homesOf, inGivenOrder, oneLevelSchedule } from '../../../engine/schedule/one-level.ts';
import { reentrantSchedule } from '../../../engine/schedule/reentrant.ts';
import { describeStep, ScheduleBuilder, STEP_KINDS } from '../../../engine/schedule/schedule.ts';
import { bytesProblem } from '../../support/problems.ts';
import { drawn, steps } from '../../support/schedule-text.ts';

const { graph, memory, view } = bytesProblem([1, 2, 3, 4, 5], '0>1 1>2 2>3 3>4');

describe('a schedule', () => {
  it('is built step by step', () => {
    const builder = new ScheduleBuilder();
    expect(builder.length).toBe(0);
    builder.push(0, 3);
    builder.push(5, 1);
    expect(builder.length).toBe(2);
    expect(builder.build()).toEqual({ kinds: Uint8Array.of(0, 5), vertices: Int32Array.of(3, 1) });
  });

  it('names its steps', () => {
    const schedule = steps('F1 B2 X3 A4 H0 G1 S2 R2');
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((t) => describeStep(graph, schedule, t))).toEqual([
      'forward v1',
      'backward v2',
      'free v3',
      'free-aux v4',
      'hold-gradient v0',
      'free-gradient v1',
      'send v2',
      'fetch v2',
    ]);
    expect(STEP_KINDS).toHaveLength(8);
  });
});

it('segmentSchedule runs the segments as torch names it, non-reentrant where nobody says', () => {
  const plan = checkpointSegments(graph, memory, view, [2]);
  expect(CHECKPOINTINGS[0]).toBe('non-reentrant');
  const plain = segmentSchedule(graph, memory, plan, 'non-reentrant');
  expect(plain).toEqual(oneLevelSchedule(graph, memory, plan));
  const reentrant = segmentSchedule(graph, memory, plan, 'reentrant');
  expect(reentrant).toEqual(reentrantSchedule(graph, memory, plan));
  expect(drawn(plain, 'H')).toBe('');
  expect(drawn(reentrant, 'H')).not.toBe('');
});

describe('segments under a given order', () => {
  it('have a home for each vertex but the source', () => {
    expect([...homesOf(graph, [[1, 3], [2]])]).toEqual([-1, 0, 1, 0, -1]);
  });

  it('are interrupted where others lie between', () => {
    const split = [[1, 2, 4], [3]];
    expect(inGivenOrder(graph, split)).toEqual([[1, 2], [3], [4]]);
    expect(inGivenOrder(graph, [[4, 3, 2, 1]])).toEqual([[1, 2, 3, 4]]);
  });

  it('run in it where the executor keeps to it', () => {
    const fork = bytesProblem([1, 1, 1, 1], '0>1 0>2 1>3 2>3');
    const plan = { segments: [[2], [1], [3]], kept: Uint8Array.of(0, 0, 0, 1), recomputeLast: true };
    const draw = (keepsOrder: boolean): string =>
      drawn(oneLevelSchedule({ ...fork.graph, keepsOrder }, fork.memory, plan), 'FB');
    expect(draw(false)).toBe('F2 F1 F3 F2 F1 B3 B1 B2');
    expect(draw(true)).toBe('F1 F2 F3 F1 F2 B3 B2 B1');
  });
});
