import type { ScaledSeries, ScaledTimeline } from '../../app/contract/results.ts';
import { InfeasibleError } from '../../engine/errors.ts';
import type { MemoryModel } from '../../engine/ops/memory-model.ts';
import type { Schedule } from '../../engine/schedule/schedule.ts';
import { predictedOverhead, simulate, type Timeline } from '../../engine/simulate/simulate.ts';
import { solveRow } from '../../engine/strategies/solve.ts';
import type { Control, Problem, StrategyOptions } from '../../engine/strategies/strategy/strategy.ts';

/** The plan of a strategy, and the simulator's judgement of it. */
export interface Prediction {
  readonly schedule: Schedule;
  readonly timeline: Timeline;
  /** Predicted time overhead by FLOPs, a share of 1. */
  readonly overhead: number;
}

/** The simulator's judgement of a given schedule. */
export function predictSchedule({ graph, memory }: Problem, schedule: Schedule): Prediction {
  const timeline = simulate(graph, memory, schedule);
  return { schedule, timeline, overhead: predictedOverhead(timeline) };
}

/**
 * Solves a problem of profile `tfjs`.
 * @throws InfeasibleError if the strategy does not apply; errors of `solveRow`
 */
export function predict(
  problem: Problem,
  strategy: string,
  options: StrategyOptions,
  control: Control,
): Prediction {
  const row = solveRow(problem, strategy, options, control);
  if (row.schedule === null || row.timeline === null) {
    throw new InfeasibleError(
      `${strategy} does not apply to ${problem.graph.name}: ${row.reason ?? 'no reason given'}`,
    );
  }
  return { schedule: row.schedule, timeline: row.timeline, overhead: row.predictedOverhead ?? 0 };
}

/**
 * A timeline as a function of the batch, as the contract wants it. Under `tfjs`, auxiliaries are batch statistics,
 * which do not grow with the batch, or row statistics, which grow in proportion like everything else.
 */
export function scaledTimeline(
  { schedule, timeline }: Prediction,
  memory: MemoryModel,
  batch: number,
): ScaledTimeline {
  const isFixed = memory.auxBytes.every((bytes, v) => bytes === 0 || memory.auxIsFixed[v] === 1);
  const fixed = isFixed ? timeline.auxiliaries : new Float64Array(timeline.live.length);
  const none = new Float64Array(timeline.live.length);
  const scaled = (series: Float64Array, constant: Float64Array): ScaledSeries => ({
    perSample: Array.from(series, (bytes, i) => (bytes - (constant[i] ?? 0)) / batch),
    fixed: Array.from(constant),
  });
  return {
    kinds: Array.from(schedule.kinds),
    vertices: Array.from(schedule.vertices),
    backwardStart: timeline.backwardStart,
    live: scaled(timeline.live, fixed),
    checkpoints: scaled(timeline.checkpoints, none),
    recomputed: scaled(timeline.recomputed, none),
    gradients: scaled(timeline.gradients, none),
    auxiliaries: scaled(timeline.auxiliaries, fixed),
    ...(timeline.host === undefined ? {} : { host: scaled(timeline.host.bytes, none) }),
  };
}
