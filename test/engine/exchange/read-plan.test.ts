import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { planFile, planOptions } from '../../../engine/exchange/plan-file.ts';
import { parsePlanFile, readPlanDocument, scheduleOf } from '../../../engine/exchange/read-plan.ts';
import type { Profile } from '../../../engine/ops/definition.ts';
import { createProblem } from '../../../engine/problem.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { bytesProblem } from '../../support/problems.ts';
import { steps } from '../../support/schedule-text.ts';

const problemOf = (name: string, batch = 1, profile: Profile = 'pytorch') =>
  createProblem(buildModel(name, { batch }), profile);

function planOf(problem: ReturnType<typeof problemOf>, strategy: string) {
  const { checkpoints, schedule, timeline } = solveRow(problem, strategy, { seed: 1 });
  if (schedule === null || timeline === null) throw new Error(`${strategy} has no plan`);
  const options = planOptions(problem, { batch: 1, seed: 1 });
  return planFile(problem.graph, { strategy, options, checkpoints, schedule, timeline });
}

describe('a plan file', () => {
  it.each(['regular', 'optimal', 'live'])('restores the steps of %s', (strategy) => {
    const problem = problemOf('tiny-residual');
    const plan = planOf(problem, strategy);
    expect(parsePlanFile(JSON.stringify(plan))).toEqual(plan);
    expect(scheduleOf(plan, problem.graph)).toEqual(solveRow(problem, strategy, { seed: 1 }).schedule);
  });

  const plan = planOf(problemOf('tiny-residual'), 'optimal');
  it.each<[string, unknown, RegExp]>([
    ['a list', [], /must hold an object, got a list/],
    ['a graph', { format: 'zigzag-graph' }, /^format: expected "zigzag-plan", got "zigzag-graph"/],
    ['another version', { ...plan, version: 3 }, /^version: expected 1 or 2, got 3/],
    ['no steps', { ...plan, steps: undefined }, /^steps: expected a list, got nothing/],
    [
      'a step of its own kind',
      { ...plan, steps: [['drop', 'a']] },
      /^steps\[0\]\[0\]: expected forward, backward/,
    ],
    [
      'a transfer in version 1',
      { ...plan, steps: [['send', 'a']] },
      /^steps\[0\]\[0\]: send is a step of version 2, and the file says version 1/,
    ],
    ['half a step', { ...plan, steps: [['free']] }, /^steps\[0\]: expected a kind of step and an id/],
    ['a step without an id', { ...plan, steps: [['free', 4]] }, /^steps\[0\]\[1\]: expected an id, got 4/],
    ['a stray aux', { ...plan, steps: [['forward', 'a', 'aux']] }, /^steps\[0\]\[2\]: expected "aux"/],
    ['a negative peak', { ...plan, peakBytes: -1 }, /^peakBytes: expected a number from 0, got -1/],
    ['a checkpoint that is no id', { ...plan, checkpoints: [1] }, /^checkpoints\[0\]: expected an id, got 1/],
  ])('is refused with the path of the error: %s', (_what, document, sentence) => {
    expect(() => readPlanDocument(document)).toThrow(BadInputError);
    expect(() => readPlanDocument(document)).toThrow(sentence);
  });

  it('[M18] is of version 2 if, and only if, activations go to host memory', () => {
    const { graph, memory } = bytesProblem([1, 2, 4], '0>1 1>2');
    const file = (drawing: string) => {
      const schedule = steps(drawing);
      const timeline = simulate(graph, memory, schedule);
      return planFile(graph, { strategy: 'given', options: {}, checkpoints: [], schedule, timeline });
    };
    expect(file('F1 F2 B2 X2 B1 X1').version).toBe(1);
    const sent = file('F1 F2 S1 X1 R1 B2 X2 B1 X1');
    expect(sent.version).toBe(2);
    expect(sent.steps.slice(2, 5)).toEqual([
      ['send', 'v1'],
      ['free', 'v1'],
      ['fetch', 'v1'],
    ]);
    const read = parsePlanFile(JSON.stringify(sent));
    expect(read).toEqual(sent);
    expect(scheduleOf(read, graph)).toEqual(steps('F1 F2 S1 X1 R1 B2 X2 B1 X1'));
    expect(() => readPlanDocument({ ...sent, version: 1 })).toThrow(/version 2/);
  });

  it('is read or refused in a sentence, with any content', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (steps, checkpoints) => {
        try {
          readPlanDocument({ ...plan, steps, checkpoints });
        } catch (error) {
          expect(error).toBeInstanceOf(BadInputError);
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('the strategy plan', () => {
  it('follows the file at any batch, as the simulator counts', () => {
    const plan = { ...planOf(problemOf('resnet18', 2), 'live'), peakBytes: 7 };
    const row = solveRow(problemOf('resnet18', 8), 'plan', { seed: 0, plan });
    const live = solveRow(problemOf('resnet18', 2), 'live', { seed: 1 });
    expect(row.recomputeFlops).toBe(4 * (live.recomputeFlops ?? 0));
    expect(row.peakBytes).toBeGreaterThan(3 * (live.peakBytes ?? 0));
    expect(row.checkpoints).toEqual(live.checkpoints);
    expect(row.claim).toEqual({ kind: 'given', strategy: 'live', model: 'resnet18' });
  });

  it('says in one sentence why a plan does not fit', () => {
    const plan = planOf(problemOf('tiny-residual'), 'optimal');
    const reason = (name: string, given = plan, profile: Profile = 'pytorch') =>
      solveRow(problemOf(name, 1, profile), 'plan', { seed: 0, plan: given }).reason;
    expect(reason('vgg11')).toMatch(
      /^the plan does not fit this network: steps\[0\]\[1\]: vgg11 has no vertex/,
    );
    const cut = { ...plan, steps: plan.steps.slice(0, -4) };
    expect(reason('tiny-residual', cut)).toMatch(/^the plan cannot train this network: /);
    const pytorch = planOf(problemOf('resnet18'), 'optimal');
    expect(reason('resnet18', pytorch, 'tfjs')).toMatch(/it was made for the profile pytorch, this is tfjs$/);
    expect(solveRow(problemOf('vgg11'), 'plan', { seed: 0 }).reason).toBe('no plan was opened');
  });

  it('never throws, for any steps', () => {
    const problem = problemOf('tiny-residual');
    const plan = planOf(problem, 'optimal');
    const swap = fc.tuple(fc.nat(plan.steps.length - 1), fc.nat(plan.steps.length - 1));
    fc.assert(
      fc.property(fc.array(swap, { minLength: 1, maxLength: 5 }), fc.nat(plan.steps.length), (swaps, end) => {
        const steps = plan.steps.slice(0, end);
        for (const [a, b] of swaps) {
          const [first, second] = [steps[a], steps[b]];
          if (first !== undefined && second !== undefined) [steps[a], steps[b]] = [second, first];
        }
        const { applicable, reason } = solveRow(problem, 'plan', { seed: 0, plan: { ...plan, steps } });
        expect(applicable).toBe(reason === null);
      }),
      { numRuns: 300 },
    );
  });
});
