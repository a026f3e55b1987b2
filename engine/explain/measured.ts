/** A device's measured memory, as far as it can be laid over a prediction; the readers are app/bridges/snapshot. */

export const SNAPSHOT_TOO_LARGE =
  'the snapshot is larger than 256 MiB: record fewer steps (max_entries) or no C++ stacks (stacks="python")';

/** The parts of a training step; `unknown` where nothing in the file tells them apart. */
export const PHASES = ['forward', 'backward', 'optimizer', 'unknown'] as const;
export type Phase = (typeof PHASES)[number];

/** By what the phases were told apart: names given by `record_function`, stacks, or threads without a Python stack. */
export const EVIDENCE = ['annotations', 'stacks', 'threads'] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** One phase of a step; bytes. Curves are the most in equal parts of its events, at most `MAX_PARTS` of them. */
export interface MeasuredPhase {
  readonly phase: Phase;
  readonly events: number;
  /** Tensors, each rounded up as the allocator does: what `torch.cuda.memory_allocated` counts. */
  readonly allocated: readonly number[];
  /** Memory that the allocator has from the driver: `torch.cuda.memory_reserved`. */
  readonly reserved: readonly number[];
}
export const MAX_PARTS = 240;

/** The instant at which the most is allocated. */
export interface MeasuredPeak {
  readonly phase: Phase;
  /** Position in the phase, by events: from 0 to 1. */
  readonly at: number;
  /** Requested bytes, before the allocator rounds. */
  readonly requestedBytes: number;
  /** Requested by libraries as workspace; null where no stack tells (they need C++ frames). */
  readonly workspaceBytes: number | null;
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
}

export interface MeasuredStep {
  /** From 1, in the order of the recording. */
  readonly number: number;
  /** Allocated before its first event. */
  readonly startBytes: number;
  /** In the order in which they ran. */
  readonly phases: readonly MeasuredPhase[];
  readonly peak: MeasuredPeak;
}

export interface OutOfMemory {
  /** In which step, and of it in which phase; null before the first. */
  readonly step: number | null;
  readonly phase: Phase;
  readonly requestedBytes: number;
  /** Free memory of the driver. */
  readonly freeBytes: number;
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
}

export interface MeasuredDevice {
  readonly device: number;
  readonly events: number;
  /** Number of training steps recorded, whole or not. */
  readonly steps: number;
  /** The one of the highest peak, of equals the last. */
  readonly step: MeasuredStep;
  readonly evidence: Evidence | null;
  /** Why what came before the first event is known to be missing, as a clause; null where nothing says so. */
  readonly lostBeginning: string | null;
  readonly outOfMemory: readonly OutOfMemory[];
  /** `expandable_segments` and such, where they change how sizes are rounded; as a clause. */
  readonly unusual: string | null;
}

export interface MeasuredSnapshot {
  readonly kind: 'snapshot';
  readonly devices: readonly MeasuredDevice[];
}

/** Result of the bridge's `measure`: the inputs and all that a step allocates and releases. */
export interface MeasuredResult {
  readonly kind: 'measure';
  readonly device: 'cpu' | 'cuda';
  readonly peakBytes: number;
  /** Facts of the measured network, where the file says them. */
  readonly parameters: number | null;
  readonly batch: number | null;
}

export type Measured = MeasuredSnapshot | MeasuredResult;
