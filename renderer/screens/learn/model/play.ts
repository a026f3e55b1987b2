import { BACKWARD, FORWARD, type Schedule } from '../../../../engine/schedule/schedule.ts';
import { simulate, type Timeline } from '../../../../engine/simulate/simulate.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { type HeldBytes, Replay } from './replay.ts';

export type MoveKind = 'forward' | 'recompute' | 'backward';

/** No pebble; one that stays since the first forward; one that a recompute placed. */
export const NO_PEBBLE = 0;
export const KEPT = 1;
export const RECOMPUTED = 2;

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
  readonly held: HeldBytes;
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
  const timeline = simulate(graph, memory, schedule);
  const replay = new Replay(graph, memory, schedule);
  const frames: Frame[] = [];
  let recomputes = 0;
  let previous: Frame | undefined;
  while (replay.advance()) {
    const { step } = replay;
    const kind = schedule.kinds[step];
    const vertex = schedule.vertices[step]!;
    if (kind !== FORWARD && kind !== BACKWARD) {
      if (previous !== undefined && replay.storage[vertex] === -1) previous.leaving[vertex] = 1;
      continue;
    }
    const again = kind === FORWARD && replay.forwards[vertex]! > 1;
    if (again) recomputes += 1;
    previous = {
      step,
      kind: kind === BACKWARD ? 'backward' : again ? 'recompute' : 'forward',
      vertex,
      pebbles: Uint8Array.from(replay.storage, (storage) =>
        storage < 0 ? NO_PEBBLE : replay.storageRecomputed[storage] === 1 ? RECOMPUTED : KEPT,
      ),
      gradients: Uint8Array.from(replay.gradientBytes, (bytes) => (bytes >= 0 ? 1 : 0)),
      leaving: new Uint8Array(graph.size),
      forwards: replay.forwards.slice(),
      held: replay.held(),
      live: timeline.live[step]!,
      recomputes,
    };
    frames.push(previous);
  }
  const peakFrame = frames.findIndex(({ step }) => step === timeline.peakStep);
  const backwardFrame = frames.findIndex(({ step }) => step >= timeline.backwardStart);
  return { problem, schedule, timeline, frames, peakFrame, backwardFrame, recomputes };
}
