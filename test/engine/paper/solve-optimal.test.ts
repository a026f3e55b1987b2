import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { buildDivisionTree } from '../../../engine/paper/build-division-tree.ts';
import { divisionTreeToJson } from '../../../engine/paper/division-tree.ts';
import { paperCost } from '../../../engine/paper/paper-cost.ts';
import { recur, solveByMaxTermList } from '../../../engine/paper/reference/recursive-solver.ts';
import { evaluateUnderMaxTerm, solveOptimal } from '../../../engine/paper/solve-optimal.ts';
import { createTensorGraph } from '../../../engine/paper/tensor-graph.ts';
import { bruteForceOptimum } from '../../support/brute-force.ts';
import { arbitraryGraph, check } from './arbitrary-graph.ts';
import { COMPLICATE, chain, THREE_BRANCHES, TWO_DIAMONDS } from './figures.ts';

describe('solveOptimal', () => {
  it('[A6] keeps nothing if the largest branch costs less than any cut', () => {
    expect(solveOptimal(THREE_BRANCHES)).toMatchObject({
      checkpoints: [],
      cost: 5,
      maxTerm: 5,
      checkpointCost: 0,
    });
  });

  it('[A6] two diamonds: the vertex between them is worth its cost', () => {
    expect(solveOptimal(TWO_DIAMONDS)).toMatchObject({
      checkpoints: [3],
      cost: 10,
      checkpointCost: 4,
      maxTerm: 6,
    });
  });

  it('[A5] a Complicate IS is cut at all its connecting vertices or not at all', () => {
    expect(solveOptimal(COMPLICATE)).toMatchObject({ checkpoints: [1, 4], cost: 2 + 5 + 4, maxTerm: 4 });
    const costly = createTensorGraph([1, 9, 3, 4, 9, 6], edgesOf(COMPLICATE));
    expect(solveOptimal(costly)).toMatchObject({ checkpoints: [1, 4], cost: 22 });
    const light = createTensorGraph([1, 9, 0, 0, 9, 6], edgesOf(COMPLICATE));
    expect(solveOptimal(light)).toMatchObject({ checkpoints: [], cost: 18 });
  });

  it('[A6] trivial graphs', () => {
    expect(solveOptimal(chain([5, 5]))).toMatchObject({ checkpoints: [], cost: 0, maxTerm: 0 });
    expect(solveOptimal(chain([5, 3, 5]))).toMatchObject({ checkpoints: [], cost: 3, maxTerm: 3 });
    expect(solveOptimal(chain([5, 0, 0, 5]))).toMatchObject({ checkpoints: [], cost: 0 });
  });

  it('[A6] [T1] equals brute force over all checkpoint sets, ties included', () => {
    check(arbitraryGraph(12), 3000, ({ list, graph }) => {
      const { checkpoints, cost, checkpointCost, maxTerm } = solveOptimal(graph);
      expect({ cost, count: checkpoints.length, maxTerm }).toEqual(bruteForceOptimum(list));
      expect(paperCost(graph, checkpoints)).toMatchObject({ ok: true, cost, checkpointCost, maxTerm });
    });
  });

  it('[A6] equals brute force with costs in bytes', () => {
    check(arbitraryGraph(11, undefined, 2 ** 40), 1000, ({ list, graph }) => {
      const { checkpoints, cost, maxTerm } = solveOptimal(graph);
      expect({ cost, count: checkpoints.length, maxTerm }).toEqual(bruteForceOptimum(list));
    });
  });

  it('[A6] equals the algorithm as printed on graphs of up to 60 vertices', () => {
    check(arbitraryGraph(60, undefined, 100), 150, ({ graph }) => {
      expect(solveOptimal(graph).cost).toBe(solveByMaxTermList(graph).cost);
    });
  });

  it('[A6] equals the algorithm as printed on its own tree of up to 250 vertices', () => {
    check(arbitraryGraph(250, ['linear', 'branch', 'complicate', 'mixed'], 1000), 40, ({ graph }) => {
      const solution = solveOptimal(graph);
      const listed = solveByMaxTermList(graph, divisionTreeToJson(solution.tree));
      expect(solution.cost).toBe(listed.cost);
      expect(paperCost(graph, solution.checkpoints)).toMatchObject({ ok: true, cost: solution.cost });
    });
  });

  it('[A6] tries few of the max terms on a graph of 2,000 vertices', () => {
    check(arbitraryGraph(2000, undefined, 1_000_000), 30, ({ graph }) => {
      const solution = solveOptimal(graph);
      expect(solution.evaluations).toBeLessThan(400);
      expect(paperCost(graph, solution.checkpoints)).toMatchObject({ ok: true, cost: solution.cost });
    });
  });
});

describe('evaluateUnderMaxTerm', () => {
  it('[A5] finds the least checkpoint cost under every C, as the recursion does', () => {
    check(fc.tuple(arbitraryGraph(40), fc.nat(60)), 1000, ([{ graph }, maxTerm]) => {
      const tree = buildDivisionTree(graph);
      const chosen = new Set<number>();
      recur(graph, divisionTreeToJson(tree), chosen, maxTerm);
      const recursive = paperCost(graph, chosen);
      const choice = evaluateUnderMaxTerm(tree, maxTerm);
      if (!recursive.ok) throw new Error('the recursion cuts independent segments');
      expect(choice.checkpointCost).toBe(recursive.checkpointCost);
      expect(choice.maxTerm).toBeLessThanOrEqual(maxTerm);
      const { checkpoints, ...figures } = choice;
      expect(paperCost(graph, checkpoints)).toMatchObject({ ok: true, ...figures });
    });
  });

  it('[A5] f(C) never rises with C, and stays down to the largest segment of the answer', () => {
    check(arbitraryGraph(40), 100, ({ graph }) => {
      const tree = buildDivisionTree(graph);
      let last = Number.POSITIVE_INFINITY;
      for (let maxTerm = 0; maxTerm <= tree.cost[0]! + 1; maxTerm++) {
        const choice = evaluateUnderMaxTerm(tree, maxTerm);
        expect(choice.checkpointCost).toBeLessThanOrEqual(last);
        expect(evaluateUnderMaxTerm(tree, choice.maxTerm).checkpointCost).toBe(choice.checkpointCost);
        last = choice.checkpointCost;
      }
      expect(last).toBe(0);
    });
  });

  it.each([-1, Number.NaN])('refuses max term %s', (maxTerm) => {
    expect(() => evaluateUnderMaxTerm(buildDivisionTree(COMPLICATE), maxTerm)).toThrow(BadInputError);
  });
});

function edgesOf(graph: typeof COMPLICATE): [number, number][] {
  return [...graph.edgeFrom].map((from, e) => [from, graph.edgeTo[e]!]);
}
