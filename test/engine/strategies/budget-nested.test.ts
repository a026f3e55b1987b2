import { describe, expect, it } from 'vitest';
import { multiLevelSchedule, type NestedSegment } from '../../../engine/schedule/multi-level.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { SearchLimit } from '../../../engine/strategies/search/search-limit.ts';
import { NestedSearch } from '../../../engine/strategies/budget/nested-search.ts';
import { liveModel } from '../../../engine/strategies/search/live-model.ts';
import { givenOrder } from '../../../engine/strategies/search/orders.ts';
import { memoryPoor } from '../../../engine/strategies/memory-poor.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { randomProblems } from '../../support/problems.ts';
import { createRng, type Rng } from '../../support/rng.ts';

/** Any nesting at all, cuts between an in-place operation and its input included. */
function randomNesting(rng: Rng, from: number, to: number): NestedSegment {
  if (to - from < 2 || rng.below(4) === 0) return { from, to, cut: null, forgetful: rng.below(2) === 0 };
  const at = from + 1 + rng.below(to - from - 1);
  const cut = { after: randomNesting(rng, at, to), before: randomNesting(rng, from, at) };
  return { from, to, cut, forgetful: false };
}

describe('nested segments', () => {
  it('make schedules that the simulator accepts, however they are nested', () => {
    const rng = createRng(81);
    for (const [name, { graph, memory }] of randomProblems(1500, 82, 16)) {
      const root = randomNesting(rng, 0, graph.size - 1);
      const schedule = multiLevelSchedule(graph, memory, givenOrder(graph), root);
      expect(() => simulate(graph, memory, schedule), name).not.toThrow();
    }
  });

  it('stay within the peak that the search reckons with, down to storing nothing', () => {
    for (const [name, problem] of randomProblems(300, 83, 16)) {
      const { graph, memory } = problem;
      const model = liveModel(graph, memory, givenOrder(graph));
      const points = new NestedSearch(model).points(new SearchLimit({}, NO_CONTROL), () => undefined);
      const peaks = points.map((point) => {
        const { peakBytes } = simulate(graph, memory, multiLevelSchedule(graph, memory, model.order, point));
        // Batch statistics that nobody recomputes stay beside; they are small.
        const slack = memory.profile === 'pytorch' && graph.flops.every((flops) => flops === 0) ? 0 : 1024;
        expect(peakBytes, name).toBeLessThanOrEqual(point.peak + model.bytes[0]! + slack);
        return peakBytes;
      });
      const poor = memoryPoor.plan(problem, { seed: 1 }, NO_CONTROL);
      if (!poor.applicable) throw new Error(poor.reason);
      const least = simulate(graph, memory, poor.schedule).peakBytes;
      expect(Math.min(...peaks), name).toBeLessThanOrEqual(1.5 * least);
    }
  });
});
