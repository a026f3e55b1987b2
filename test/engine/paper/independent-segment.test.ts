import { describe, expect, it } from 'vitest';
import {
  isIndependentSegment,
  largestIndependentSegment,
  segmentCost,
  wholeGraph,
} from '../../../engine/paper/reference/independent-segment.ts';
import { createTensorGraph } from '../../../engine/paper/tensor-graph.ts';
import { bruteForceClosedSets } from '../../support/brute-force.ts';
import { arbitraryGraph, check, segmentOfEdges } from './arbitrary-graph.ts';
import { COMPLICATE, FIGURE_3 } from './figures.ts';

describe('independent segments', () => {
  it('[D1] figure 3: v_i and v_t form one, v_k and v_j do not', () => {
    const whole = wholeGraph(FIGURE_3);
    expect(largestIndependentSegment(FIGURE_3, whole, 0, 2)).toEqual({
      source: 0,
      target: 2,
      inside: [1],
      edges: [0, 3, 1],
    });
    expect(largestIndependentSegment(FIGURE_3, whole, 1, 3)).toBeUndefined();
    expect(isIndependentSegment(FIGURE_3, { source: 1, target: 3, inside: [2], edges: [1, 2] })).toBe(false);
  });

  it('[D1] the edges between the ends may stay outside, those of the inside may not', () => {
    const part = { source: 0, target: 2, inside: [1] };
    expect(isIndependentSegment(FIGURE_3, { ...part, edges: [0, 1] })).toBe(true);
    expect(isIndependentSegment(FIGURE_3, { ...part, edges: [0] })).toBe(false);
    expect(isIndependentSegment(FIGURE_3, { ...part, edges: [] })).toBe(false);
    expect(isIndependentSegment(FIGURE_3, { ...part, edges: [0, 1, 2] })).toBe(false);
  });

  it('[D1] costs what is strictly inside', () => {
    expect(segmentCost(COMPLICATE, wholeGraph(COMPLICATE))).toBe(2 + 3 + 4 + 5);
  });

  it('[A4] finds the closed branch beside an open path between the same ends', () => {
    // Between 0 and 3: 0 -> 1 -> 3 is closed; 2 also feeds 4, so {1, 2} together is not.
    const graph = createTensorGraph(
      [1, 1, 1, 1, 1],
      [
        [0, 1],
        [1, 3],
        [0, 2],
        [2, 3],
        [2, 4],
        [3, 4],
      ],
    );
    expect(largestIndependentSegment(graph, wholeGraph(graph), 0, 3)).toMatchObject({
      inside: [1],
      edges: [0, 1],
    });
  });

  it('[D1] agrees with brute force over all vertex sets', () => {
    check(arbitraryGraph(9), 300, ({ list, graph }) => {
      const largest = new Map<string, number>();
      for (const { source, target, inside } of bruteForceClosedSets(list)) {
        const edges = [...graph.edgeFrom.keys()].filter(
          (e) => (inside >> graph.edgeFrom[e]!) & 1 || (inside >> graph.edgeTo[e]!) & 1,
        );
        const segment = segmentOfEdges(graph, edges)!;
        expect(segment).toMatchObject({ source, target });
        expect(isIndependentSegment(graph, segment)).toBe(true);
        largest.set(`${source} ${target}`, (largest.get(`${source} ${target}`) ?? 0) | inside);
      }
      for (let k = 0; k < list.n; k++) {
        for (let t = k + 1; t < list.n; t++) {
          const found = largestIndependentSegment(graph, wholeGraph(graph), k, t);
          const inside = (found?.inside ?? []).reduce((mask, v) => mask | (1 << v), 0);
          expect(inside).toBe(largest.get(`${k} ${t}`) ?? 0);
          if (found !== undefined) expect(isIndependentSegment(graph, found)).toBe(true);
        }
      }
    });
  });
});
