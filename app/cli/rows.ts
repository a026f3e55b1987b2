import { comparisonHead, type ComparisonHead } from '../../engine/comparison/head.ts';
import { solveRow, type StrategyRow } from '../../engine/strategies/solve.ts';
import type { StrategyOptions } from '../../engine/strategies/strategy.ts';
import { claimText } from '../report/claims.ts';
import type { CostsOrigin, LoadedNetwork } from './load.ts';

/** One row of `solve`/`compare --json` (DESIGN section 8). */
export type JsonRow = Omit<StrategyRow, 'claim' | 'schedule' | 'timeline'> & {
  readonly claim: string | null;
  readonly solveMs: number;
  /** With measured costs, in place of the FLOPs, which are null. */
  readonly forwardMs?: number | null;
  readonly recomputeMs?: number | null;
};

export interface SolvedRow {
  readonly json: JsonRow;
  readonly solved: StrategyRow;
}

/** Solves one strategy and times it; the engine itself has no clock. */
export function solveTimed(network: LoadedNetwork, strategy: string, options: StrategyOptions): SolvedRow {
  const start = performance.now();
  const solved = solveRow(network.problem, strategy, options);
  const row = timedRow(solved, performance.now() - start);
  return network.costs === undefined ? row : { ...row, json: withTimes(row.json) };
}

/** What a timed graph calls FLOPs are nanoseconds. */
function withTimes(row: JsonRow): JsonRow {
  const ms = (nanoseconds: number | null): number | null => (nanoseconds === null ? null : nanoseconds / 1e6);
  return {
    ...row,
    forwardFlops: null,
    recomputeFlops: null,
    forwardMs: ms(row.forwardFlops),
    recomputeMs: ms(row.recomputeFlops),
  };
}

export function timedRow(solved: StrategyRow, solveMs: number): SolvedRow {
  const { schedule: _schedule, timeline: _timeline, ...figures } = solved;
  return {
    json: { ...figures, claim: claimText(solved), solveMs: Math.round(solveMs * 1000) / 1000 },
    solved,
  };
}

export type JsonHead = ComparisonHead & { readonly costs?: CostsOrigin };

export function headOf({ problem, model, batch, input, costs }: LoadedNetwork): JsonHead {
  return {
    ...comparisonHead(problem, { model, batch, input }),
    ...(costs === undefined ? {} : { costs }),
  };
}

/** What overheads are predicted by, for people. */
export function costsText({ backend, device, batch, input }: CostsOrigin): string {
  return `times of ${backend} on ${device}, measured at batch ${batch}, input ${input}`;
}
