import type { MilpModel } from '../strategies/milp/milp-solver.ts';

/** As good as a linear program's solution is after some iterations; the caller checks what it proves. */
export interface LpAnswer {
  /** By column. */
  readonly values: Float64Array;
  /** By row; not positive where a limit from above binds. */
  readonly duals: Float64Array;
}

/** Solves the program with some columns fixed; null where there is no answer. It goes on from the solution before. */
export type LpSolve = (fixed: ReadonlyMap<number, number>) => LpAnswer | null;

/** The engine has no solver of its own: code that runs it injects one (app/bridges/highs.ts). */
export interface LpSolver {
  /** A linear program (integer columns taken as continuous) for as long as `use` runs. */
  withProgram<T>(model: MilpModel, mostIterations: number, use: (solve: LpSolve) => T): T;
}
