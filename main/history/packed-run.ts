import type { RunContent, RunOutcome } from '../../app/contract/recorded-run.ts';
import { derive } from '../../app/contract/run-summary.ts';
import type { TrainRequest } from '../../app/contract/training.ts';
import { checksum, contentSum, iterationRow } from './checksum.ts';
import { packDoubles, packJson } from './pack.ts';

/** A run at one moment, as the columns of the database keep it: a fraction of what it is as objects. */
export interface PackedRun {
  readonly request: string;
  readonly summary: string;
  readonly facts: string;
  readonly start: Uint8Array | null;
  readonly measured: Uint8Array | null;
  /** Three doubles an iteration: ms, loss, drift; infinite where there is none. */
  readonly iterations: Float64Array;
  readonly contentSum: number;
  readonly startSum: number | null;
}

/** What the history itself says of a run. */
export interface RunState {
  readonly outcome: RunOutcome;
  readonly failure: string | null;
  readonly endedMs: number | null;
  readonly nowMs: number;
  /** Process that records it; null when nobody does any more. */
  readonly owner: number | null;
}

/** @param withStart whether the start is packed, too: a megabyte, and it never changes */
export function packRun(request: TrainRequest, content: RunContent, withStart: boolean): PackedRun {
  const { start, measured, iterationMs, loss, drift, ...facts } = content;
  const iterations = new Float64Array(3 * iterationMs.length);
  for (const [i, ms] of iterationMs.entries()) {
    const value = loss[i] ?? Number.NaN;
    iterations.set(iterationRow(ms, Number.isFinite(value) ? value : null, drift[i] ?? null), 3 * i);
  }
  const packedStart = withStart && start !== null ? packJson(start) : null;
  const packed = {
    request: JSON.stringify(request),
    summary: JSON.stringify(derive(request, content)),
    facts: JSON.stringify(facts),
    start: packedStart,
    measured: measured.length === 0 ? null : packDoubles(measured),
    iterations,
  };
  return {
    ...packed,
    startSum: packedStart === null ? null : checksum([packedStart]),
    contentSum: contentSum(packed.request, packed.facts, packed.measured, iterations),
  };
}
