import { comparisonHead } from '../comparison/head.ts';
import { InternalError } from '../errors.ts';
import { createProblem } from '../problem.ts';
import type { Checkpointing } from '../schedule/checkpointing.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { simulateTotals } from '../simulate/simulate.ts';
import { random } from '../strategies/random.ts';
import { regular } from '../strategies/regular.ts';
import { solveRow } from '../strategies/solve.ts';
import { NO_CONTROL, type Problem, type Strategy } from '../strategies/strategy/strategy.ts';
import { buildModel } from '../zoo/zoo.ts';

/** Peaks of the random baseline over seeds 0, 1, ...; bytes, null where no seed found a valid set. */
export interface SeededPeak {
  readonly medianBytes: number | null;
  readonly lowBytes: number | null;
  readonly highBytes: number | null;
}

/** Simulated figures of one row of a paper's table. Bytes; null where a strategy does not apply. */
export interface RowFigures {
  readonly problem: Problem;
  readonly savedBytes: number;
  readonly regularPeakBytes: number;
  /** The schedules of regular training and of the optimum. */
  readonly regularSchedule: Schedule;
  readonly optimalSchedule: Schedule;
  readonly random: SeededPeak;
  /** Chen over all budgets, and over the nine of his own program. */
  readonly chenPeakBytes: number | null;
  readonly chenMemongerPeakBytes: number | null;
  readonly optimalPeakBytes: number;
  readonly optimalPaperCost: number;
  /** A share of 1. */
  readonly optimalOverhead: number;
}

/**
 * Solves the strategies of the papers' tables on one network at the size of the row, profile `pytorch-1.5`.
 * `chen-greedy` stands for Chen's algorithm: his Algorithm 3, on non-linear networks over the chain of
 * splitting vertices ("manual"), with every budget; `chen-memonger` beside it searches as his program does.
 *
 * @param seeds how many seeds the random baseline is drawn with
 * @param checkpointing how the segments of all of them run
 */
export function measureRow(
  network: string,
  batch: number,
  input: number,
  seeds: number,
  checkpointing: Checkpointing,
): RowFigures {
  const graph = buildModel(network, { batch, input });
  const problem = createProblem(graph, 'pytorch-1.5');
  const head = comparisonHead(problem, { model: network, batch });
  const regularSchedule = scheduleOf(regular, problem);
  const optimal = solveRow(problem, 'optimal', { seed: 0, checkpointing });
  return {
    problem,
    savedBytes: head.savedBytes,
    regularPeakBytes: head.regularPeakBytes,
    regularSchedule,
    optimalSchedule: optimal.schedule ?? regularSchedule,
    random: randomPeak(problem, seeds, checkpointing),
    chenPeakBytes: solveRow(problem, 'chen-greedy', { seed: 0, checkpointing }).peakBytes,
    chenMemongerPeakBytes: solveRow(problem, 'chen-memonger', { seed: 0, checkpointing }).peakBytes,
    optimalPeakBytes: optimal.peakBytes ?? head.regularPeakBytes,
    optimalPaperCost: optimal.paperCostBytes ?? 0,
    optimalOverhead: optimal.predictedOverhead ?? 0,
  };
}

function randomPeak(problem: Problem, seeds: number, checkpointing: Checkpointing): SeededPeak {
  const peaks = Array.from({ length: seeds }, (_, seed) => {
    const plan = random.plan(problem, { seed, checkpointing }, NO_CONTROL);
    return plan.applicable ? simulateTotals(problem.graph, problem.memory, plan.schedule).peakBytes : null;
  })
    .filter((bytes) => bytes !== null)
    .sort((a, b) => a - b);
  const at = (i: number): number | null => peaks[i] ?? null;
  return { medianBytes: at(peaks.length >> 1), lowBytes: at(0), highBytes: at(peaks.length - 1) };
}

function scheduleOf(strategy: Strategy, problem: Problem): Schedule {
  const plan = strategy.plan(problem, { seed: 0 }, NO_CONTROL);
  if (!plan.applicable) throw new InternalError(`${strategy.name} does not apply: ${plan.reason}`);
  return plan.schedule;
}
