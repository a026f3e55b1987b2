import { simulateTotals } from '../../engine/simulate/simulate.ts';
import { timedGraph } from '../../engine/graph/timed-graph.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import type { Prediction } from './prediction.ts';
import { predictSchedule } from './prediction.ts';
import type { MeasurementContext } from './measurement-context.ts';
import { everythingTwice, measureStepTimes, type StepTimes } from './step-times.ts';
import type { Schedule } from '../../engine/schedule/schedule.ts';

const ITERATIONS = 5;
const ENOUGH_MS = 30_000;

/**
 * Times of every operation on this device.
 *
 * @param availableBytes limit of live bytes; infinite if unknown @param fallback executed without room for a schedule
 *   that runs every forward twice
 */
export function measureCosts(
  problem: Problem,
  context: MeasurementContext,
  availableBytes: number,
  fallback: Schedule,
): Promise<StepTimes> {
  const twice = everythingTwice(problem);
  const fits = simulateTotals(problem.graph, problem.memory, twice).peakBytes <= availableBytes;
  return measureStepTimes(problem, context.dataOf(problem.graph), context.backend, {
    schedule: fits ? twice : fallback,
    iterations: ITERATIONS,
    enoughMs: ENOUGH_MS,
    seed: context.seed,
    supervision: context.supervision,
    progress: context.progress,
  });
}

/** Solves by measured times instead of FLOPs; the result is judged by FLOPs, as everywhere else. */
export function solveByCosts(
  problem: Problem,
  times: StepTimes,
  solve: (timed: Problem) => Prediction,
): Prediction {
  const timed = { ...problem, graph: timedGraph(problem.graph, times) };
  return predictSchedule(problem, solve(timed).schedule);
}
