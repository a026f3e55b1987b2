import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../engine/bounds/lower-bound.ts';
import { createProblem } from '../../../engine/problem.ts';
import type { Schedule } from '../../../engine/schedule/schedule.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { lowestOf } from '../../support/lowest-peak.ts';
import { SearchLimit } from '../../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { exhaustiveLeast } from '../../support/exhaustive-live.ts';
import { measuredProblem, measuredProblems } from '../../support/measured-graphs.ts';
import { bytesGraph } from '../../support/problems.ts';
import { GRAPH_KINDS, randomStGraph } from '../../support/random-graphs.ts';
import { between, createRng, pick } from '../../support/rng.ts';

const limit = (): SearchLimit => new SearchLimit({}, NO_CONTROL);

function figuresOf(problem: Problem, schedule: Schedule | null | undefined): [number, number] {
  if (schedule == null) throw new Error('no schedule');
  const { peakBytes, recomputeWork } = simulate(problem.graph, problem.memory, schedule);
  return [peakBytes, recomputeWork];
}

describe('live on little graphs', () => {
  it('equals an exhaustive search over all schedules that forward each vertex at most twice', () => {
    const rng = createRng(61);
    for (let i = 0; i < 200; i++) {
      const graph = randomStGraph(rng, {
        vertices: between(rng, 3, i % 10 === 0 ? 7 : 6),
        kind: pick(rng, GRAPH_KINDS),
      });
      const problem = createProblem(bytesGraph(graph), 'pytorch');
      const found = lowestOf(problem, limit());
      expect(found.claim.kind, JSON.stringify(graph)).toBe('exact-peak');
      const least = exhaustiveLeast(problem);
      expect([found.peakBytes, found.recomputeWork], JSON.stringify(graph)).toEqual([least.peak, least.work]);
    }
  });

  it('equals it with auxiliaries, views, operations in place and nothing to keep', () => {
    for (const [name, problem] of measuredProblems(250, 62, { most: 5 })) {
      const found = lowestOf(problem, limit());
      expect(found.claim.kind, name).toBe('exact-peak');
      const least = exhaustiveLeast(problem);
      expect([found.peakBytes, found.recomputeWork], name).toEqual([least.peak, least.work]);
    }
  });

  it('is exact on twelve vertices too', () => {
    for (const [name, problem] of measuredProblems(20, 63, { least: 12, most: 12 })) {
      const found = lowestOf(problem, limit());
      expect(found.claim.kind, name).toBe('exact-peak');
      expect(found.peakBytes, name).toBeGreaterThanOrEqual(lowerBound(problem).bytes);
    }
  });

  it('has a plan where a fixed auxiliary makes the cuts of lower sets another tale than the orders tell', () => {
    const keeps = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 4 };
    const problem = measuredProblem([
      { bytes: 0, flops: 0, inputs: [] },
      { bytes: 0, flops: 0, inputs: [0], keeps },
      { bytes: 2, flops: 0, inputs: [0] },
      { bytes: 0, flops: 0, inputs: [1, 2] },
      { bytes: 3, flops: 0, inputs: [3] },
    ]);
    const { peak, work } = exhaustiveLeast(problem);
    expect(figuresOf(problem, lowestOf(problem, limit()).schedule)).toEqual([peak, work]);
  });
});
