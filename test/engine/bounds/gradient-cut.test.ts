import { describe, expect, it } from 'vitest';
import { GradientCut } from '../../../engine/bounds/gradient-cut.ts';
import { leastOverAllSets } from '../../support/gradient-sets.ts';
import { bytesProblem, randomProblems } from '../../support/problems.ts';

/** The cut at each vertex of a drawing, asked in this order of one object. */
function cutsOf(cost: readonly number[], drawing: string, order: readonly number[]): Map<number, number> {
  const { graph, memory } = bytesProblem(cost, drawing);
  const cut = new GradientCut(graph, memory.gradientBytes);
  return new Map(order.map((v) => [v, cut.least(v)]));
}

describe('GradientCut', () => {
  it('cuts gradients as well as the best set of finished vertices', () => {
    for (const [name, { graph, memory }] of randomProblems(300, 61, 9)) {
      const cut = new GradientCut(graph, memory.gradientBytes);
      for (let v = 1; v < graph.size; v++) {
        expect(cut.least(v), `${name}, v${v}`).toBe(leastOverAllSets(graph, memory.gradientBytes, v));
      }
    }
  });

  it('searches for a cut between the nearest splitting vertices', () => {
    //  v0 > v1 > v2 > v3 > v4 > v5, and v1 > v4 over v2 and v3
    const { graph, memory } = bytesProblem([1, 7, 10, 10, 1, 1], '0>1 1>2 2>3 3>4 4>5 1>4');
    const cut = new GradientCut(graph, memory.gradientBytes);
    expect([0, 1, 2, 3, 4, 5].map((v) => cut.region(v))).toEqual([1, 1, 4, 4, 1, 1]);
    // v1 is an input of v2, whose gradient is counted already.
    expect([0, 1, 2, 3, 4, 5].map((v) => cut.least(v))).toEqual([0, 0, 0, 7, 0, 0]);
  });

  it('keeps no state between queries', () => {
    for (const [name, { graph, memory }] of randomProblems(300, 69, 9)) {
      const cut = new GradientCut(graph, memory.gradientBytes);
      const order = [...Array(graph.size).keys()].slice(1);
      for (const v of [...order.reverse(), ...order.toSorted((a, b) => ((a * 5) % 7) - ((b * 5) % 7))])
        expect(cut.least(v), `${name}, v${v}`).toBe(leastOverAllSets(graph, memory.gradientBytes, v));
    }
    //  v0 > v1 > v2 > v3 > v5, and v1 > v4 > v5 around v3; at v4 the way around begins at its input
    const cost = [1, 7, 3, 5, 10, 1];
    const drawing = '0>1 1>2 2>3 1>4 3>5 4>5';
    expect(cutsOf(cost, drawing, [4, 3])).toEqual(
      new Map([
        [4, 0],
        [3, 7],
      ]),
    );
    expect(cutsOf(cost, drawing, [3, 4])).toEqual(
      new Map([
        [3, 7],
        [4, 0],
      ]),
    );
  });

  it('also chooses among later vertices', () => {
    //  v1 > v2 > v3 > v6, and v1 > v4 > v5 > v6 around v3
    const drawing = '0>1 1>2 2>3 3>6 1>4 4>5 5>6';
    expect(cutsOf([1, 7, 9, 9, 3, 5, 1], drawing, [3]).get(3)).toBe(3);
    expect(cutsOf([1, 7, 9, 9, 5, 3, 1], drawing, [3]).get(3)).toBe(3);
    expect(cutsOf([1, 2, 9, 9, 5, 3, 1], drawing, [3]).get(3)).toBe(2);
  });

  it('never runs a vertex backward before its consumers', () => {
    // Beside v4: v1 > v5, which v6 and v7 read; v2 > v6. To cut at v6 and v1 alone, v5 would have to run before v6.
    const drawing = '0>1 0>2 1>3 2>3 3>4 1>5 5>6 2>6 5>7 4>8 6>8 7>8';
    const cost = [1, 2, 100, 9, 9, 100, 3, 100, 1];
    expect(cutsOf(cost, drawing, [4]).get(4)).toBe(2 + 100);
  });
});
