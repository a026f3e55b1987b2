import { getOrCompute } from '../get-or-compute.ts';
import { ExhaustiveSchedules } from '../bounds/exhaustive-schedules.ts';
import { BadInputError, InfeasibleError } from '../errors.ts';
import { planFile } from '../exchange/plan-file.ts';
import { idOf } from '../graph/graph.ts';
import type { LinkedDevice } from '../offload/link.ts';
import { paperCost } from '../paper/paper-cost.ts';
import { solveOptimal } from '../paper/solve-optimal.ts';
import { type SolvedStrategy, solveRow } from '../strategies/solve.ts';
import type { Problem, Strategy, StrategyOptions } from '../strategies/strategy/strategy.ts';
import type { Probe } from './probe-graphs.ts';

/** Measure of a result: the papers' cost, the least recompute at its memory, or the lowest peak. */
export type Yardstick = 'eq-2' | 'recompute' | 'peak';

/** Result of a strategy on one graph. */
export interface ProbeResult {
  readonly probe: string;
  /** True if it had a plan. */
  readonly applies: boolean;
  /** Why not, in its own words, or null. */
  readonly reason: string | null;
  /** True if nothing is better by the yardstick, whatever it was told. */
  readonly optimal: boolean;
  /** The first that is not the best: what it reached and what is possible, in the yardstick's unit. */
  readonly missed: { readonly reached: number; readonly best: number } | null;
  /** True if it always stayed within the bytes that it was given; null where it takes none. */
  readonly withinBudget: boolean | null;
  /** Number of different peaks over all that it was told. */
  readonly peaks: number;
}

/** Budgets; of an exact search, which takes seconds for each, one between the extremes. */
const LEVELS: readonly number[] = [0, 1 / 3, 2 / 3, 1];
const EXACT_LEVELS: readonly number[] = [1 / 3];
const SEEDS = 5;
const MAX_SLOTS = 4;

/** Device of the strategies that need a link to host memory; slow enough that small tensors take their time. */
const LINK: LinkedDevice = {
  speed: { flopsPerSecond: 1e6, secondsPerOperation: 0 },
  link: { bytesPerSecond: 1e6, overlaps: true },
};

/** Options that the environment gives a strategy, beside those that a user sets. */
export const environmentOf = ({ reads }: Strategy): Partial<StrategyOptions> =>
  reads.link === undefined ? {} : { link: LINK };

/** A strategy with a budget chooses the recompute, the others the memory. */
export function yardstickOf({ reads, hasPaperCost }: Strategy): Yardstick {
  if (reads.budgetBytes !== undefined || reads.slots !== undefined) return 'recompute';
  return hasPaperCost ? 'eq-2' : 'peak';
}

/** Facts of one graph without any strategy. */
class Best {
  readonly problem: Problem;
  readonly lowestPeak: number;
  readonly #schedules: ExhaustiveSchedules;
  readonly #recompute = new Map<number, number>();
  #paperCost: number | null = null;

  constructor(problem: Problem) {
    this.problem = problem;
    this.#schedules = new ExhaustiveSchedules(problem);
    this.lowestPeak = this.#schedules.lowestPeak();
  }

  /** The least Eq. 2 of all sets of checkpoints. */
  get paperCost(): number {
    this.#paperCost ??= leastPaperCost(this.problem);
    return this.#paperCost;
  }

  /** The least forward work done again by any schedule of this peak or less. */
  recomputeWithin(bytes: number): number {
    const found = this.#recompute.get(bytes) ?? this.#schedules.leastRecompute(bytes);
    this.#recompute.set(bytes, found);
    return found;
  }
}

function leastPaperCost({ view }: Problem): number {
  const inner = view.tensors.size - 2;
  let least = Number.POSITIVE_INFINITY;
  for (let set = 0; set < 2 ** inner; set++) {
    const chosen = Array.from({ length: inner }, (_, i) => i + 1).filter((c) => (set >> (c - 1)) & 1);
    const cost = paperCost(view.tensors, chosen);
    if (cost.ok) least = Math.min(least, cost.cost);
  }
  return least;
}

const known = new WeakMap<Probe, Best>();

const bestOf = (probe: Probe): Best => getOrCompute(known, probe, () => new Best(probe.problem));

/**
 * Runs a strategy on a graph with everything that it can be told of: each single checkpoint, a plan, every number of
 * slots, budgets between the lowest and the regular peak, several seeds.
 */
