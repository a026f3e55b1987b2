import { describe, expect, it } from 'vitest';
import { ExhaustiveSchedules } from '../../../engine/bounds/exhaustive-schedules.ts';
import { createProblem } from '../../../engine/problem.ts';
import { exhaustiveLeast } from '../../support/exhaustive-live.ts';
import { measuredProblem, measuredProblems } from '../../support/measured-graphs.ts';
import { bytesChain, bytesProblem } from '../../support/problems.ts';

describe('ExhaustiveSchedules', () => {
  it('knows the lowest peak of a chain and what it costs, by hand', () => {
    // Backward v2: the source, v1, v2 and both their gradients. v3 needs v2, so v1 alone can be given up.
    const every = new ExhaustiveSchedules(bytesProblem([1, 4, 4, 4], '0>1 1>2 2>3'));
    expect(every.lowestPeak()).toBe(1 + 4 * 4);
    // Backward v3 with v1 as well holds as much as 1 + 5 * 4.
    expect(every.leastRecompute(1 + 5 * 4)).toBe(0);
    expect(every.leastRecompute(1 + 4 * 4)).toBe(4);
    expect(every.leastRecompute(4 * 4)).toBe(Number.POSITIVE_INFINITY);
  });

  it('reckons recompute in FLOPs where the graph gives any', () => {
    const flops = [0, 7, 100, 100];
    const problem = measuredProblem(
      flops.map((value, v) => ({ bytes: v === 0 ? 1 : 4, flops: value, inputs: v === 0 ? [] : [v - 1] })),
    );
    const every = new ExhaustiveSchedules(problem);
    expect([every.leastRecompute(21), every.leastRecompute(17)]).toEqual([0, 7]);
  });

  it('hands the gradient of a view of the whole over once, and to nobody who has one', () => {
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

  it('equals a search without a thought, of schedules that forward nothing more than three times', () => {
    for (const [name, problem] of measuredProblems(150, 66, { most: 4 })) {
      const every = new ExhaustiveSchedules(problem);
      const { peak, work } = exhaustiveLeast(problem, 3);
      expect([every.lowestPeak(), every.leastRecompute(peak)], name).toEqual([peak, work]);
    }
  });

  it('does not begin on more than twelve vertices', () => {
    const of = (size: number) => () =>
      new ExhaustiveSchedules(createProblem(bytesChain(new Array<number>(size).fill(1)), 'pytorch'));
    expect(of(12)).not.toThrow();
    expect(of(13)).toThrow('too many vertices for an exhaustive search');
  });
});
