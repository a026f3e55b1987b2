import { describe, expect, it } from 'vitest';
import { ExhaustiveSchedules } from '../../../engine/bounds/exhaustive-schedules.ts';
import { createProblem } from '../../../engine/problem.ts';
import { exhaustiveLeast } from '../../support/exhaustive-live.ts';
import { measuredProblem, measuredProblems } from '../../support/measured-graphs.ts';
import { bytesChain, bytesProblem } from '../../support/problems.ts';

describe('ExhaustiveSchedules', () => {
  it('finds the lowest peak of a chain and its cost, computed by hand', () => {
    // Backward v2: the source, v1, v2 and both their gradients. v3 needs v2, so v1 alone can be given up.
    const every = new ExhaustiveSchedules(bytesProblem([1, 4, 4, 4], '0>1 1>2 2>3'));
    expect(every.lowestPeak()).toBe(1 + 4 * 4);
    // Backward v3 with v1 as well holds as much as 1 + 5 * 4.
    expect(every.leastRecompute(1 + 5 * 4)).toBe(0);
    expect(every.leastRecompute(1 + 4 * 4)).toBe(4);
    expect(every.leastRecompute(4 * 4)).toBe(Number.POSITIVE_INFINITY);
  });

  it('counts recompute in FLOPs if the graph has them', () => {
    const flops = [0, 7, 100, 100];
    const problem = measuredProblem(
      flops.map((value, v) => ({ bytes: v === 0 ? 1 : 4, flops: value, inputs: v === 0 ? [] : [v - 1] })),
    );
    const every = new ExhaustiveSchedules(problem);
    expect([every.leastRecompute(21), every.leastRecompute(17)]).toEqual([0, 7]);
  });

  it('passes the gradient of a full view on once, and only to an input without one', () => {
    const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    const vertex = (inputs: readonly number[], bytes: number, alias?: 'view') => ({
      bytes,
      flops: 0,
      inputs,
      keeps: none,
      ...(alias === undefined ? {} : { alias }),
    });
    const source = { bytes: 1, flops: 0, inputs: [] };
    const lowest = (...vertices: ReturnType<typeof vertex>[]): number =>
      new ExhaustiveSchedules(measuredProblem([source, ...vertices])).lowestPeak();
    expect(lowest(vertex([0], 100), vertex([1], 100, 'view'), vertex([2], 2))).toBe(1 + 100 + 2);
    // Read twice, the view's input gets a sum.
    expect(lowest(vertex([0], 100), vertex([1, 1], 100, 'view'), vertex([2], 2))).toBe(1 + 100 + 100);
    expect(lowest(vertex([0], 100), vertex([1], 60, 'view'), vertex([2], 2))).toBe(1 + 60 + 100);
  });

  it('equals a naive search over schedules with at most three forwards per vertex', () => {
    for (const [name, problem] of measuredProblems(150, 66, { most: 4 })) {
      const every = new ExhaustiveSchedules(problem);
      const { peak, work } = exhaustiveLeast(problem, 3);
      expect([every.lowestPeak(), every.leastRecompute(peak)], name).toEqual([peak, work]);
    }
  });

  it('refuses more than twelve vertices', () => {
    const of = (size: number) => () =>
      new ExhaustiveSchedules(createProblem(bytesChain(new Array<number>(size).fill(1)), 'pytorch'));
    expect(of(12)).not.toThrow();
    expect(of(13)).toThrow('too many vertices for an exhaustive search');
  });
});
