import { expect } from 'vitest';
import type { Graph } from '../../engine/graph/graph.ts';
import { verticesRunOnce } from '../../engine/ops/runs-once.ts';
import { createProblem } from '../../engine/problem.ts';
import { FORWARD } from '../../engine/schedule/schedule.ts';
import { simulate } from '../../engine/simulate/simulate.ts';
import { STRATEGIES } from '../../engine/strategies/registry.ts';
import { isTold, NO_CONTROL } from '../../engine/strategies/strategy/strategy.ts';

/** Expects that plans of all strategies at 90 % of regular's peak recompute, but no operation that runs once. */
export function expectRunOnce(of: Graph): void {
  const problem = createProblem(of, 'pytorch');
  const { graph, memory } = problem;
  const once = verticesRunOnce(graph.operations)!;
  const options = { seed: 0, budgetBytes: 0, slots: 2, checkpoints: [graph.ids[9]!] };
  const regular = STRATEGIES[0]!.plan(problem, options, NO_CONTROL);
  if (!regular.applicable) throw new Error(regular.reason);
  const { peakBytes } = simulate(graph, memory, regular.schedule);
  const told = { ...options, budgetBytes: Math.floor(0.9 * peakBytes) };
  let recomputing = 0;
  for (const strategy of STRATEGIES.filter((one) => isTold(one, told) && one.needsMilpSolver !== true)) {
    for (const checkpointing of ['non-reentrant', 'reentrant'] as const) {
      const plan = strategy.plan(problem, { ...told, checkpointing }, NO_CONTROL);
      if (!plan.applicable) continue;
      const { recomputeWork } = simulate(graph, memory, plan.schedule);
      if (recomputeWork > 0) recomputing++;
      const { kinds, vertices } = plan.schedule;
      const forwards = Array.from(vertices).filter((v, t) => kinds[t] === FORWARD && once[v] === 1);
      expect(forwards.length, strategy.name).toBe(new Set(forwards).size);
    }
  }
  expect(recomputing).toBeGreaterThan(10);
}
