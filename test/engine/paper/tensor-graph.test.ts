import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import {
  createTensorGraph,
  inDegree,
  inEdgesOf,
  isLinearGraph,
  outDegree,
  outEdgesOf,
} from '../../../engine/paper/tensor-graph.ts';
import { chain } from './figures.ts';

describe('createTensorGraph', () => {
  it('keeps edges in the given order and groups them by either end', () => {
    const graph = createTensorGraph(
      [5, 6, 7],
      [
        [1, 2],
        [0, 2],
        [0, 1],
        [0, 1],
      ],
    );
    expect([...graph.cost]).toEqual([5, 6, 7]);
    expect([...outEdgesOf(graph, 0)]).toEqual([1, 2, 3]);
    expect([...inEdgesOf(graph, 2)]).toEqual([0, 1]);
    expect([outDegree(graph, 0), inDegree(graph, 1), outDegree(graph, 2)]).toEqual([3, 2, 0]);
  });

  it.each<[string, number[], [number, number][], string]>([
    ['a single vertex', [1], [], 'cost: expected at least two vertices'],
    [
      'a negative cost',
      [1, -4, 1],
      [
        [0, 1],
        [1, 2],
      ],
      'cost[1]: expected a non-negative safe integer, got -4',
    ],
    [
      'a fraction',
      [1, 0.5, 1],
      [
        [0, 1],
        [1, 2],
      ],
      'cost[1]: expected a non-negative safe integer, got 0.5',
    ],
    ['not a number', [1, Number.NaN], [[0, 1]], 'cost[1]: expected a non-negative safe integer, got NaN'],
    [
      'a sum beyond 2^53',
      [2 ** 52, 2 ** 52],
      [[0, 1]],
      'cost[1]: expected costs whose sum is a safe integer',
    ],
    [
      'an edge against the order',
      [1, 1],
      [
        [0, 1],
        [1, 0],
      ],
      'edges[1]: expected topological order',
    ],
    ['an edge to nowhere', [1, 1], [[0, 2]], 'edges[0]: expected two vertices in 0..1, got 0 and 2'],
    [
      'a second source',
      [1, 1, 1],
      [
        [0, 2],
        [1, 2],
      ],
      'edges: expected an edge into vertex 1',
    ],
    [
      'a second target',
      [1, 1, 1],
      [
        [0, 1],
        [0, 2],
      ],
      'edges: expected an edge out of vertex 1',
    ],
  ])('refuses %s', (_, cost, edges, message) => {
    expect(() => createTensorGraph(cost, edges)).toThrow(BadInputError);
    expect(() => createTensorGraph(cost, edges)).toThrow(message);
  });

  it('tells a linear graph from one with an edge beside the path', () => {
    expect(isLinearGraph(chain([1, 2, 3, 4]))).toBe(true);
    expect(isLinearGraph(chain([1, 2]))).toBe(true);
    expect(
      isLinearGraph(
        createTensorGraph(
          [1, 1],
          [
            [0, 1],
            [0, 1],
          ],
        ),
      ),
    ).toBe(false);
  });
});
