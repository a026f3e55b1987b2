import { predecessorsOf, workOf } from '../../graph/graph.ts';
import { insertFrees } from '../../schedule/liveness.ts';
import { BACKWARD, FORWARD, FREE_AUX } from '../../schedule/schedule.ts';
import { simulate } from '../../simulate/simulate.ts';
import { NO_CONTROL } from '../strategy/strategy.ts';
import { type Policy, reverseChain } from './reverse.ts';
import { needsOfStage, type StageChain } from './stage-chain.ts';

/**
 * Costs of each stage of a chain, measured by the simulator on three schedules of the whole chain, so
 * that in-place operations, views, auxiliaries and gradients count as they do there. Bytes beyond what
 * is held for other stages; the stage's own input counts (0 for stage 0, whose input is the source).
 */
export interface StageProfile {
  /** Bytes of boundary i; 0 for the source and the target. */
  readonly boundary: Float64Array;
  /** Gradient of boundary i; 0 for the source and the target. */
  readonly gradient: Float64Array;
  /** Peak of running stage i forward and keeping its output alone. */
  readonly pass: Float64Array;
  /** Peak of running stage i forward and backward at once: after its output was held, or not. */
  readonly turnAfterHold: Float64Array;
  readonly turn: Float64Array;
  /** Peak of running stage i forward and keeping its tape, and of its backward on the tape. */
  readonly tapeForward: Float64Array;
  readonly tapeBackward: Float64Array;
  /** Bytes of the tape, the output excluded. */
  readonly tape: Float64Array;
  /** Forward work that a turn repeats, after the output was held, or not. */
  readonly workAfterHold: Float64Array;
  readonly workOfTurn: Float64Array;
  /** Auxiliaries that stay from the first forward whatever is decided. */
  readonly fixedBytes: number;
}

export function profileStages(chain: StageChain): StageProfile {
  const { problem, stages, boundaries } = chain;
  const { memory } = problem;
  const count = stages.length;
  const series = (): Float64Array => new Float64Array(count);
  const inner = (bytes: Float64Array): Float64Array =>
    Float64Array.from(boundaries, (v, i) => (i === 0 || i === count ? 0 : bytes[v]!));
  const boundary = inner(memory.outputBytes);
  const profile = {
    boundary,
    gradient: inner(memory.gradientBytes),
    pass: series(),
    turnAfterHold: series(),
    turn: series(),
    tapeForward: series(),
    tapeBackward: series(),
    tape: series(),
    workAfterHold: series(),
    workOfTurn: series(),
    fixedBytes: 0,
  };

  // Every second boundary held: one stage of each pair turns without its output, the other after it was held.
  for (const offset of [0, 1]) {
    const isStart = (i: number): boolean => i % 2 === offset;
    const run = measure(chain, (from, to) => {
      for (let at = from + 1; at < to; at++) if (isStart(at)) return { at, left: 0 };
      return { at: from + 1, left: 0 };
    });
    let held = 0;
    for (let i = 0; i < count; i++) {
      profile.pass[i] = Math.max(profile.pass[i]!, run.forwardPeak[i]! - held);
      const peak = Math.max(run.turnPeak[i]!, run.backwardPeak[i]!) - held;
      const afterHold = i === 0 || i === count - 1 || !isStart(i + 1);
      if (afterHold) profile.turnAfterHold[i] = Math.max(profile.turnAfterHold[i]!, peak);
      profile.turn[i] = Math.max(profile.turn[i]!, peak);
      // The boundary of stage 0 has no bytes.
      if (isStart(i)) held += boundary[i]!;
    }
    profile.fixedBytes = Math.max(profile.fixedBytes, run.fixedBytes);
  }

  // Everything held: regular training.
  const run = measure(chain, (from) => ({ at: from, left: 0 }));
  let held = 0;
  for (let i = 0; i < count; i++) {
    profile.tapeForward[i] = run.forwardPeak[i]! - held;
    profile.tapeBackward[i] = run.backwardPeak[i]! - held;
    const kept = run.keptAfter[i]! - boundary[i + 1]!;
    profile.tape[i] = kept - held;
    held = kept;
  }
  const work = workOf(problem.graph);
  for (let i = 0; i < count; i++) {
    profile.workAfterHold[i] = repeatedWork(chain, i, work, true);
    profile.workOfTurn[i] = repeatedWork(chain, i, work, false);
  }
  return profile;
}

