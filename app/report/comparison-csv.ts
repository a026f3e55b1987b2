import { type CsvCell, csvText } from './csv.ts';

/** One strategy of a comparison, all figures on equal terms; null where it does not apply. */
export interface ComparedStrategy {
  readonly strategy: string;
  /** Why it does not apply; null where it does. */
  readonly reason: string | null;
  readonly peakBytes: number | null;
  readonly lowerBoundBytes: number | null;
  readonly paperCostBytes: number | null;
  readonly recomputeFraction: number | null;
  readonly predictedOverhead: number | null;
  readonly checkpoints: number | null;
  readonly steps: number | null;
  readonly solveMs: number | null;
  readonly claim: string | null;
  /** The least recompute proved at its budget or peak, like `recomputeFraction`; null where nobody looked. */
  readonly recomputeBoundFraction: number | null;
  /** True where a limit ended the search. */
  readonly stoppedEarly?: boolean | undefined;
}

export interface ComparedHead {
  readonly model: string;
  readonly batch: number;
  readonly input: number;
  readonly profile: string;
  readonly regularPeakBytes: number;
}

export const COMPARISON_COLUMNS = [
  'model',
  'batch',
  'input',
  'profile',
  'strategy',
  'peak_bytes',
  'cutoff',
  'lower_bound_bytes',
  'paper_cost_bytes',
  'recompute_fraction',
  'predicted_overhead',
  'checkpoints',
  'steps',
  'solve_ms',
  'claim',
  'not_applicable_because',
  'recompute_bound_fraction',
  'recompute_gap',
  'stopped_early',
] as const;

/** One line a strategy: the whole comparison in one table. */
export function comparisonLines(head: ComparedHead, rows: readonly ComparedStrategy[]): CsvCell[][] {
  const { model, batch, input, profile, regularPeakBytes } = head;
  return rows.map((row) => [
    model,
    batch,
    input,
    profile,
    row.strategy,
    row.peakBytes,
    row.peakBytes === null || regularPeakBytes === 0 ? null : 1 - row.peakBytes / regularPeakBytes,
    row.lowerBoundBytes,
    row.paperCostBytes,
    row.recomputeFraction,
    row.predictedOverhead,
    row.checkpoints,
    row.steps,
    row.solveMs,
    row.claim,
    row.reason,
    row.recomputeBoundFraction,
    gapOf(row),
    row.stoppedEarly === true ? 'yes' : null,
  ]);
}

/** Distance of the recompute from the proved bound, as a share of one forward. */
const gapOf = ({ recomputeFraction, recomputeBoundFraction }: ComparedStrategy): number | null =>
  recomputeFraction === null || recomputeBoundFraction === null
    ? null
    : recomputeFraction - recomputeBoundFraction;

/** Several networks under one header line. */
export function comparisonCsv(
  networks: readonly { readonly head: ComparedHead; readonly rows: readonly ComparedStrategy[] }[],
): string {
  return csvText([COMPARISON_COLUMNS, ...networks.flatMap(({ head, rows }) => comparisonLines(head, rows))]);
}