export function probeStrategy(
  strategy: Strategy,
  probe: Probe,
  brought: Partial<StrategyOptions>,
): ProbeResult {
  const best = bestOf(probe);
  const { problem } = best;
  let applies = false;
  let reason: string | null = null;
  let missed: ProbeResult['missed'] = null;
  let withinBudget: boolean | null = null;
  const peaks = new Set<number | null>();
  for (const told of tellings(strategy, best)) {
    const row = rowOf(problem, strategy.name, { ...brought, ...told });
    if (typeof row === 'string' || !row.applicable) {
      reason ??= typeof row === 'string' ? row : row.reason;
      continue;
    }
    applies = true;
    peaks.add(row.peakBytes);
    const { reached, possible } = measured(strategy, row, told.budgetBytes, best);
    if (missed === null && reached > possible * (1 + 1e-9)) missed = { reached, best: possible };
    if (told.budgetBytes !== undefined) {
      withinBudget = withinBudget !== false && (row.peakBytes ?? 0) <= told.budgetBytes;
    }
  }
  // One that refuses what others can do, as a budget that can be met, is not the best there is.
  const refuses = applies && reason !== null && strategy.reads.checkpoints === undefined;
  return {
    probe: probe.name,
    applies,
    reason: applies && !refuses ? null : reason,
    optimal: applies && !refuses && missed === null,
    missed,
    withinBudget,
    peaks: peaks.size,
  };
}

/** Eq. 2 of a strategy on a larger graph against the optimum of the papers' algorithms. */
export function probeLarger(strategy: Strategy, { name, problem }: Probe): ProbeResult {
  const row = rowOf(problem, strategy.name, { seed: 0 });
  const applies = typeof row !== 'string' && row.applicable;
  const reached = (applies ? row.paperCostBytes : null) ?? Number.POSITIVE_INFINITY;
  const best = solveOptimal(problem.view.tensors).cost;
  return {
    probe: name,
    applies,
    reason: typeof row === 'string' ? row : row.reason,
    optimal: applies && reached <= best,
    missed: applies && reached > best ? { reached, best } : null,
    withinBudget: null,
    peaks: applies ? 1 : 0,
  };
}

function measured(
  strategy: Strategy,
  row: SolvedStrategy,
  budgetBytes: number | undefined,
  best: Best,
): { readonly reached: number; readonly possible: number } {
  const peak = row.peakBytes ?? Number.POSITIVE_INFINITY;
  switch (yardstickOf(strategy)) {
    case 'eq-2':
      // A set without segments of its own has no cost of Eq. 2, and is not the best by it.
      return { reached: row.paperCostBytes ?? Number.POSITIVE_INFINITY, possible: best.paperCost };
    case 'recompute':
      return { reached: row.recomputeFlops ?? 0, possible: best.recomputeWithin(budgetBytes ?? peak) };
    case 'peak':
      return { reached: peak, possible: best.lowestPeak };
  }
}

/** The row, or why none exists. */
function rowOf(problem: Problem, name: string, options: StrategyOptions): SolvedStrategy | string {
  try {
    return solveRow(problem, name, options);
  } catch (error) {
    if (error instanceof InfeasibleError || error instanceof BadInputError) return error.message;
    throw error;
  }
}

/** Everything that a strategy reads, in turn. */
function* tellings({ reads, needsMilpSolver }: Strategy, best: Best): Generator<StrategyOptions> {
  const { problem } = best;
  const { graph, view } = problem;
  if (reads.checkpoints !== undefined) {
    for (let c = 1; c < view.tensors.size - 1; c++) {
      yield { seed: 0, checkpoints: [idOf(graph, view.representative[c] ?? 0)] };
    }
  } else if (reads.plan !== undefined) {
    const { schedule, timeline } = solveRow(problem, 'regular', { seed: 0 });
    if (schedule === null || timeline === null) return;
    const checkpoints: string[] = [];
    yield {
      seed: 0,
      plan: planFile(graph, { strategy: 'regular', options: {}, checkpoints, schedule, timeline }),
    };
  } else if (reads.slots !== undefined) {
    for (let slots = 0; slots <= MAX_SLOTS; slots++) yield { seed: 0, slots };
  } else if (reads.budgetBytes !== undefined) {
    const regular = solveRow(problem, 'regular', { seed: 0 }).peakBytes ?? best.lowestPeak;
    for (const share of needsMilpSolver === true ? EXACT_LEVELS : LEVELS) {
      yield { seed: 0, budgetBytes: Math.round(best.lowestPeak + share * (regular - best.lowestPeak)) };
    }
  } else if (reads.seed !== undefined) {
    for (let seed = 0; seed < SEEDS; seed++) yield { seed };
  } else yield { seed: 0 };
}
