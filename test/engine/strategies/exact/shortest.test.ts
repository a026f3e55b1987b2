import { describe, expect, it } from 'vitest';
import { ExhaustiveSchedules } from '../../../../engine/bounds/exhaustive-schedules.ts';
import { CostToGo } from '../../../../engine/strategies/exact/cost-to-go.ts';
import { shortest } from '../../../../engine/strategies/exact/shortest.ts';
import { stepGraph } from '../../../../engine/strategies/exact/step-graph.ts';
import { measuredProblems } from '../../../support/measured-graphs.ts';
import { bytesProblem } from '../../../support/problems.ts';
import { START, Steps } from '../../../../engine/strategies/exact/steps.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';

const INFINITE = Number.POSITIVE_INFINITY;
const MANY = 1_000_000;

/** Forward work of every vertex once. */
function onceOf({ graph }: Problem): number {
  const work = graph.flops.some((flops) => flops > 0) ? graph.flops : graph.bytes;
  return work.subarray(1).reduce((sum, own) => sum + own, 0);
}

/** How many states can be reached by steps of so many live bytes. */
function reachable(steps: Steps, limit: number): number {
  const states = [START];
  const known = new Set([steps.keyOf(START)]);
  for (const state of states) {
    steps.next(state, limit, -1, (next) => {
      if (known.has(steps.keyOf(next))) return;
      known.add(steps.keyOf(next));
      states.push(next);
    });
  }
  return states.length;
}

describe('the cheapest path', () => {
  it('is found within a number of states or not at all', () => {
    const graph = stepGraph(bytesProblem([1, 2, 3, 4], '0>1 1>2 2>3'));
    const steps = new Steps(graph, false);
    const wanted = { least: 'peak', limit: INFINITE, below: INFINITE, floor: 0 } as const;
    // Backward 3 holds the source, 2 and 3 and the gradients of both: 1 + 3 + 4 + 4 + 3.
    expect(shortest(graph, steps, wanted, unlimited(), MANY)?.cost).toBe(15);
    expect(shortest(graph, steps, wanted, unlimited(), 3)).toBeNull();
    expect(shortest(graph, steps, wanted, ended(), MANY)).toBeNull();
    expect(shortest(graph, steps, { ...wanted, below: 15 }, unlimited(), MANY)).toEqual({
      steps: null,
      cost: 15,
    });
    expect(shortest(graph, steps, { ...wanted, limit: 14 }, unlimited(), MANY)?.steps).toBeNull();
    // Peaks up to the floor are as good as any.
    expect(shortest(graph, steps, { ...wanted, floor: 20 }, unlimited(), MANY)?.cost).toBe(20);
  });

  it('continues with the most advanced of equally cheap states', () => {
    const edges = Array.from({ length: 7 }, (_, i) => `${i}>${i + 1}`).join(' ');
    const graph = stepGraph(bytesProblem([1, 2, 3, 4, 5, 6, 7, 8], edges));
    const steps = new Steps(graph, false);
    // Every way is as good as any: the end is met before most states.
    const wanted = { least: 'peak', limit: INFINITE, below: INFINITE, floor: 1000 } as const;
    expect(reachable(steps, INFINITE)).toBeGreaterThan(300);
    expect(shortest(graph, steps, wanted, unlimited(), 130)?.cost).toBe(1000);
    const free = bytesProblem([1, 0, 0, 0, 0, 0, 0, 8], edges);
    const freeSteps = new Steps(stepGraph(free), false);
    const work = { least: 'work', limit: INFINITE, below: INFINITE, floor: 0 } as const;
    expect(shortest(stepGraph(free), freeSteps, work, unlimited(), 60)?.cost).toBe(8);
  });

  it('visits no state that costs too much', () => {
    const graph = stepGraph(bytesProblem([1, 2, 3, 4, 5], '0>1 1>2 2>3 3>4'));
    const steps = new Steps(graph, false);
    const wanted = { least: 'peak', limit: INFINITE, below: 19, floor: 0, calm: -1 } as const;
    const states = reachable(steps, 18);
    expect(states).toBeLessThan(reachable(steps, 19));
    expect(shortest(graph, steps, wanted, unlimited(), states)).toEqual({ steps: null, cost: 19 });
    expect(shortest(graph, steps, wanted, unlimited(), states - 1)).toBeNull();
  });

  it('counts as work every forward, and lists the steps in their order', () => {
    const graph = stepGraph(bytesProblem([1, 2, 3, 4], '0>1 1>2 2>3'));
    const steps = new Steps(graph, false);
    const work = { least: 'work', limit: INFINITE, below: INFINITE, floor: 0 } as const;
    const all = shortest(graph, steps, work, unlimited(), MANY);
    expect(all).toEqual({ steps: [1, 2, 3, 32 + 3, 32 + 2, 32 + 1], cost: 2 + 3 + 4 });
    // 1 may not live while 3 runs backward.
    const tight = shortest(graph, steps, { ...work, limit: 15 }, unlimited(), MANY);
    expect(tight).toEqual({ steps: [1, 2, 3, 32 + 3, 1, 32 + 2, 32 + 1], cost: 2 + 3 + 4 + 2 });
    expect(shortest(graph, steps, { ...work, limit: 15, below: 11 }, unlimited(), MANY)).toEqual({
      steps: null,
      cost: 11,
    });
  });
});

