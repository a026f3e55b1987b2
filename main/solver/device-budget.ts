import { formatBytes } from '../../engine/bytes.ts';
import type { Control } from '../../engine/strategies/strategy/strategy.ts';
import type { Held } from '../../engine/training-memory/held.ts';
import { type Room, verdictOf } from '../../engine/training-memory/verdict.ts';
import { heldOf } from './held.ts';
import type { SolvedPlan } from './judge.ts';
import type { Network, SolverMemory } from './memory.ts';

/** Beyond this many tries a budget that the device leaves is not found. */
const MAX_TRIES = 5;

/** A plan, and the budget that it was made for. */
export interface BudgetedPlan {
  readonly solved: SolvedPlan;
  readonly budgetBytes: number;
}

/**
 * The plan of a strategy that needs a budget within what a device leaves the activations: what regular training leaves
 * them, and then less by what the strategy's own plan holds too much, because what lies beside the activations at the
 * peak depends on the plan.
 *
 * @returns a refusal where the device leaves nothing, or no schedule meets what it leaves
 */
export function planWithin(
  network: Network,
  strategy: string,
  room: Room,
  memory: SolverMemory,
  control: Control,
): BudgetedPlan {
  const { batch } = network;
  const regular = memory.plan(network, 'regular', control);
  const needs = verdictOf(heldOf(network, regular.plan, memory), batch, room);
  if (needs === null) return { solved: { ...regular, strategy }, budgetBytes: 0 };
  let bytes = Math.floor(room.memoryBytes - (needs.totalBytes - needs.terms.activations));
  if (bytes <= 0) return { solved: nothingLeft(regular, strategy, needs, room), budgetBytes: 0 };
  let last: BudgetedPlan | null = null;
  for (let tries = 0; tries < MAX_TRIES && bytes > 0; tries++) {
    const solved = memory.plan({ ...network, budgetBytes: bytes }, strategy, control);
    const verdict = verdictOf(heldOf(network, solved.plan, memory), batch, room);
    if (verdict === null) return last ?? { solved, budgetBytes: bytes };
    last = { solved, budgetBytes: bytes };
    if (verdict.fits) return last;
    bytes = Math.floor(bytes - verdict.overBytes);
  }
  return last!;
}

function nothingLeft(
  regular: SolvedPlan,
  strategy: string,
  { totalBytes, terms }: Held,
  { memoryBytes }: Room,
): SolvedPlan {
  const reason =
    `no memory is left for activations: everything else takes ${formatBytes(totalBytes - terms.activations)} of ` +
    `${formatBytes(memoryBytes)}; use a larger device, a lower precision or another optimizer, or give a budget`;
  return { ...regular, strategy, plan: { applicable: false, reason }, isInfeasible: true, solveMs: 0 };
}
