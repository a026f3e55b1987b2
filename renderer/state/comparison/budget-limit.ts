import type { Experiment } from '../../../app/contract/experiment.ts';
import { WITHIN_BUDGET } from '../../../engine/strategies/default-strategy.ts';
import { keyOf, missingStrategies, type NetworkResults } from './comparison.ts';
import { strategyRows } from './rows.ts';
import type { ShownMemory } from './shown-memory.ts';

/** All that a plan needs, and the peak of its activations; bytes. */
export interface PlanMemory {
  readonly bytes: number;
  readonly peakBytes: number;
}

/** An address and the command line count a budget in activations, the lab in the device's memory: a plan has both. */
export const budgetAt = (limit: number, { bytes, peakBytes }: PlanMemory): number =>
  Math.max(1, Math.floor(limit - (bytes - peakBytes)));

export const limitAt = (budget: number, { bytes, peakBytes }: PlanMemory): number =>
  budget + (bytes - peakBytes);

/** Strategies whose plan a budget is converted by; regular training's where none of them has a plan. */
const BUDGETED = [WITHIN_BUDGET, 'offload'];

interface KnownPlan extends PlanMemory {
  /** Made for the budget of the experiment at its very batch. */
  readonly isOwn: boolean;
}

/** The plan by which the experiment's budget is converted; null until one is known. */
export function convertingPlan(experiment: Experiment, results: NetworkResults | null): KnownPlan | null {
  if (results === null || results.key !== keyOf(experiment)) return null;
  const missing = missingStrategies({ ...experiment, strategies: BUDGETED }, results);
  const strategies = [...BUDGETED.filter((name) => !missing.includes(name)), 'regular'];
  const rows = strategyRows({ results, experiment: { ...experiment, strategies }, titles: new Map() });
  const row = rows.find(({ verdict, peakBytes }) => verdict !== null && peakBytes !== null);
  if (row?.verdict == null || row.peakBytes === null) return null;
  const { name } = row.identity;
  return {
    bytes: row.verdict.totalBytes,
    peakBytes: row.peakBytes,
    isOwn: name !== 'regular' && results.solved.get(name)?.batch === experiment.batch,
  };
}

export interface BudgetView {
  readonly experiment: Experiment;
  /** The limit that the user asked for, while its budget stands. */
  readonly budgetLimit?: number | undefined;
}

/** The user's budget in the memory that is shown; null if none exists, or no plan to convert it by. */
export function shownBudget(
  { experiment, budgetLimit }: BudgetView,
  results: NetworkResults | null,
  memory: ShownMemory,
): number | null {
  const { budgetBytes } = experiment;
  if (memory === 'activations') return budgetBytes ?? null;
  if (budgetLimit !== undefined || budgetBytes === undefined) return budgetLimit ?? null;
  const plan = convertingPlan(experiment, results);
  return plan === null ? null : limitAt(budgetBytes, plan);
}

/** Beyond this many budgets the last one stays, as where a device leaves the budget (`planWithin` of the solver). */
const MAX_TRIES = 5;

/**
 * Finds the budget of a limit on the device: what the plan known leaves the activations, then what the budget's own plan
 * does, then less while that plan is over.
 *
 * @returns the next budget to try; null while none is
 */
export function createLimitSearch(): (view: BudgetView, results: NetworkResults | null) => number | null {
  let question = '';
  let tries = 0;
  return ({ experiment, budgetLimit }, results) => {
    const plan = budgetLimit === undefined ? null : convertingPlan(experiment, results);
    if (budgetLimit === undefined || plan === null) return null;
    const { budgetBytes, ...others } = experiment;
    const next = budgetAt(budgetLimit, plan);
    if (budgetBytes === undefined) return next;
    const asked = JSON.stringify([others, budgetLimit]);
    if (asked !== question) tries = 0;
    question = asked;
    if (!plan.isOwn || next === budgetBytes || tries >= MAX_TRIES || (tries > 0 && next > budgetBytes))
      return null;
    tries += 1;
    return next;
  };
}
