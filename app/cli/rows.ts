import { comparisonHead, type ComparisonHead } from '../../engine/comparison/head.ts';
import { solveRow, type StrategyRow } from '../../engine/strategies/solve.ts';
import type { StrategyOptions } from '../../engine/strategies/strategy.ts';
import type { LoadedNetwork } from './load.ts';

/** One row of `solve`/`compare --json` (DESIGN section 8). */
export type JsonRow = Omit<StrategyRow, 'schedule' | 'timeline'> & { readonly solveMs: number };

export interface SolvedRow {
  readonly json: JsonRow;
  readonly solved: StrategyRow;
}

/** Solves one strategy and times it; the engine itself has no clock. */
export function solveTimed(network: LoadedNetwork, strategy: string, options: StrategyOptions): SolvedRow {
  const start = performance.now();
  const solved = solveRow(network.problem, strategy, options);
  return timedRow(solved, performance.now() - start);
}

export function timedRow(solved: StrategyRow, solveMs: number): SolvedRow {
  const { schedule: _schedule, timeline: _timeline, ...figures } = solved;
  return { json: { ...figures, solveMs: Math.round(solveMs * 1000) / 1000 }, solved };
}

export function headOf(network: LoadedNetwork): ComparisonHead {
  const { problem, model, batch, input } = network;
  return comparisonHead(problem, { model, batch, input });
}
