import { exactBytes } from '../../bytes.ts';
import { lowerBound } from '../../bounds/lower-bound.ts';
import { InfeasibleError, InternalError } from '../../errors.ts';
import { insertFrees } from '../../schedule/liveness.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { simulateTotals } from '../../simulate/simulate.ts';
import { ReversalTable } from './reversal-table.ts';
import { reverseChain } from './reverse.ts';
import { type StageChain, stageChain } from './stage-chain.ts';
import { profileStages, type StageProfile } from './stage-profile.ts';
import type { Claim } from '../strategy/claim.ts';
import { commonDivisor } from '../search/common-divisor.ts';
import { peakOfOptimal } from '../optimal/peak-of-optimal.ts';
import { budgetOf } from '../options.ts';
import { regularFigures } from '../regular.ts';
import type { Control, Plan, Problem, Strategy } from '../strategy/strategy.ts';

/** Stages^3 x units: about 2 seconds, and tables of at most 60 MB. */
const MAX_STEPS = 600_000_000;
const MAX_UNITS = 500;
const LEAST_UNITS = 50;
/** Shares of the largest budget, when one table serves many. */
const SHARES = [1, 1 / 4, 1 / 16];

/**
 * The heterogeneous dynamic programme on a chain: given boundary 0, compute boundary i; given boundary i,
 * bring what is right of it backward in the memory that is left; then what is left of it. Multi-level,
 * and a stage may also keep its whole tape.
 *
 * - Source: article 002 ("Left/Right"); Beaumont et al., rotor, for stages of unequal time and size.
 *   On non-linear graphs over the chain of splitting vertices.
 * - Guarantee: the least recompute within the budget among schedules that hold a boundary or a tape
 *   until the stages after it have run backward, with sizes rounded up to 1/500 of the budget (coarser
 *   on long chains).
 * - Time O(n^3 m), space O(n^2 m) for n stages and m units of memory.
 * - Assumptions: none on the stages; their costs are measured by the simulator.
 * - Departures: article 002 keeps single activations; here tapes too, without which regular training is
 *   not among the plans. Without a budget it takes the peak of `optimal`, or the least it can reach.
 */
export const chainDp: Strategy = {
  name: 'chain-dp',
  title: 'Chain DP',
  source: 'Bulatov, Fitting larger networks into memory, 2018; Beaumont et al., rotor, 2019',
  cites: ['bulatov2018fitting', 'beaumont2019optimal'],
  guarantee: 'the least recompute within a budget on a chain, up to rounding of sizes',
  takeFor: 'a chain of unequal stages and a budget',
  reads: { budgetBytes: 'takes' },
  asSource: {
    maxVertices: 400,
    looks: (vertices) => 80_000 * vertices,
    open: (problem) => {
      const measured = measuredChain(problem);
      return {
        within: (budgetBytes, control) =>
          typeof measured === 'string' ? null : answer(measured, budgetBytes, budgetBytes, control).schedule,
        all: (control) => chainPlans(problem, regularFigures(problem).peakBytes, control),
      };
    },
  },
  scalesWithBatch: false,
  hasPaperCost: false,
  plan(problem, options, control) {
    const measured = measuredChain(problem);
    if (typeof measured === 'string') return { applicable: false, reason: measured };
    const asked = budgetOf(options);
    return answer(measured, asked, asked ?? peakOfOptimal(problem, options, control), control);
  },
};

/** The chain of a problem, its stages' costs and the units of its tables. */
interface MeasuredChain {
  readonly chain: StageChain;
  readonly profile: StageProfile;
  readonly units: number;
  /** Plan of the least memory, which is the same for every budget, once it was asked for. */
  least?: Plan;
}

/** Returns the reason where it does not apply. */
function measuredChain(problem: Problem): MeasuredChain | string {
  const chain = stageChain(problem);
  if (typeof chain === 'string') return chain;
  const { length } = chain.stages;
  const units = Math.min(MAX_UNITS, Math.floor(MAX_STEPS / length ** 3));
  if (units < LEAST_UNITS)
    return `${length} stages are too many for dynamic programming; try revolve or budget`;
  return { chain, profile: profileStages(chain), units };
}

