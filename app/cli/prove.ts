import { lowerBound } from '../../engine/bounds/lower-bound.ts';
import type { LpSolver } from '../../engine/bounds/lp-solver.ts';
import { oncePeakBound } from '../../engine/bounds/once-bound.ts';
import { InternalError } from '../../engine/errors.ts';
import { FORWARD, SEND } from '../../engine/schedule/schedule.ts';
import type { SolvedRow } from './compared.ts';
import { bytes } from './format.ts';
import type { Asked } from './network.ts';

/** Bounds proved for the class of schedules that a plan belongs to. */
export interface Proved {
  /** True when the plan forwards no operation more than twice. */
  readonly isOnce: boolean;
  /** The least peak of any schedule of that class; of any schedule at all where the plan is of no such class. */
  readonly bytes: number;
}

/**
 * Proves how low the peak of a plan could be (SPEC B4, B6); null where there is no plan.
 * @throws InternalError where HiGHS cannot be loaded
 */
export async function provedPeak({ json, timeline }: SolvedRow, { problem }: Asked): Promise<Proved | null> {
  if (json.peakBytes === null || timeline === null) return null;
  const forwards = new Map<number, number>();
  timeline.kinds.forEach((kind, step) => {
    const v = timeline.vertices[step]!;
    if (kind === FORWARD) forwards.set(v, (forwards.get(v) ?? 0) + 1);
  });
  // Bounds for schedules with at most two forwards do not hold for those that send activations away.
  const isOnce = !timeline.kinds.includes(SEND) && [...forwards.values()].every((times) => times <= 2);
  const given = problem();
  if (!isOnce) return { isOnce, bytes: lowerBound(given).bytes };
  return { isOnce, bytes: oncePeakBound(given, json.peakBytes, await loadedSolver()) };
}

async function loadedSolver(): Promise<LpSolver> {
  try {
    return await (await import('../bridges/highs.ts')).createHighsLpSolver();
  } catch (error) {
    throw new InternalError(`--prove requires HiGHS, which could not be loaded: ${String(error)}`);
  }
}

/** For people: how far the peak is from the proof, rounded up so that it is true. */
export function provedText(peak: number, proved: Proved): string {
  const of = proved.isOnce ? 'of all schedules that run no operation more than twice' : 'of all schedules';
  if (peak <= proved.bytes) return `the minimum ${of}`;
  const above = Math.ceil((peak / proved.bytes - 1) * 1000 - 1e-9) / 10;
  return `at most ${above} % above the minimum ${of}, which need ${bytes(proved.bytes)} or more`;
}
