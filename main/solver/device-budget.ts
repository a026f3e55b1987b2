import { formatBytes } from '../../engine/bytes.ts';
import type { Control } from '../../engine/strategies/strategy/strategy.ts';
import type { Held } from '../../engine/training-memory/held.ts';
import { simulateTotals } from '../../engine/simulate/simulate.ts';
import { microBatchesInFlight } from '../../engine/training-memory/pipeline.ts';
import { type Room, verdictOf } from '../../engine/training-memory/verdict.ts';
import { heldOf } from './held.ts';
import type { SolvedPlan } from './judge.ts';
import type { Network, SolverMemory } from './memory.ts';

/** Most tries at a budget for the device. */
const MAX_TRIES = 5;
/** The same where several micro-batches hold what a plan keeps. */
const MAX_PIPELINE_TRIES = 9;
/** Memory that a plan may leave unused: this part of the device. */
const SPARE = 1 / 64;

/** A plan and its budget. */
export interface BudgetedPlan {
  readonly solved: SolvedPlan;
  readonly budgetBytes: number;
}

/**
 * Plan of a strategy that needs a budget, within the device memory available to activations. The first budget is what
 * regular training leaves for them. Each further try lowers it by the excess of the last plan, or raises it by what that
 * plan leaves unused, because the other memory at the peak depends on the plan. If that budget is refused, the least one
 * that is not is the second. Under a pipeline it is searched for.
 *
 * @returns a refusal if the device leaves no memory, or no schedule fits it
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
  const needs = verdictOf(heldOf(network, regular, memory), batch, room);
  if (needs === null) return { solved: { ...regular, strategy }, budgetBytes: 0 };
  const { activations, inFlight } = needs.terms;
  let bytes = Math.floor(room.memoryBytes - (needs.totalBytes - activations - inFlight));
  if (bytes <= 0) return { solved: nothingLeft(regular, strategy, needs, room), budgetBytes: 0 };
  const { pipeline } = memory.setup(network);
  if (pipeline !== undefined && !needs.fits) {
    const { stage } = needs;
    const count = microBatchesInFlight({ ...pipeline, stage });
    return planOfPipeline(network, strategy, { least: bytes / count, most: bytes }, room, memory, control);
  }
  const { graph, memory: model } = memory.problem(network, batch);
  let best: BudgetedPlan | null = null;
  let refused: BudgetedPlan | null = null;
  let last: BudgetedPlan | null = null;
  let [least, tooMany] = [0, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < MAX_TRIES && bytes > 0; tries++) {
    const solved = memory.plan({ ...network, budgetBytes: bytes }, strategy, control);
    const { plan, leastBytes = 0 } = solved;
    const tried = { solved, budgetBytes: bytes };
    const verdict = verdictOf(heldOf(network, solved, memory), batch, room);
    if (verdict === null || !plan.applicable) {
      if (leastBytes <= bytes || leastBytes >= tooMany) return best ?? refused ?? last ?? tried;
      // Other memory is at its peak where such a plan has few live bytes: at the loss of a large vocabulary.
      refused = tried;
      least = bytes = leastBytes;
      continue;
    }
    last = tried;
    if (verdict.fits) {
      best = tried;
      const spare = room.memoryBytes - verdict.totalBytes;
      if (spare <= SPARE * room.memoryBytes) break;
      if (simulateTotals(graph, model, plan.schedule).recomputeWork === 0) break;
      bytes = Math.floor(Math.min(bytes + spare, (bytes + tooMany) / 2));
    } else {
      if (bytes <= least) break;
      tooMany = bytes;
      // All memory may be at its peak where the plan has fewer live bytes than at theirs.
      const live = Math.min(bytes, verdict.terms.activations + verdict.terms.inFlight);
      bytes = Math.max(
        least,
        Math.floor(best === null ? live - verdict.overBytes : (best.budgetBytes + bytes) / 2),
      );
    }
  }
  return (best ?? refused ?? last)!;
}

/**
 * The largest budget whose plans fit a pipeline, by bisection: a strategy's budget is that of one micro-batch, and none
 * weighs what a plan keeps by the micro-batches that hold it. Every plan is judged with all of them.
 */
function planOfPipeline(
  network: Network,
  strategy: string,
  { least, most }: { readonly least: number; readonly most: number },
  room: Room,
  memory: SolverMemory,
  control: Control,
): BudgetedPlan {
  let [fitting, planned, refused]: (BudgetedPlan | null)[] = [null, null, null];
  let [low, high] = [0, most];
  let budgetBytes = Math.floor(least);
  for (let tries = 0; tries < MAX_PIPELINE_TRIES && budgetBytes > low; tries++) {
    const solved = memory.plan({ ...network, budgetBytes }, strategy, control);
    const verdict = verdictOf(heldOf(network, solved, memory), network.batch, room);
    const tried = { solved, budgetBytes };
    if (verdict === null) refused = tried;
    else planned = tried;
    if (verdict?.fits === true) fitting = tried;
    if (verdict?.fits === false) high = budgetBytes;
    else low = Math.max(budgetBytes, solved.leastBytes ?? 0);
    budgetBytes = Math.floor((low + high) / 2);
  }
  return (fitting ?? planned ?? refused)!;
}

function nothingLeft(
  regular: SolvedPlan,
  strategy: string,
  { totalBytes, terms }: Held,
  { memoryBytes }: Room,
): SolvedPlan {
  const reason =
    `no memory is left for activations: everything else takes ${formatBytes(totalBytes - terms.activations - terms.inFlight)} of ` +
    `${formatBytes(memoryBytes)}; use a larger device, a lower precision or another optimizer, or give a budget`;
  return { ...regular, strategy, plan: { applicable: false, reason }, isInfeasible: true, solveMs: 0 };
}