interface Measured {
  /** Peaks of the first forward, of what a turn recomputes, and of backward; source excluded. */
  readonly forwardPeak: Float64Array;
  readonly turnPeak: Float64Array;
  readonly backwardPeak: Float64Array;
  /** Live bytes at the end of the first forward of a stage, source excluded. */
  readonly keptAfter: Float64Array;
  readonly fixedBytes: number;
}

/** Simulates a policy and splits its timeline into stages. */
function measure(chain: StageChain, policy: Policy): Measured {
  const { problem, stages } = chain;
  const { graph, memory } = problem;
  const schedule = insertFrees(graph, memory, reverseChain(chain, policy, 0, NO_CONTROL).compute);
  const { live, source, backwardStart } = simulate(graph, memory, schedule);
  const count = stages.length;
  const stageOf = new Int32Array(graph.size);
  stages.forEach((stage, i) => {
    for (const v of stage) stageOf[v] = i;
  });
  const measured = {
    forwardPeak: new Float64Array(count),
    turnPeak: new Float64Array(count),
    backwardPeak: new Float64Array(count),
    keptAfter: new Float64Array(count),
  };
  const ignored = new Float64Array(count);
  const kept = new Float64Array(graph.size);
  let fixedBytes = 0;
  let fixedLive = 0;
  let turning = 0;
  let peaks = measured.forwardPeak;
  let at = 0;
  for (let t = 0; t < live.length; t++) {
    const kind = schedule.kinds[t]!;
    const v = schedule.vertices[t]!;
    // A free belongs to the step before it.
    if (kind === BACKWARD) {
      peaks = measured.backwardPeak;
      at = stageOf[v]!;
      // Nothing is forwarded between the backwards of a stage.
      turning = at - 1;
    } else if (kind === FORWARD) {
      at = stageOf[v]!;
      if (t < backwardStart) {
        peaks = measured.forwardPeak;
        // Not freed at once.
        if (memory.auxIsFixed[v] === 1 && schedule.kinds[t + 1] !== FREE_AUX) {
          kept[v] = memory.auxBytes[v]!;
          fixedBytes += kept[v];
          fixedLive += kept[v];
        }
      }
      // Forwards before the current stage only lead to it.
      else peaks = at === turning ? measured.turnPeak : ignored;
    }
    const bytes = live[t]! - source - fixedLive;
    peaks[at] = Math.max(peaks[at]!, bytes);
    if (t < backwardStart) measured.keptAfter[at] = bytes;
    if (kind === BACKWARD) fixedLive -= kept[v]!;
  }
  return { ...measured, fixedBytes };
}

/** Forward work of the operations that the turn of a stage has to repeat. */
function repeatedWork(chain: StageChain, stage: number, work: Float64Array, afterHold: boolean): number {
  const { graph, memory } = chain.problem;
  const operations = new Set(chain.stages[stage]);
  const output = chain.boundaries[stage + 1]!;
  const wanted = new Set<number>();
  const want = (v: number): void => {
    if (operations.has(v) && !(afterHold && v === output)) wanted.add(v);
  };
  for (const u of needsOfStage(chain, stage)) want(u);
  for (const v of operations) {
    if (memory.auxIsFixed[v] !== 1) wanted.add(v);
  }
  for (const v of wanted) for (const u of predecessorsOf(graph, v)) want(u);
  let sum = 0;
  for (const v of wanted) sum += work[v]!;
  return sum;
}
