import { BadInputError } from '../errors.ts';
import type { PlanFile } from '../exchange/plan-file.ts';
import { scheduleOf } from '../exchange/read-plan.ts';
import { ScheduleError, simulateTotals } from '../simulate/simulate.ts';
import type { Plan, Problem, Strategy } from './strategy/strategy.ts';

/**
 * A plan that was made elsewhere or before, from a zigzag-plan/1 file: its very steps.
 *
 * - Source: the writer of the file.
 * - Guarantee: the steps of the file, or a refusal that says which of them this network cannot run.
 * - Time O(steps + uses), space O(V + steps).
 * - Assumptions: the file's ids are the network's. Batch and input size may differ, because steps name
 *   no sizes.
 * - Departures: what the file says of its peak and recompute is not believed; the simulator counts.
 */
export const givenPlan: Strategy = {
  name: 'plan',
  title: 'Your plan',
  source: 'a zigzag-plan/1 file',
  cites: [],
  guarantee: 'the steps of the file',
  takeFor: 'a plan from a file, from another machine or a colleague',
  reads: { plan: 'needs', linkCopies: 'takes' },
  scalesWithBatch: true,
  hasPaperCost: false,
  plan(problem, { plan }) {
    if (plan === undefined) return { applicable: false, reason: 'no plan was opened' };
    try {
      return read(problem, plan);
    } catch (error) {
      if (error instanceof BadInputError) {
        return { applicable: false, reason: `the plan does not fit this network: ${error.message}` };
      }
      if (!(error instanceof ScheduleError)) throw error;
      const hint = wasForOtherProfile(problem, plan);
      return { applicable: false, reason: `the plan cannot train this network: ${error.message}${hint}` };
    }
  },
};

function read(problem: Problem, file: PlanFile): Plan {
  const { graph, memory } = problem;
  const schedule = scheduleOf(file, graph);
  simulateTotals(graph, memory, schedule);
  const named = new Set(file.checkpoints);
  return {
    applicable: true,
    checkpoints: graph.ids.flatMap((id, v) => (named.has(id) ? [v] : [])),
    schedule,
    paperCostBytes: null,
    claim: { kind: 'given', strategy: file.strategy, model: file.model },
  };
}

/** A profile decides what backward needs, so a plan for one may lack a tensor that another saves. */
function wasForOtherProfile({ memory }: Problem, { options }: PlanFile): string {
  const { profile } = options;
  if (typeof profile !== 'string' || profile === memory.profile) return '';
  return `; it was made for the profile ${profile}, this is ${memory.profile}`;
}