/** @throws InfeasibleError when no plan is within the budget asked for */
function answer(measured: MeasuredChain, asked: number | undefined, budget: number, control: Control): Plan {
  const found = planWithin(measured, budget, control);
  if (found !== null) return found;
  const { problem } = measured.chain;
  measured.least ??= leastReachable(measured, control);
  const { peakBytes } = simulateTotals(problem.graph, problem.memory, measured.least.schedule);
  // The stages' costs can exceed those that the simulator counts.
  if (asked === undefined || peakBytes <= asked) return measured.least;
  throw new InfeasibleError(
    `chain-dp cannot fit ${exactBytes(asked)}; the smallest budget it reaches is ${exactBytes(peakBytes)}, ` +
      `and every schedule needs ${exactBytes(lowerBound(problem).bytes)} or more`,
    peakBytes,
  );
}

/**
 * Its plans for all budgets up to `bytes`: those of least work for every number of units, at the sizes' rounding for the
 * whole, a quarter and a sixteenth of it. None where it does not apply.
 */
export function chainPlans(problem: Problem, bytes: number, control: Control): Schedule[] {
  const measured = measuredChain(problem);
  if (typeof measured === 'string') return [];
  const { chain, profile } = measured;
  const spare = bytes - problem.memory.outputBytes[0]! - profile.fixedBytes;
  const found: Schedule[] = [];
  let before = 0;
  for (const share of SHARES) {
    if (share * spare <= 0) break;
    const table = tableFor(measured, share * spare, control);
    // The same again, without rounding.
    if (table.bytes(1) === before) break;
    before = table.bytes(1);
    let least = Number.POSITIVE_INFINITY;
    for (let m = 1; m <= table.units; m++) {
      if (table.work(m) >= least) continue;
      least = table.work(m);
      found.push(planOf(chain, table, m, control).schedule);
    }
  }
  return found;
}

/** The best plan whose simulated peak is within the budget, or null. */
function planWithin(measured: MeasuredChain, budget: number, control: Control): Plan | null {
  const { chain, profile } = measured;
  const { graph, memory } = chain.problem;
  const spare = budget - memory.outputBytes[0]! - profile.fixedBytes;
  if (spare <= 0) return null;
  const table = tableFor(measured, spare, control);
  const claim: Claim = {
    kind: 'chain-within-budget',
    budgetBytes: Math.floor(budget),
    unitBytes: Math.ceil(table.bytes(1)),
  };
  for (let m = table.units; m > 0 && Number.isFinite(table.work(m)); ) {
    const plan = planOf(chain, table, m, control);
    const over = simulateTotals(graph, memory, plan.schedule).peakBytes - budget;
    if (over <= 0) return { ...plan, claim };
    // Operations that read across stages can make the simulator count more than the profile: step down.
    m -= Math.max(1, Math.ceil(over / table.bytes(1)));
  }
  return null;
}

/** A table of at most so many units, without rounding where a unit that divides all sizes is coarse enough. */
function tableFor({ chain, profile, units }: MeasuredChain, bytes: number, control: Control): ReversalTable {
  const divisor = commonDivisor(sizesOf(profile));
  const exact = Math.floor(bytes / divisor);
  if (exact >= 1 && exact <= units) return new ReversalTable(chain, profile, exact * divisor, exact, control);
  return new ReversalTable(chain, profile, bytes, units, control);
}

function sizesOf(profile: StageProfile): number[] {
  const { boundary, gradient, pass, turn, turnAfterHold, tape, tapeForward, tapeBackward } = profile;
  return [boundary, gradient, pass, turn, turnAfterHold, tape, tapeForward, tapeBackward].flatMap((s) => [
    ...s,
  ]);
}

/** The plan of the least memory, in a table fine enough for it: first one that reaches up to everything held. */
function leastReachable(measured: MeasuredChain, control: Control): Plan {
  let bytes = 2 * sizesOf(measured.profile).reduce((sum, size) => sum + size, 1);
  let best: Plan | null = null;
  for (let pass = 0; pass < 3; pass++) {
    const table = tableFor(measured, bytes, control);
    let m = 0;
    while (m <= table.units && !Number.isFinite(table.work(m))) m++;
    if (m > table.units) break;
    best = planOf(measured.chain, table, m, control);
    bytes = table.bytes(m);
  }
  if (best === null) throw new InternalError('no plan fits even twice the regular memory');
  return { ...best, claim: { kind: 'chain-least-memory' } };
}

function planOf(chain: StageChain, table: ReversalTable, units: number, control: Control): Plan {
  const { graph, memory } = chain.problem;
  const { compute, checkpoints } = reverseChain(chain, table.policy, units, control);
  return {
    applicable: true,
    checkpoints,
    schedule: insertFrees(graph, memory, compute),
    paperCostBytes: null,
  };
}
