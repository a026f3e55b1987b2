import { describe, expect, it } from 'vitest';
import { type PlanFile, planFile } from '../../../engine/exchange/plan-file.ts';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { conv2d, linear, FLATTEN, maxPool } from '../../../engine/ops/make.ts';
import type { Profile } from '../../../engine/ops/definition.ts';
import { createProblem } from '../../../engine/problem.ts';
import { givenPlan } from '../../../engine/strategies/given-plan.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { NO_CONTROL, type Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { bytesChain } from '../../support/problems.ts';
import { drawn } from '../../support/schedule-text.ts';

const chain = createProblem(bytesChain([1, 1, 1, 1, 1]), 'pytorch');

function fileOf(problem: Problem, strategy: string, options: PlanFile['options'] = {}): PlanFile {
  const { checkpoints, schedule, timeline } = solveRow(problem, strategy, { seed: 1 });
  if (schedule === null || timeline === null) throw new Error('no plan');
  return planFile(problem.graph, { strategy, options, checkpoints, schedule, timeline });
}

function planOf(problem: Problem, plan?: PlanFile) {
  return givenPlan.plan(problem, { seed: 1, ...(plan === undefined ? {} : { plan }) }, NO_CONTROL);
}

/** A pooling between two layers, whose input one profile keeps and the other does not. */
function pooled(profile: Profile): Problem {
  const b = new GraphBuilder('pooled');
  b.input('x', [1, 1, 4, 4]);
  b.add('conv', conv2d(1, 1), ['x']);
  b.add('pool', maxPool(2), ['conv']);
  b.add('flat', FLATTEN, ['pool'], 'join');
  b.add('out', linear(2), ['flat']);
  return createProblem(b.build(), profile);
}

describe('a given plan', () => {
  it('has the exact steps and checkpoints of its file, and says who made it for which network', () => {
    const file = fileOf(chain, 'chen-sqrt');
    const plan = planOf(chain, { ...file, checkpoints: [...file.checkpoints, 'elsewhere'] });
    if (!plan.applicable) throw new Error(plan.reason);
    const { schedule, checkpoints } = solveRow(chain, 'chen-sqrt', { seed: 1 });
    expect(schedule !== null && drawn(plan.schedule)).toBe(schedule !== null && drawn(schedule));
    expect(plan.checkpoints.map((v) => `v${v}`)).toEqual(checkpoints);
    expect(plan.checkpoints).toEqual([2]);
    expect(plan.paperCostBytes).toBeNull();
    expect(plan.claim).toEqual({ kind: 'given', strategy: 'chen-sqrt', model: 'bytes' });
  });

  it('does not apply without a file', () => {
    expect(planOf(chain)).toEqual({ applicable: false, reason: 'no plan was opened' });
  });

  it('names a vertex that the network lacks', () => {
    const longer = createProblem(bytesChain([1, 1, 1, 1, 1, 1]), 'pytorch');
    expect(planOf(chain, fileOf(longer, 'regular'))).toEqual({
      applicable: false,
      reason:
        'the plan does not fit this network: steps[4][1]: bytes has no vertex "v5"; the plan is for "bytes"',
    });
  });

  it('names an invalid step', () => {
    const file = fileOf(chain, 'regular');
    const reason = (plan: PlanFile): string => {
      const answer = planOf(chain, plan);
      return answer.applicable ? '' : answer.reason;
    };
    const short = reason({ ...file, steps: file.steps.slice(1) });
    expect(short).toMatch(/^the plan cannot train this network: .*v2/);
    expect(short).not.toContain('profile');
    // A file need not name its profile; it may be this one.
    expect(reason({ ...file, steps: [], options: { profile: 7 } })).not.toContain('profile');
    expect(reason({ ...file, steps: [], options: { profile: 'pytorch' } })).not.toContain('profile');
  });

  it('says that it was made for another profile, which keeps less', () => {
    const file = fileOf(pooled('pytorch'), 'regular', { profile: 'pytorch' });
    expect(planOf(pooled('pytorch'), file).applicable).toBe(true);
    const answer = planOf(pooled('tfjs'), file);
    expect(answer.applicable ? '' : answer.reason).toMatch(
      /^the plan cannot train this network: .*; it was made for the profile pytorch, this is tfjs$/,
    );
  });
});
