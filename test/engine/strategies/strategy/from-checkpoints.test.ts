import { describe, expect, it } from 'vitest';
import { InternalError } from '../../../../engine/errors.ts';
import { buildDivisionTree } from '../../../../engine/paper/build-division-tree.ts';
import { leastCostChoices } from '../../../../engine/paper/solve-optimal.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import {
  planFromCheckpoints,
  withoutFixed,
} from '../../../../engine/strategies/strategy/from-checkpoints.ts';
import { leastCostPlan } from '../../../../engine/strategies/optimal/least-cost-plan.ts';
import { bytesChain, FORK } from '../../../support/problems.ts';
import { between, createRng } from '../../../support/rng.ts';
import { drawn } from '../../../support/schedule-text.ts';
import { chainWithAuxiliaries } from '../../../support/stage-chains.ts';

const seed = 1;

describe('a plan from checkpoints', () => {
  it('is that of its inner vertices, once each, and claims what it is told', () => {
    const plan = planFromCheckpoints(FORK, { seed }, [4, 0, 1, 4, 6]);
    expect(plan.checkpoints).toEqual([1, 4]);
    // 1 and 4 together, and the larger branch between them.
    expect(plan.paperCostBytes).toBe(2 + 3);
    expect(plan.checkpointing).toBe('non-reentrant');
    expect('claim' in plan).toBe(false);
    // 5 between 4 and the target, then 2 and 3 between 1 and 4.
    expect(drawn(plan.schedule, 'FB')).toBe('F1 F2 F3 F4 F5 F6 F5 B6 B5 F2 F3 B4 B3 B2 B1');
    const claim = { kind: 'peak-at-bound' } as const;
    const other = planFromCheckpoints(FORK, { seed, checkpointing: 'reentrant' }, [4], claim);
    expect(other.claim).toEqual(claim);
    expect(other.checkpointing).toBe('reentrant');
    expect(drawn(other.schedule)).not.toBe(drawn(planFromCheckpoints(FORK, { seed }, [4]).schedule));
  });

  it('is none of a set that does not cut the graph', () => {
    const wrong = (): unknown => planFromCheckpoints(FORK, { seed }, [2]);
    expect(wrong).toThrow(InternalError);
    expect(wrong).toThrow(/^a strategy chose what is not an independent segment because v\d needs v\d$/);
  });

  it('may be weighed without what does not grow with the batch', () => {
    const { problem } = chainWithAuxiliaries();
    expect([...problem.memory.auxBytes]).toEqual([0, 3, 5, 0, 0]);
    expect([...withoutFixed(problem).memory.auxBytes]).toEqual([0, 3, 0, 0, 0]);
    expect(withoutFixed(problem).graph).toBe(problem.graph);
  });
});

it('the plan of least cost is of the sets of equal cost the one of the lowest peak, the first of those', () => {
  const rng = createRng(37);
  const seen = { first: 0, other: 0 };
  for (let run = 0; run < 150; run++) {
    const problem = createProblem(
      bytesChain(Array.from({ length: between(rng, 4, 14) }, () => between(rng, 1, 6))),
      'pytorch',
    );
    const tree = buildDivisionTree(problem.view.tensors);
    const plans = leastCostChoices(tree, 64).map(({ checkpoints }) => {
      const plan = planFromCheckpoints(problem, { seed }, checkpoints);
      return { ...plan, peak: simulate(problem.graph, problem.memory, plan.schedule).peakBytes };
    });
    const lowest = Math.min(...plans.map(({ peak }) => peak));
    const best = plans.findIndex(({ peak }) => peak === lowest);
    seen[best === 0 ? 'first' : 'other']++;
    const found = leastCostPlan(problem, { seed }, tree, 2);
    expect(found.checkpoints).toEqual(plans[best]?.checkpoints);
    expect(found.paperCostBytes).toBe(plans[0]?.paperCostBytes);
    expect(found.claim).toEqual({ kind: 'least-paper-cost', equation: 2 });
  }
  expect(seen.first).toBeGreaterThan(10);
  expect(seen.other).toBeGreaterThan(3);
});
