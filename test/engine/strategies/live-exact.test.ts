import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { SearchLimit } from '../../../engine/strategies/search-limit.ts';
import { lowestPeak } from '../../../engine/strategies/live/lowest-peak.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy.ts';
import { exhaustiveLeast } from '../../support/exhaustive-live.ts';
import { bytesGraph } from '../../support/problems.ts';
import { GRAPH_KINDS, randomStGraph } from '../../support/random-graphs.ts';
import { between, createRng, pick } from '../../support/rng.ts';

describe('live on little graphs', () => {
  it('equals an exhaustive search over all schedules that forward each vertex at most twice', () => {
    const rng = createRng(61);
    for (let i = 0; i < 200; i++) {
      const graph = randomStGraph(rng, {
        vertices: between(rng, 3, i % 10 === 0 ? 7 : 6),
        kind: pick(rng, GRAPH_KINDS),
      });
      const problem = createProblem(bytesGraph(graph), 'pytorch');
      const found = lowestPeak(problem, new SearchLimit({}, NO_CONTROL));
      expect(found.claim.kind, JSON.stringify(graph)).toBe('exact-peak');
      const least = exhaustiveLeast(problem);
      expect([found.peakBytes, found.recomputeWork], JSON.stringify(graph)).toEqual([least.peak, least.work]);
    }
  });
});