describe('the cost of the remaining path', () => {
  it('is from the start what an exhaustive search finds', () => {
    for (const [name, problem] of measuredProblems(100, 65, { most: 7 })) {
      const every = new ExhaustiveSchedules(problem);
      const peak = every.lowestPeak();
      const graph = stepGraph(problem);
      for (const limit of [peak, peak + 2]) {
        const table = CostToGo.within(graph, limit, limit, unlimited(), MANY);
        expect(table?.least('peak')(START), name).toBe(peak);
        expect(table?.least('work')(START), name).toBe(onceOf(problem) + every.leastRecompute(limit));
      }
      expect(CostToGo.within(graph, peak - 1, 0, unlimited(), MANY)?.least('peak')(START), name).toBe(
        INFINITE,
      );
    }
  });

  it('is known for states on the path, and infinite for unreachable ones', () => {
    const graph = stepGraph(bytesProblem([1, 2, 3], '0>1 1>2'));
    const table = CostToGo.within(graph, INFINITE, -1, unlimited(), MANY);
    const [peak, work] = [table?.least('peak'), table?.least('work')];
    const started = { live: 0b110, aux: 0, done: 0, once: 0b100, twice: 0 };
    // Backward 2 with both values and both gradients beside the source, then 1 with its own.
    expect([peak?.(started), work?.(started)]).toEqual([1 + 2 + 3 + 3 + 2, 0]);
    const ended = { live: 0b010, aux: 0, done: 0b100, once: 0b100, twice: 0 };
    expect([peak?.(ended), work?.(ended)]).toEqual([1 + 2 + 2, 0]);
    const freed = { ...ended, live: 0 };
    expect([peak?.(freed), work?.(freed)]).toEqual([1 + 2 + 2, 2]);
    expect(work?.({ ...ended, done: 0b110, live: 0 })).toBe(0);
    // 2 alone: nobody holds the target before it was forwarded.
    expect(work?.({ ...started, live: 0b100, once: 0 })).toBe(INFINITE);
    // A search that counts forwards asks about its own states, without the counts.
    expect(work?.({ ...freed, once: 0b110, twice: 0b010 })).toBe(2);
  });

  it('needs as many states as exist', () => {
    const graph = stepGraph(bytesProblem([1, 2, 3, 4], '0>1 1>2 2>3'));
    const states = reachable(new Steps(graph, false), 17);
    expect(CostToGo.within(graph, 17, -1, unlimited(), states)).not.toBeNull();
    expect(CostToGo.within(graph, 17, -1, unlimited(), states - 1)).toBeNull();
  });

  it('stops beyond a number of states, and at its time limit', () => {
    const graph = stepGraph(bytesProblem([1, 2, 3], '0>1 1>2'));
    expect(CostToGo.within(graph, INFINITE, -1, unlimited(), 3)).toBeNull();
    expect(CostToGo.within(graph, INFINITE, -1, ended(), MANY)).toBeNull();
  });
});
