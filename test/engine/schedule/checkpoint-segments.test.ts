import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { ADD_INPLACE, batchNorm, conv2d, RELU_INPLACE } from '../../../engine/ops/make.ts';
import { createProblem } from '../../../engine/problem.ts';
import { segmentsOf } from '../../../engine/paper/segments.ts';
import { checkpointSegments } from '../../../engine/schedule/checkpoint-segments.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { measuredProblem } from '../../support/measured-graphs.ts';
import { bytesProblem, randomProblems } from '../../support/problems.ts';
import { between, createRng } from '../../support/rng.ts';

function cut(
  { graph, memory, view }: Problem,
  checkpoints: number[],
): { segments: number[][]; kept: number[] } {
  const { segments, kept } = checkpointSegments(graph, memory, view, checkpoints);
  const vertices = Array.from(kept, (flag, v) => (flag === 1 ? v : -1)).filter((v) => v >= 0);
  return { segments: segments.map((segment) => [...segment]), kept: vertices };
}

describe('checkpointSegments', () => {
  it('joins a checkpoint to the segment that ends in it', () => {
    const chain = bytesProblem([1, 1, 1, 1, 1], '0>1 1>2 2>3 3>4');
    expect(cut(chain, [2])).toEqual({
      segments: [
        [1, 2],
        [3, 4],
      ],
      kept: [2, 4],
    });
    expect(cut(chain, [])).toEqual({ segments: [[1, 2, 3, 4]], kept: [4] });
  });

  it('makes every branch between two checkpoints a segment', () => {
    //      .-> v2 -.
    // v0 > v1       > v4 > v5      v1 and v4 are checkpoints
    //      '-> v3 -'
    const fork = bytesProblem([1, 1, 1, 1, 1, 1], '0>1 1>2 1>3 2>4 3>4 4>5');
    // Backward v4 needs both branches, so they share its segment (the bytes-only memory model).
    expect(cut(fork, [1, 4])).toEqual({ segments: [[1], [2, 3, 4], [5]], kept: [1, 4, 5] });
  });

  it('runs branch after branch in the order of their first vertices', () => {
    // v0 > v1, from it v2 > v4, v3 > v5 and v6, all into v7.
    const drawing = '0>1 1>2 1>3 2>4 3>5 1>6 4>7 5>7 6>7 7>8';
    const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    const needless = measuredProblem(
      [[], [0], [1], [1], [2], [3], [1], [4, 5, 6], [7]].map((inputs, v) => ({
        bytes: 1,
        flops: 0,
        inputs,
        ...(v === 7 ? { keeps: none } : {}),
      })),
    );
    // Backward v7 needs none of the branches, so that it joins none.
    expect(cut(needless, [1, 7]).segments).toEqual([[1], [2, 4], [3, 5], [6], [7], [8]]);
    const branches = bytesProblem(new Array(9).fill(1), drawing);
    expect(cut(branches, [1, 7]).segments).toEqual([[1], [2, 3, 4, 5, 6, 7], [8]]);
  });

  it('lists operations that join segments: they run outside of all', () => {
    const joinsOf = ({ graph, memory, view }: Problem, checkpoints: number[]): number[] => {
      const { joins } = checkpointSegments(graph, memory, view, checkpoints);
      return Array.from(joins ?? [], (flag, v) => (flag === 1 ? v : -1)).filter((v) => v >= 0);
    };
    const fork = bytesProblem([1, 1, 1, 1, 1, 1], '0>1 1>2 1>3 2>4 3>4 4>5');
    // v1 and v5 have nothing before them that would run again; v4 ends two branches.
    expect(joinsOf(fork, [1, 4])).toEqual([1, 4, 5]);
    expect(joinsOf(fork, [1])).toEqual([1]);
    const chain = bytesProblem([1, 1, 1, 1, 1], '0>1 1>2 2>3 3>4');
    expect(joinsOf(chain, [2])).toEqual([]);
    expect(joinsOf(chain, [2, 3])).toEqual([3, 4]);
    expect(joinsOf(chain, [1, 2, 3])).toEqual([1, 2, 3, 4]);
  });

  it('makes one segment of those that depend on each other in a circle', () => {
    // v2 alone is no end of independent segments: v1 > v3 goes around it, v4 reads both.
    const circle = bytesProblem([1, 1, 1, 1, 1, 1], '0>1 1>2 1>3 2>3 3>4 2>4 4>5');
    const { segments, kept } = cut(circle, [2]);
    expect(segments).toEqual([[1, 2, 3, 4, 5]]);
    expect(kept).toEqual([2, 5]);
  });

  it('keeps the last operation of those that share a vertex, and puts them all into one segment', () => {
    const b = new GraphBuilder('residual');
    b.input('x', [1, 1, 4, 4]);
    const stem = b.add('r', RELU_INPLACE, [b.add('c', conv2d(1, 1), ['x'])], 'join');
    const branch = b.add('n', batchNorm(), [b.add('d', conv2d(1, 1), [stem])], 'edge');
    const sum = b.add('s', RELU_INPLACE, [b.add('a', ADD_INPLACE, [branch, stem])], 'join');
    b.add('t', conv2d(1, 1), [sum]);
    const problem = createProblem(b.build(), 'pytorch');
    // Vertices: x, c+r, d (n on the edge), a+s, t.
    expect([...problem.view.representative]).toEqual([0, 2, 3, 6, 7]);
    expect(cut(problem, [1, 3])).toEqual({ segments: [[1, 2], [3, 4, 5, 6], [7]], kept: [2, 6, 7] });
  });

  it('lists every vertex but the source once, in an order that respects the edges', () => {
    const rng = createRng(3);
    for (const [name, problem] of randomProblems(1000, 51)) {
      const { graph, view } = problem;
      const last = view.tensors.size - 1;
      const chosen = Array.from({ length: between(rng, 0, 4) }, () => between(rng, 0, last));
      const { segments } = cut(problem, chosen);
      const segmentOf = new Int32Array(graph.size).fill(-1);
      segments.forEach((segment, s) => {
        for (const v of segment) segmentOf[v] = s;
      });
      expect(
        segments.flat().sort((a, b) => a - b),
        name,
      ).toEqual(Array.from({ length: graph.size - 1 }, (_, i) => i + 1));
      for (let v = 1; v < graph.size; v++) {
        for (let e = graph.predecessorOffsets[v] ?? 0; e < (graph.predecessorOffsets[v + 1] ?? 0); e++) {
          expect(segmentOf[graph.predecessors[e] ?? 0], name).toBeLessThanOrEqual(segmentOf[v] ?? 0);
        }
      }
      // The inside of each independent segment stays together.
      const parts = segmentsOf(view.tensors, chosen);
      if (!parts.ok) continue;
      for (const { vertices } of parts.segments) {
        const found = new Set(vertices.map((t) => segmentOf[view.representative[t] ?? 0]));
        expect(found.size, name).toBe(1);
      }
    }
  });
});
