import { describe, expect, it } from 'vitest';
import { stepGraph } from '../../../../engine/strategies/exact/step-graph.ts';
import { measuredProblem } from '../../../support/measured-graphs.ts';
import { bytesProblem } from '../../../support/problems.ts';
import { keeping } from '../../../support/stage-chains.ts';

/** The mask of some vertices. */
function set(...vertices: number[]): number {
  return vertices.reduce((mask, v) => mask | (1 << v), 0);
}

describe('a little graph as masks', () => {
  it('says who reads whom, the source apart', () => {
    const graph = stepGraph(bytesProblem([1, 2, 3, 4, 5], '0>1 1>2 1>3 2>4 3>4'));
    expect(graph.size).toBe(5);
    expect(graph.all).toBe(set(1, 2, 3, 4));
    expect(graph.target).toBe(set(4));
    expect([...graph.inputs]).toEqual([0, 0, set(1), set(1), set(2, 3)]);
    expect([...graph.outputs]).toEqual([set(1), set(2, 3), set(4), set(4), 0]);
    // Its inputs and its output, where only bytes are known.
    expect([...graph.needs]).toEqual([0, set(1), set(1, 2), set(1, 3), set(2, 3, 4)]);
    expect([...graph.takes, ...graph.views, ...graph.viewed, ...graph.handed]).toEqual(new Array(20).fill(0));
    expect(graph.hasAux).toBe(0);
    expect([...graph.work]).toEqual([1, 2, 3, 4, 5]);
    expect(graph.sourceBytes).toBe(1);
    expect([...graph.ownGradient]).toEqual([0, 2, 3, 4, 5]);
  });

  it('sums the bytes of every set, and the gradients that live when it has run backward', () => {
    const graph = stepGraph(bytesProblem([1, 2, 3, 4, 5], '0>1 1>2 1>3 2>4 3>4'));
    expect(graph.bytes[0]).toBe(0);
    expect(graph.bytes[set(1, 2, 4)]).toBe(2 + 3 + 5);
    expect(graph.bytes[graph.all]).toBe(14);
    expect(graph.auxBytes[graph.all]).toBe(0);
    expect(graph.gradients[0]).toBe(0);
    // The target's hands one to each of its inputs, each of these one to 1.
    expect(graph.gradients[set(4)]).toBe(3 + 4);
    expect(graph.gradients[set(4, 2)]).toBe(4 + 2);
    expect(graph.gradients[set(4, 2, 3)]).toBe(2);
    expect(graph.gradients[graph.all]).toBe(0);
  });

  it('counts a storage that several share once, and none in that of the source', () => {
    const graph = stepGraph(
      measuredProblem([
        { bytes: 8, flops: 0, inputs: [] },
        { bytes: 8, flops: 1, inputs: [0], ...keeping(), alias: 'view' },
        { bytes: 4, flops: 2, inputs: [1], ...keeping({ auxBytes: 3 }) },
        { bytes: 4, flops: 3, inputs: [2], ...keeping(), alias: 'view' },
        { bytes: 2, flops: 4, inputs: [3], ...keeping({ fixedAuxBytes: 5 }), alias: 'view' },
        { bytes: 6, flops: 5, inputs: [3, 4], ...keeping({ inputs: [1] }) },
        { bytes: 6, flops: 6, inputs: [5], ...keeping(), alias: 'inplace' },
        { bytes: 6, flops: 7, inputs: [6], ...keeping(), alias: 'inplace' },
        { bytes: 1, flops: 8, inputs: [7], ...keeping() },
      ]),
    );
    expect([...graph.takes]).toEqual([0, 0, 0, 0, 0, 0, set(5), set(6), 0]);
    expect([...graph.views]).toEqual([0, 0, set(3, 4), set(4), 0, 0, 0, 0, 0]);
    expect([...graph.needs]).toEqual([0, 0, 0, 0, 0, set(4), 0, 0, 0]);
    expect(graph.bytes[set(1)]).toBe(0);
    expect(graph.bytes[set(1, 2)]).toBe(4);
    expect(graph.bytes[set(3)]).toBe(4);
    // The storage of the value that it is a part of.
    expect(graph.bytes[set(4)]).toBe(4);
    expect(graph.bytes[set(2, 3, 4)]).toBe(4);
    expect(graph.bytes[set(5)]).toBe(6);
    expect(graph.bytes[set(6)]).toBe(6);
    expect(graph.bytes[set(7, 8)]).toBe(7);
    expect(graph.hasAux).toBe(set(2, 4));
    expect(graph.auxBytes[set(2, 3)]).toBe(3);
    expect(graph.auxBytes[set(2, 4)]).toBe(8);
    expect([...graph.work]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('hands the gradient of a view on where it is that of its whole input, and no sum', () => {
    const view = { ...keeping(), alias: 'view' } as const;
    const graph = stepGraph(
      measuredProblem([
        { bytes: 4, flops: 0, inputs: [] },
        { bytes: 4, flops: 0, inputs: [0], ...view },
        { bytes: 4, flops: 0, inputs: [1], ...view },
        { bytes: 4, flops: 0, inputs: [1, 1], ...view },
        { bytes: 2, flops: 0, inputs: [3], ...view },
        { bytes: 2, flops: 0, inputs: [4, 2], ...view },
        { bytes: 3, flops: 0, inputs: [5], ...keeping() },
      ]),
    );
    // 1 looks at the source, which has no gradient; 3 reads 1 twice; 4 is half of 3.
    expect([...graph.handed]).toEqual([0, 0, 4, 0, 0, 2, 0]);
    expect([...graph.viewed]).toEqual([0, 0, set(1), 0, 0, set(4), 0]);
  });
});
