import { describe, expect, it } from 'vitest';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { live } from '../../../engine/strategies/live/live.ts';
import { isTwiceAtMost } from '../../../engine/strategies/search/candidate.ts';
import { optimal } from '../../../engine/strategies/optimal/optimal.ts';
import { regular } from '../../../engine/strategies/regular.ts';
import type { Plan, Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { createProblem } from '../../../engine/problem.ts';
import { bytesGraph, randomProblems } from '../../support/problems.ts';
import { GRAPH_KINDS, randomStGraph } from '../../support/random-graphs.ts';
import { between, createRng, pick } from '../../support/rng.ts';
import { planOf } from '../../support/plans.ts';

function peakOf(problem: Problem, plan: Plan): number {
  return simulate(problem.graph, problem.memory, plan.schedule).peakBytes;
}

describe('live', () => {
  it('forwards nothing more than twice and is never above regular or optimal', () => {
    for (const [name, problem] of randomProblems(600, 41, 13)) {
      const plan = planOf(live, problem);
      expect(isTwiceAtMost(plan.schedule, problem.graph.size), name).toBe(true);
      const peak = peakOf(problem, plan);
      for (const other of [regular, optimal]) {
        expect(peak, `${other.name} on ${name}`).toBeLessThanOrEqual(peakOf(problem, planOf(other, problem)));
      }
    }
  });

  it("is never above the papers' optimum, however early its time is over", () => {
    let equal = 0;
    for (let seed = 1; seed <= 120; seed++) {
      const rng = createRng(seed);
      const graph = randomStGraph(rng, { vertices: between(rng, 13, 40), kind: pick(rng, GRAPH_KINDS) });
      const problem = createProblem(bytesGraph(graph), 'pytorch');
      let now = 0;
      const plan = planOf(live, problem, { timeLimitSeconds: 1, now: () => (now += 900) });
      const paper = peakOf(problem, planOf(optimal, problem));
      expect(peakOf(problem, plan), `seed ${seed}`).toBeLessThanOrEqual(paper);
      if (peakOf(problem, plan) === paper) equal++;
    }
    expect(equal).toBeGreaterThan(10);
  });
});
