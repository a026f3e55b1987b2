import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { paperCost } from '../../../engine/paper/paper-cost.ts';
import { isIndependentSegment } from '../../../engine/paper/reference/independent-segment.ts';
import { independenceTest, segmentsOf } from '../../../engine/paper/segments.ts';
import { createTensorGraph } from '../../../engine/paper/tensor-graph.ts';
import { arbitraryGraph, check, segmentOfEdges } from './arbitrary-graph.ts';
import { COMPLICATE, FIGURE_3, THREE_BRANCHES, TWO_DIAMONDS } from './figures.ts';

describe('segmentsOf', () => {
  it('[D1] figure 3: {v_i, v_t} is valid, {v_k, v_j} is not, as v_t needs v_i', () => {
    expect(segmentsOf(FIGURE_3, [0, 2])).toEqual({
      ok: true,
      segments: [{ source: 0, target: 2, cost: 1, vertices: [1] }],
    });
    expect(segmentsOf(FIGURE_3, [1, 3])).toEqual({
      ok: false,
      reason: 'several-sources',
      from: 2,
      needs: 0,
      sources: [0, 1],
      targets: [3],
      vertices: [2],
    });
  });

  it('[D1] names the vertex outside that needs one inside', () => {
    // Without 4, vertices 2 and 3 still feed it, but 1 is fed nothing else: 1 reads 0 and feeds 4 and 5.
    expect(segmentsOf(COMPLICATE, [2, 3, 4])).toMatchObject({
      ok: false,
      reason: 'several-targets',
      sources: [0],
      vertices: [1],
      needs: 1,
    });
  });

  it('[A5] parallel branches between the same two checkpoints are segments of their own', () => {
    const cut = segmentsOf(TWO_DIAMONDS, [3]);
    expect(cut.ok && cut.segments.map((s) => s.cost)).toEqual([2, 3, 5, 6]);
    const open = segmentsOf(THREE_BRANCHES, []);
    expect(open.ok && open.segments.map((s) => s.vertices)).toEqual([[1, 2], [3]]);
  });

  it('Eq. 2 leaves out source and target and counts a repeated checkpoint once', () => {
    expect(paperCost(TWO_DIAMONDS, [3, 0, 6, 3])).toMatchObject({
      ok: true,
      cost: 4 + 6,
      checkpointCost: 4,
      maxTerm: 6,
    });
    expect(paperCost(createTensorGraph([5, 5], [[0, 1]]), [])).toMatchObject({
      ok: true,
      cost: 0,
      segments: [],
    });
    expect(paperCost(FIGURE_3, [1, 3])).toMatchObject({ ok: false, from: 2, needs: 0 });
  });

  it.each([-1, 4, 1.5, Number.NaN])('refuses checkpoint %s, which is no vertex', (vertex) => {
    expect(() => segmentsOf(FIGURE_3, [vertex])).toThrow(BadInputError);
  });

  it('[D1] accepts exactly the sets whose parts are independent segments', () => {
    const chosen = fc.uniqueArray(fc.nat(11), { maxLength: 8 });
    check(fc.tuple(arbitraryGraph(12), chosen), 1500, ([{ graph }, wish]) => {
      const checkpoints = wish.filter((v) => v < graph.size);
      const cut = segmentsOf(graph, checkpoints);
      const kept = new Set([0, graph.size - 1, ...checkpoints]);
      const edges = [...graph.edgeFrom.keys()];
      if (cut.ok) {
        expect(cut.segments.flatMap((s) => [...s.vertices]).sort((a, b) => a - b)).toEqual(
          [...graph.cost.keys()].filter((v) => !kept.has(v)),
        );
        for (const s of cut.segments) {
          const touching = edges.filter(
            (e) => s.vertices.includes(graph.edgeFrom[e]!) || s.vertices.includes(graph.edgeTo[e]!),
          );
          const segment = segmentOfEdges(graph, touching)!;
          expect(segment).toMatchObject({ source: s.source, target: s.target, inside: s.vertices });
          expect(isIndependentSegment(graph, segment)).toBe(true);
          expect(kept.has(s.source) && kept.has(s.target)).toBe(true);
        }
        return;
      }
      expect(edges.some((e) => graph.edgeFrom[e] === cut.needs && graph.edgeTo[e] === cut.from)).toBe(true);
      expect(cut.vertices.includes(cut.from)).toBe(cut.reason === 'several-sources');
      expect(cut.vertices.includes(cut.needs)).toBe(cut.reason === 'several-targets');
      expect((cut.reason === 'several-sources' ? cut.sources : cut.targets).length).toBeGreaterThan(1);
      for (const v of [...cut.sources, ...cut.targets]) expect(kept.has(v)).toBe(true);
    });
  });
});

it('independenceTest agrees with segmentsOf for any set of any graph, also when reused', () => {
  const sets = fc.array(fc.array(fc.nat(), { maxLength: 6 }), { maxLength: 5 });
  check(fc.tuple(arbitraryGraph(14), sets), 2000, ([{ graph }, draws]) => {
    const isIndependent = independenceTest(graph);
    for (const draw of draws) {
      const set = draw.map((v) => v % graph.size);
      expect(isIndependent(set)).toBe(segmentsOf(graph, set).ok);
    }
  });
});
