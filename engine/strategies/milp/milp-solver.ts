/**
 * Minimise cost . x subject to rowLower <= A x <= rowUpper and lower <= x <= upper, x integer where marked.
 * A by rows: row i has values[starts[i] .. starts[i+1]) at columns indices[...].
 */
export interface MilpModel {
  readonly columns: number;
  readonly rows: number;
  readonly cost: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** 1 for integer columns. */
  readonly integer: Uint8Array;
  readonly starts: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
  readonly rowLower: Float64Array;
  readonly rowUpper: Float64Array;
}

export interface MilpProgress {
  /** Work since the last call, in seconds of an idle core: the same for the same model on every machine. */
  readonly work: number;
  /** Cost of the best solution so far; infinite if none exists. */
  readonly best: number;
  /** No solution costs less than this. */
  readonly bound: number;
}

export interface MilpRequest {
  readonly limitSeconds: number;
  /** Stop when the best solution is this close to the bound, in units of the cost. */
  readonly tolerance: number;
  /** Called now and then; true stops the solver, and what it throws does and comes out of `solve`. */
  readonly onProgress: (progress: MilpProgress) => boolean;
}

export interface MilpResult {
  /** `stopped`: the time limit or the caller came first; there may be values all the same. */
  readonly status: 'optimal' | 'infeasible' | 'stopped';
  readonly bound: number;
  readonly values: Float64Array | null;
}

/** The solver itself failed, as where its memory cannot grow. The message says how, in a few words. */
export class MilpSolverError extends Error {
  override readonly name = 'MilpSolverError';
}

/** Reason of a strategy that lacks a solver. */
export const NO_SOLVER = 'no MILP solver is loaded here';

/** The engine has no solver of its own: its caller injects one (app/bridges/highs.ts). */
export interface MilpSolver {
  /** @throws MilpSolverError, and what `onProgress` throws */
  solve(model: MilpModel, request: MilpRequest): MilpResult;
}
