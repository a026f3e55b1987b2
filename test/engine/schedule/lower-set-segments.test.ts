import { describe, expect, it } from 'vitest';
import { predecessorsOf } from '../../../engine/graph/graph.ts';
import { lowerSetSegments } from '../../../engine/schedule/lower-set-segments.ts';
import { bytesProblem, randomProblems } from '../../support/problems.ts';
import { createRng } from '../../support/rng.ts';

describe('lowerSetSegments', () => {
  it('closes two towers together', () => {
    // v0 > v1 > v3 > v5 > v7 and v0 > v2 > v4 > v6 > v7
    const { graph } = bytesProblem([1, 1, 1, 1, 1, 1, 1, 1], '0>1 0>2 1>3 2>4 3>5 4>6 5>7 6>7');
    const plan = lowerSetSegments(graph, [4, 3]);
    expect(plan.segments).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7],
    ]);
    // The target is kept, as each end of a segment is.
    expect([...plan.kept]).toEqual([0, 0, 0, 1, 1, 0, 0, 1]);
    expect(plan.recomputeLast).toBe(true);
    expect(lowerSetSegments(graph, [3, 5]).segments).toEqual([[1, 2, 3, 4, 6], [5], [7]]);
  });

  it('starts no segment at the source', () => {
    const { graph } = bytesProblem([1, 1, 1], '0>1 1>2');
    expect(lowerSetSegments(graph, [0]).segments).toEqual([[1, 2]]);
    expect([...lowerSetSegments(graph, [0]).kept]).toEqual([0, 0, 1]);
  });

  it('puts each operation where the longest run of kept ancestors ends', () => {
    const rng = createRng(10);
    for (const [name, { graph }] of randomProblems(300, 45, 12)) {
      const kept = Array.from({ length: graph.size }, (_, v) => v).filter(() => rng.below(3) === 0);
      const longest = (v: number): number =>
        v === 0
          ? 0
          : Math.max(
              ...[...predecessorsOf(graph, v)].map((u) => longest(u) + (u > 0 && kept.includes(u) ? 1 : 0)),
            );
      const { segments } = lowerSetSegments(graph, kept);
      segments.forEach((segment, s) => {
        expect([...new Set(segment.map(longest))], name).toEqual([s]);
      });
      expect(segments.flat(), name).toHaveLength(graph.size - 1);
    }
  });
});
