import { type LazyPlan, lazySchedule } from '../../schedule/lazy.ts';
import { FORWARD, type Schedule } from '../../schedule/schedule.ts';
import { simulateTotals } from '../../simulate/simulate.ts';
import type { Problem } from '../strategy/strategy.ts';
import { type KeepEncoding, expiryOf, KEEP_AUX, KEEP_VALUE } from './keep-encoding.ts';
import type { LiveModel } from './live-model.ts';

/** A schedule with the simulator's verdict. */
export interface Candidate {
  readonly schedule: Schedule;
  readonly peakBytes: number;
  readonly recomputeWork: number;
}

/** An order, and what is kept under it for the lowest peak found. */
export interface KeptOrder {
  readonly model: LiveModel;
  readonly keep: KeepEncoding;
  /** As the curve says (byte-curve.ts). */
  readonly peak: number;
}

/** The lazy plan, by vertex, of a choice by item. */
export function lazyPlanOf(model: LiveModel, keep: KeepEncoding): LazyPlan {
  const kept = new Uint8Array(model.graph.size);
  const keptAux = new Uint8Array(model.graph.size);
  const expiry = new Int32Array(model.graph.size);
  model.itemOf.forEach((item, v) => {
    kept[v] = (keep[item]! & KEEP_VALUE) === 0 ? 0 : 1;
    keptAux[v] = (keep[item]! & KEEP_AUX) === 0 ? 0 : 1;
    expiry[v] = expiryOf(keep[item]!);
  });
  return { order: model.order.subarray(1), kept, keptAux, expiry };
}

export function judge(problem: Problem, schedule: Schedule): Candidate {
  const timeline = simulateTotals(problem.graph, problem.memory, schedule);
  return { schedule, peakBytes: timeline.peakBytes, recomputeWork: timeline.recomputeWork };
}

export function judgeKeep(problem: Problem, model: LiveModel, keep: KeepEncoding): Candidate {
  return judge(problem, lazySchedule(problem.graph, problem.memory, lazyPlanOf(model, keep)));
}

/** Lower peak first, then less recompute. */
export function isBetter(a: Candidate, b: Candidate): boolean {
  return a.peakBytes < b.peakBytes || (a.peakBytes === b.peakBytes && a.recomputeWork < b.recomputeWork);
}

/** True where no vertex is forwarded more than twice. */
export function isTwiceAtMost({ kinds, vertices }: Schedule, size: number): boolean {
  const forwards = new Int32Array(size);
  for (let t = 0; t < kinds.length; t++) {
    if (kinds[t] === FORWARD && ++forwards[vertices[t]!]! > 2) return false;
  }
  return true;
}

/** Vertices that are live at the end of the first forward and never recomputed, and that some backward uses. */
export function checkpointsOf(schedule: Schedule, size: number): number[] {
  const forwards = new Uint8Array(size);
  const live = new Uint8Array(size);
  const kept = new Uint8Array(size);
  let open = true;
  for (let t = 0; t < schedule.kinds.length; t++) {
    const v = schedule.vertices[t]!;
    const kind = schedule.kinds[t]!;
    if (kind === 0) {
      forwards[v]!++;
      live[v] = 1;
    } else if (kind === 2) live[v] = 0;
    else if (kind === 1 && open) {
      open = false;
      kept.set(live);
    }
  }
  // After the last recomputed vertex nothing is a checkpoint: it goes straight into backward.
  let last = 0;
  for (let v = 1; v < size; v++) if (forwards[v]! > 1) last = v;
  const checkpoints: number[] = [];
  for (let v = 1; v <= last; v++) if (kept[v] === 1 && forwards[v] === 1) checkpoints.push(v);
  return checkpoints;
}
