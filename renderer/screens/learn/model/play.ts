import { BACKWARD, FORWARD, type Schedule } from '../../../../engine/schedule/schedule.ts';
import {
  GRADIENT,
  INPUT,
  RECOMPUTED as RECOMPUTED_HOLDER,
} from '../../../../engine/simulate/lifetime-log.ts';
import { simulateWithLifetimes, type Timeline } from '../../../../engine/simulate/simulate.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';

export type MoveKind = 'forward' | 'recompute' | 'backward';

/** No pebble; one that stays since the first forward; one that a recompute placed. */
export const NO_PEBBLE = 0;
export const KEPT = 1;
export const RECOMPUTED = 2;

/** Kinds of steps that a frame shows. */
const ACTS: readonly number[] = [FORWARD, BACKWARD];

type Board = [pebbles: Uint8Array, gradients: Uint8Array, leaving: Uint8Array];

/** Bytes of a frame by what holds them. */
export type Held = Readonly<Record<'source' | 'kept' | 'recomputed' | 'gradients', number>>;

/** The board while one operation runs: its result is placed, and what it used is still there. */
export interface Frame {
  readonly step: number;
  readonly kind: MoveKind;
  readonly vertex: number;
  /** By vertex, of its activation: NO_PEBBLE, KEPT or RECOMPUTED. */
  readonly pebbles: Uint8Array;
  /** By vertex: 1 where the gradient of its activation is held. */
  readonly gradients: Uint8Array;
  /** By vertex: 1 where the activation is taken away before the next operation. */
  readonly leaving: Uint8Array;
  /** By vertex: how often it was forwarded so far. */
  readonly forwards: Int32Array;
  readonly held: Held;
  readonly live: number;
  /** Forwards so far beyond the first of each vertex. */
  readonly recomputes: number;
}

export interface Play {
  readonly problem: Problem;
  readonly schedule: Schedule;
  readonly timeline: Timeline;
  readonly frames: readonly Frame[];
  /** Index of the first frame at the peak. */
  readonly peakFrame: number;
  /** Index of the first frame after the forward pass. */
  readonly backwardFrame: number;
  readonly recomputes: number;
}

/**
 * Plays a schedule through; the simulator judges it first.
 * Space O(operations x V): for small graphs.
 *
 * @throws ScheduleError when the schedule is not valid
 */
export function playOf(problem: Problem, schedule: Schedule): Play {
  const { graph, memory } = problem;
  const { timeline, lifetimes } = simulateWithLifetimes(graph, memory, schedule);
  const { first, last, holders, vertices } = lifetimes;
  const steps = [...schedule.kinds.keys()].filter((t) => ACTS.includes(schedule.kinds[t]!));
  const forwards = new Int32Array(graph.size);
  const frames: Frame[] = [];
  let recomputes = 0;
  let begun = 0;
  let live: number[] = [];
  steps.forEach((step, i) => {
    const vertex = schedule.vertices[step]!;
    const isForward = schedule.kinds[step] === FORWARD;
    const isAgain = isForward && forwards[vertex]! > 0;
    if (isForward) forwards[vertex]! += 1;
    if (isAgain) recomputes += 1;
    while (begun < first.length && first[begun]! <= step) live.push(begun++);
    live = live.filter((one) => last[one]! >= step);
    const [pebbles, gradients, leaving] = [0, 0, 0].map(() => new Uint8Array(graph.size)) as Board;
    for (const one of live) {
      const v = vertices[one]!;
      const holder = holders[one];
      if (holder === GRADIENT) gradients[v] = 1;
      else {
        pebbles[v] = holder === RECOMPUTED_HOLDER ? RECOMPUTED : KEPT;
        leaving[v] = holder !== INPUT && last[one]! < (steps[i + 1] ?? Infinity) ? 1 : 0;
      }
    }
    frames.push({
      ...{ step, vertex, pebbles, gradients, leaving, recomputes },
      kind: isAgain ? 'recompute' : isForward ? 'forward' : 'backward',
      forwards: forwards.slice(),
      held: {
        source: timeline.source,
        kept: timeline.checkpoints[step]!,
        recomputed: timeline.recomputed[step]!,
        gradients: timeline.gradients[step]!,
      },
      live: timeline.live[step]!,
    });
  });
  const peakFrame = frames.findIndex(({ step }) => step === timeline.peakStep);
  const backwardFrame = frames.findIndex(({ step }) => step >= timeline.backwardStart);
  return { problem, schedule, timeline, frames, peakFrame, backwardFrame, recomputes };
}
