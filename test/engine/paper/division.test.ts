import { describe, expect, it } from 'vitest';
import { divideBranch } from '../../../engine/paper/reference/division-branch.ts';
import { divideComplicate } from '../../../engine/paper/reference/division-complicate.ts';
import { divideLinear, splitAt } from '../../../engine/paper/reference/division-linear.ts';
import { division } from '../../../engine/paper/reference/division-tree-by-definition.ts';
import {
  type IndependentSegment,
  isIndependentSegment,
  wholeGraph,
} from '../../../engine/paper/reference/independent-segment.ts';
import { createTensorGraph } from '../../../engine/paper/tensor-graph.ts';
import { arbitraryGraph, check } from './arbitrary-graph.ts';
import { COMPLICATE, FIGURE_3, THREE_BRANCHES, TWO_DIAMONDS } from './figures.ts';

const ends = (members: readonly IndependentSegment[]) => members.map((s) => [s.source, s.target]);

describe('divisions', () => {
  it('[D2] [A2] a linear splitting vertex has everything before or after it, and no edge beside it', () => {
    const whole = wholeGraph(TWO_DIAMONDS);
    const splitting = whole.inside.filter((t) => splitAt(TWO_DIAMONDS, whole, t) !== undefined);
    expect(splitting).toEqual([3]);
    const passedBy = createTensorGraph(
      [1, 1, 1],
      [
        [0, 1],
        [1, 2],
        [0, 2],
      ],
    );
    expect(splitAt(passedBy, wholeGraph(passedBy), 1)).toBeUndefined();
  });

  it('[D3] [A2] figure 4, first column: {s_ik, s_kj}', () => {
    const members = divideLinear(TWO_DIAMONDS, wholeGraph(TWO_DIAMONDS));
    expect(ends(members)).toEqual([
      [0, 3],
      [3, 6],
    ]);
    expect(members.map((s) => s.inside)).toEqual([
      [1, 2],
      [4, 5],
    ]);
  });

  it('[A2] leaves an IS without a linear splitting vertex as it is', () => {
    const whole = wholeGraph(COMPLICATE);
    expect(divideLinear(COMPLICATE, whole)).toEqual([whole]);
  });

  it('[D4] [A3] figure 4, second column: three branches, one of them an edge', () => {
    const members = divideBranch(THREE_BRANCHES, wholeGraph(THREE_BRANCHES));
    expect(members.map((s) => s.inside)).toEqual([[], [1, 2], [3]]);
    expect(members.map((s) => s.edges)).toEqual([[5], [0, 1, 2], [3, 4]]);
  });

  it('[D4] [A3] several edges between the same two vertices are a branch each', () => {
    const graph = createTensorGraph(
      [1, 1],
      [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    );
    expect(divideBranch(graph, wholeGraph(graph)).map((s) => s.edges)).toEqual([[0], [1], [2]]);
  });

  it('[D4] a direct edge beside a linear part makes a branch IS, not a linear one', () => {
    const [kind, members] = division(FIGURE_3, {
      ...wholeGraph(FIGURE_3),
      target: 2,
      inside: [1],
      edges: [0, 3, 1],
    });
    expect(kind).toBe('branch');
    expect(members).toHaveLength(2);
  });

  it('[D5] [D6] [A4] figure 4, third column: {s_ik, s_it, s_kt, s_kj, s_tj}', () => {
    const members = divideComplicate(COMPLICATE, wholeGraph(COMPLICATE));
    expect(ends(members)).toEqual([
      [0, 1],
      [0, 4],
      [1, 4],
      [1, 5],
      [4, 5],
    ]);
    expect(members[2]!.inside).toEqual([2, 3]);
  });

  it('[A2] [A3] [A4] members are independent segments that share no edge and leave none out', () => {
    check(arbitraryGraph(14), 300, ({ graph }) => {
      const whole = wholeGraph(graph);
      if (whole.edges.length === 1) return;
      const [, members] = division(graph, whole);
      expect(members.length).toBeGreaterThan(1);
      for (const member of members) expect(isIndependentSegment(graph, member)).toBe(true);
      const edges = members.flatMap((member) => [...member.edges]).sort((a, b) => a - b);
      expect(edges).toEqual([...graph.edgeFrom.keys()]);
    });
  });
});
