import { describe, expect, it } from 'vitest';
import { buildDivisionTree } from '../../../engine/paper/build-division-tree.ts';
import { type DivisionNode, divisionTreeToJson } from '../../../engine/paper/division-tree.ts';
import { divideBranch } from '../../../engine/paper/reference/division-branch.ts';
import { contains, divideComplicate } from '../../../engine/paper/reference/division-complicate.ts';
import { divideLinear, splitAt } from '../../../engine/paper/reference/division-linear.ts';
import {
  type IndependentSegment,
  isIndependentSegment,
  largestIndependentSegment,
  wholeGraph,
} from '../../../engine/paper/reference/independent-segment.ts';
import type { TensorGraph } from '../../../engine/paper/tensor-graph.ts';
import { fewest } from '../../support/draws.ts';
import { bruteForceClosedSets } from '../../support/brute-force.ts';
import { arbitraryGraph, check, nodesOf, type Sample, segmentOfEdges } from './arbitrary-graph.ts';

/** Paper 001, appendix A.1. There s_ij is the largest closed set between v_i and v_j. */
describe('lemmas', () => {
  it('[L1] s_ij and s_kt that overlap without containment meet in s_kj or s_it', () => {
    check(arbitraryGraph(10), 200, ({ graph }) => {
      const all = largestSegments(graph);
      const between = new Map(all.map((s) => [`${s.source} ${s.target}`, s]));
      for (const [ij, kt] of overlapping(all)) {
        const common = kt.edges.filter((e) => ij.edges.includes(e));
        const candidates = [
          between.get(`${kt.source} ${ij.target}`),
          between.get(`${ij.source} ${kt.target}`),
        ];
        expect(candidates.map((s) => s?.edges)).toContainEqual(common);
      }
    });
  });

  it('[L2] what two closed sets have in common is a closed set', () => {
    check(arbitraryGraph(9), 150, (sample) => {
      const all = closedSets(sample);
      for (const [a, b] of overlapping(all)) {
        const common = segmentOfEdges(
          sample.graph,
          b.edges.filter((e) => a.edges.includes(e)),
        );
        expect(common).toBeDefined();
        expect(isIndependentSegment(sample.graph, common!)).toBe(true);
      }
    });
  });

  it('[L3] when s_ij and s_kt meet in s_kj, v_k splits s_ij and v_j splits s_kt', () => {
    let met = 0;
    check(arbitraryGraph(10), 200, ({ graph }) => {
      for (const [ij, kt] of overlapping(largestSegments(graph))) {
        const common = kt.edges.filter((e) => ij.edges.includes(e));
        const kj = segmentOfEdges(graph, common)!;
        if (kj.source !== kt.source || kj.target !== ij.target) continue;
        met++;
        expect(splitAt(graph, ij, kt.source)).toBeDefined();
        expect(splitAt(graph, kt, ij.target)).toBeDefined();
      }
    });
    expect(met).toBeGreaterThan(fewest(100));
  });

  it('[L4] the splitting vertices cut s_ij into segments in a row that make it up', () => {
    check(arbitraryGraph(16, ['chain', 'linear', 'mixed', 'dag']), 300, ({ graph }) => {
      const whole = wholeGraph(graph);
      const splitting = whole.inside.filter((t) => splitAt(graph, whole, t) !== undefined);
      const members = divideLinear(graph, whole);
      expect(members.map((s) => s.target)).toEqual([...splitting, whole.target]);
      expect(members.map((s) => s.source)).toEqual([whole.source, ...splitting]);
      expect(members.flatMap((s) => [...s.edges]).sort((a, b) => a - b)).toEqual([...graph.edgeFrom.keys()]);
      for (const s of members) expect(largestIndependentSegment(graph, whole, s.source, s.target)).toEqual(s);
    });
  });

  it('[L5] an inner end of a maximal split is the end of at least three members', () => {
    let inner = 0;
    check(arbitraryGraph(60), 400, ({ graph }) => {
      for (const node of complicateNodes(graph)) {
        for (const [v, count] of endCounts(node)) {
          if (v === node.source || v === node.target) continue;
          expect(count).toBeGreaterThanOrEqual(3);
          inner++;
        }
      }
    });
    expect(inner).toBeGreaterThan(500);
  });

  it('[L6] no closed set but s_ij itself holds a member of its maximal split and more', () => {
    let tested = 0;
    check(arbitraryGraph(10, ['complicate', 'dag']), 300, (sample) => {
      const whole = wholeGraph(sample.graph);
      if (!isComplicate(sample.graph, whole)) return;
      tested++;
      for (const member of divideComplicate(sample.graph, whole)) {
        for (const s of closedSets(sample)) {
          const isWhole = s.edges.length === whole.edges.length;
          if (!isWhole && contains(s, member)) expect(s.edges).toEqual(member.edges);
        }
      }
    });
    expect(tested).toBeGreaterThan(fewest(100));
  });

  it('[L7] the maximal split of an IS with vertices, no splitting vertex and no branch has over two members', () => {
    check(arbitraryGraph(60), 400, ({ graph }) => {
      for (const node of complicateNodes(graph)) {
        expect(node.children!.length).toBeGreaterThan(2);
        // The smallest triconnected skeleton is K4, less the edge between the ends.
        expect(node.children!.length).toBeGreaterThanOrEqual(5);
      }
    });
  });
});

function isComplicate(graph: TensorGraph, s: IndependentSegment): boolean {
  return s.edges.length > 1 && divideLinear(graph, s).length === 1 && divideBranch(graph, s).length === 1;
}

/** s_ij of every pair that has one. */
function largestSegments(graph: TensorGraph): IndependentSegment[] {
  const whole = wholeGraph(graph);
  const found: IndependentSegment[] = [];
  for (let i = 0; i < graph.size; i++) {
    for (let j = i + 1; j < graph.size; j++) {
      const s = largestIndependentSegment(graph, whole, i, j);
      if (s !== undefined) found.push(s);
    }
  }
  return found;
}

/** All closed sets with a vertex inside, with and without the edges between their ends. */
function closedSets({ list, graph }: Sample): IndependentSegment[] {
  const { edges } = wholeGraph(graph);
  return bruteForceClosedSets(list).flatMap(({ source, target, inside }) => {
    const touching = edges.filter((e) => ((inside >> graph.edgeFrom[e]!) | (inside >> graph.edgeTo[e]!)) & 1);
    const direct = edges.filter((e) => graph.edgeFrom[e] === source && graph.edgeTo[e] === target);
    const segment = segmentOfEdges(graph, touching)!;
    return direct.length === 0 ? [segment] : [segment, segmentOfEdges(graph, [...touching, ...direct])!];
  });
}

/** Pairs, in either order, that share edges and of which neither contains the other. */
function overlapping(all: readonly IndependentSegment[]): [IndependentSegment, IndependentSegment][] {
  const sets = all.map((s) => new Set(s.edges));
  return all.flatMap((a) =>
    all
      .filter((b, j) => {
        const common = a.edges.filter((e) => sets[j]!.has(e)).length;
        return common > 0 && common < a.edges.length && common < b.edges.length;
      })
      .map((b): [IndependentSegment, IndependentSegment] => [a, b]),
  );
}

function complicateNodes(graph: TensorGraph): DivisionNode[] {
  return nodesOf(divisionTreeToJson(buildDivisionTree(graph))).filter((node) => node.kind === 'complicate');
}

function endCounts(node: DivisionNode): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { source, target } of node.children ?? []) {
    for (const v of [source, target]) counts.set(v, (counts.get(v) ?? 0) + 1);
  }
  return counts;
}
