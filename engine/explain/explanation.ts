import type { HeldCurve } from '../training-memory/held.ts';
import type { TrainingSetup } from '../training-memory/setup.ts';
import type { Phase } from './measured.ts';

/** Prediction for one plan on one network. */
export interface Prediction {
  readonly held: HeldCurve;
  /** Eq. 2 at this batch; null of a plan that it does not measure. */
  readonly paperCostBytes: number | null;
  readonly setup: TrainingSetup;
  readonly parameters: number;
  readonly batch: number;
}

/** The bars from Eq. 2 to what was measured, in their order. */
export const BARS = [
  'theory',
  'activations',
  'weights',
  'copies',
  'gradients',
  'optimizer',
  'loss',
  'workspace',
  'rounding',
  'fragmentation',
  'unexplained',
] as const;
export type BarName = (typeof BARS)[number];

export interface ExplainedBar {
  readonly name: BarName;
  /** Signed; the bars add up to `measuredBytes`, to the byte. */
  readonly bytes: number;
  /** Sum of the bars before this one. */
  readonly from: number;
  /** Source of the figure: the papers' formula, the prediction, the device, or nobody. */
  readonly by: 'theory' | 'predicted' | 'measured' | 'left';
}

/** A phase as it was predicted and as it was measured; null where one of them has none. */
export interface ExplainedPhase {
  readonly phase: Phase;
  /** The most in it. */
  readonly predictedBytes: number | null;
  readonly measuredBytes: number | null;
  /** The most in equal parts of it: of the prediction's instants, and of the recorded events. */
  readonly predicted: readonly number[];
  readonly allocated: readonly number[];
  readonly reserved: readonly number[];
}

export interface Explanation {
  readonly phases: readonly ExplainedPhase[];
  readonly bars: readonly ExplainedBar[];
  /** Sum of the bars: of a snapshot what was reserved when the most was allocated, else the measured peak. */
  readonly measuredBytes: number;
  /** The highest instant of each, and in which phase it is. */
  readonly peaks: {
    readonly predicted: { readonly bytes: number; readonly phase: Phase };
    /** Allocated. */
    readonly measured: { readonly bytes: number; readonly phase: Phase };
  };
  /** Contradictions, and gaps of the file: each a sentence. */
  readonly notes: readonly string[];
}
