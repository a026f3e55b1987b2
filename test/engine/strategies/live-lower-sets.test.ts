import { describe, expect, it } from 'vitest';
import { type Graph, predecessorsOf, successorsOf } from '../../../engine/graph/graph.ts';
import { needsOf } from '../../../engine/ops/memory-model.ts';
import { createProblem } from '../../../engine/problem.ts';
import { oneLevelSchedule } from '../../../engine/schedule/one-level.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { cutAtLowerSets, fewLowerSets } from '../../../engine/strategies/search/lower-sets.ts';
import { givenOrder } from '../../../engine/strategies/search/orders.ts';
import { SearchLimit } from '../../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { bytesGraph } from '../../support/problems.ts';
import { GRAPH_KINDS, randomStGraph } from '../../support/random-graphs.ts';
import { between, createRng, pick } from '../../support/rng.ts';

function lowerSetsOf(graph: Graph): Set<number>[] {
  const all: Set<number>[] = [];
  for (let mask = 1; mask < 1 << graph.size; mask += 2) {
    const set = new Set<number>();
    for (let v = 0; v < graph.size; v++) if ((mask >> v) & 1) set.add(v);
    if ([...set].every((v) => predecessorsOf(graph, v).every((u) => set.has(u)))) all.push(set);
  }
  return all.sort((a, b) => a.size - b.size);
}

/** The simulated peak of one sequence: boundaries kept, every segment but the last recomputed at once. */
function peakOf(problem: Problem, sequence: readonly Set<number>[]): number {
  const { graph, memory } = problem;
  const kept = new Uint8Array(graph.size);
  const segments = sequence
    .slice(1)
    .map((set, i) => [...set].filter((v) => !sequence[i]!.has(v)).sort((a, b) => a - b));
  for (const set of sequence.slice(1, -1)) {
    for (const v of set) {
      const later = [...successorsOf(graph, v)];
      for (let w = 0; w < graph.size; w++) if (needsOf(memory, w).includes(v)) later.push(w);
      if (later.some((w) => !set.has(w))) kept[v] = 1;
    }
  }
  return simulate(graph, memory, oneLevelSchedule(graph, memory, { segments, kept, recomputeLast: false }))
    .peakBytes;
}

function exhaustive(problem: Problem): number {
  const sets = lowerSetsOf(problem.graph);
  let least = Number.POSITIVE_INFINITY;
  const extend = (sequence: Set<number>[]): void => {
    const last = sequence[sequence.length - 1]!;
    if (last.size === problem.graph.size) least = Math.min(least, peakOf(problem, sequence));
    for (const next of sets) {
      if (next.size > last.size && [...last].every((v) => next.has(v))) extend([...sequence, next]);
    }
  };
  extend([new Set([0])]);
  return least;
}

describe('cuts at lower sets', () => {
  it('equal an exhaustive search over all sequences of lower sets', () => {
    const rng = createRng(71);
    for (let i = 0; i < 250; i++) {
      const graph = randomStGraph(rng, {
        vertices: between(rng, 3, i % 25 === 0 ? 9 : 6),
        kind: pick(rng, GRAPH_KINDS),
      });
      const problem = createProblem(bytesGraph(graph), 'pytorch');
      const sets = fewLowerSets(problem)!;
      expect(sets.length).toBe(lowerSetsOf(problem.graph).length);
      const found = cutAtLowerSets(
        problem,
        sets,
        givenOrder(problem.graph),
        1e6,
        new SearchLimit({}, NO_CONTROL),
      );
      expect(found?.peak, JSON.stringify(graph)).toBe(exhaustive(problem));
    }
  });
});
