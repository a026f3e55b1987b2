import type { Graph } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { LifetimeLog, type Lifetimes } from './lifetime-log.ts';
import { Replay } from './replay.ts';
import type { Series, Timeline, Totals } from './timeline.ts';

export { ScheduleError } from './place.ts';
export type { Timeline, Totals } from './timeline.ts';

/**
 * Replays a schedule on a graph and counts the bytes itself: an independent judge that knows nothing
 * of strategies and trusts none of their figures. Shape of all series: one entry a step, bytes.
 * Time and space O(steps + uses).
 *
 * @throws ScheduleError when a step uses what is not live, when a vertex is never forwarded or is not
 *   backwarded exactly once after all its consumers, when anything but the source is left at the end, or
 *   when something is sent to host memory for nothing.
 */
export function simulate(graph: Graph, memory: MemoryModel, schedule: Schedule): Timeline {
  return timelineOf(graph, memory, schedule);
}

/**
 * The same without an entry a step, which takes less time: for searches that judge many schedules.
 *
 * @throws ScheduleError as `simulate`
 */
export function simulateTotals(graph: Graph, memory: MemoryModel, schedule: Schedule): Totals {
  return new Replay(graph, memory, schedule).run(null);
}

function timelineOf(graph: Graph, memory: MemoryModel, schedule: Schedule, log?: LifetimeLog): Timeline {
  const column = (): Float64Array => new Float64Array(schedule.kinds.length);
  const series: Series = {
    live: column(),
    checkpoints: column(),
    recomputed: column(),
    gradients: column(),
    auxiliaries: column(),
  };
  return { ...new Replay(graph, memory, schedule, log).run(series), ...series };
}

/**
 * Every tensor that a schedule holds, with the steps in which it is live: the tensors whose range covers a
 * step have exactly the live bytes of that step (`simulate`), by holder too. Time and space O(steps + uses).
 *
 * @throws ScheduleError as `simulate`
 */
export function tensorLifetimes(graph: Graph, memory: MemoryModel, schedule: Schedule): Lifetimes {
  return simulateWithLifetimes(graph, memory, schedule).lifetimes;
}

/** Both at once, in one replay. @throws ScheduleError as `simulate` */
export function simulateWithLifetimes(
  graph: Graph,
  memory: MemoryModel,
  schedule: Schedule,
): { readonly timeline: Timeline; readonly lifetimes: Lifetimes } {
  const log = new LifetimeLog(graph.size);
  return { timeline: timelineOf(graph, memory, schedule, log), lifetimes: log.build() };
}

/**
 * Predicted time overhead: recompute work over the work of a regular step (forward + backward).
 * A share of 1, not of 100. Predicted, because real kernels do not all run at the same FLOP rate.
 */
export function predictedOverhead(timeline: Timeline): number {
  const regular = timeline.forwardWork + timeline.backwardWork;
  return regular > 0 ? timeline.recomputeWork / regular : 0;
}
