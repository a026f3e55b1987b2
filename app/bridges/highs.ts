import loadHighs, { type Highs, type InterruptCallbackEvent, type ModelData } from 'highs';
import type { LpSolver } from '../../engine/bounds/lp-solver.ts';
import {
  type MilpModel,
  type MilpRequest,
  type MilpResult,
  type MilpSolver,
  MilpSolverError,
} from '../../engine/strategies/milp/milp-solver.ts';

/** Rows and columns that the simplex method passes in a second, each as often as it iterates; measured on five networks. */
const SIMPLEX_PER_SECOND = 3e8;
/** The same of iterations for integer columns, where cuts, probing and heuristics between them take most. */
const MIP_ITERATIONS_PER_SECOND = 1000;

/**
 * Loads the WebAssembly build of HiGHS; some 60 ms, once.
 * @throws Error where there is no WebAssembly, or no memory for it
 */
export async function createHighsSolver(): Promise<MilpSolver> {
  const highs = await loadHighs();
  return { solve: (model, request) => solve(highs, model, request) };
}

/** The same for the multipliers of linear programs. @throws Error as createHighsSolver */
export async function createHighsLpSolver(): Promise<LpSolver> {
  const highs = await loadHighs();
  return {
    withProgram: (model, mostIterations, use) =>
      highs.withModel(modelData(highs, model), (native) => {
        native.options.set({ output_flag: false, random_seed: 0, simplex_iteration_limit: mostIterations });
        let before: ReadonlyMap<number, number> = new Map();
        return use((fixed) => {
          for (const column of before.keys())
            native.changeColBounds(column, model.lower[column]!, model.upper[column]!);
          for (const [column, value] of fixed) native.changeColBounds(column, value, value);
          before = fixed;
          native.run();
          const { colValue, rowDual } = native.getSolution();
          if (colValue.length !== model.columns || rowDual.length !== model.rows) return null;
          return { values: Float64Array.from(colValue), duals: Float64Array.from(rowDual) };
        });
      }),
  };
}

/** Whatever HiGHS throws, which is an Error, a number or a text, depending on where it ended. */
function failed(error: unknown): MilpSolverError {
  const message = error instanceof Error ? error.message : String(error);
  return new MilpSolverError(`HiGHS: ${message.split('\n', 1)[0]}`);
}

/** Runs synchronously to the end, the time limit, or an error thrown by `onProgress`. */
function solve(highs: Highs, model: MilpModel, request: MilpRequest): MilpResult {
  let stopped: { readonly error: unknown } | null = null;
  try {
    return solved(highs, model, {
      ...request,
      onProgress(progress) {
        try {
          return request.onProgress(progress);
        } catch (error) {
          stopped = { error };
          throw error;
        }
      },
    });
  } catch (error) {
    // An error that the caller threw is passed on unchanged.
    throw stopped === null ? failed(error) : error;
  }
}

function solved(highs: Highs, model: MilpModel, request: MilpRequest): MilpResult {
  const { modelStatus, callbackType, solutionStatus } = highs.constants;
  return highs.withModel(modelData(highs, model), (native): MilpResult => {
    native.options.set({
      output_flag: false,
      time_limit: request.limitSeconds,
      mip_rel_gap: 0,
      mip_abs_gap: request.tolerance,
      random_seed: 0,
    });
    // Without integer columns it is the simplex method that asks.
    const isLinear = model.integer.every((flag) => flag === 0);
    const perSecond = isLinear
      ? SIMPLEX_PER_SECOND / (model.rows + model.columns)
      : MIP_ITERATIONS_PER_SECOND;
    let bound = Number.NEGATIVE_INFINITY;
    let [iterations, isStopped] = [0, false];
    let thrown: { readonly error: unknown } | null = null;
    const ask = ({ data, interrupt }: InterruptCallbackEvent): undefined => {
      bound = data.mip_dual_bound ?? bound;
      const now = Number((isLinear ? data.simplex_iteration_count : data.mip_total_lp_iterations) ?? 0);
      // A solver that begins again counts from 0.
      const work = (now < iterations ? now : now - iterations) / perSecond;
      iterations = now;
      try {
        const best = data.mip_primal_bound ?? Number.POSITIVE_INFINITY;
        isStopped = request.onProgress({ work, best, bound });
      } catch (error) {
        // An error must not cross the WebAssembly frames below us: stop first, throw afterwards.
        thrown ??= { error };
      }
      if (isStopped || thrown !== null) interrupt();
      return undefined;
    };
    native.run({ [isLinear ? callbackType.simplexInterrupt : callbackType.mipInterrupt]: ask });
    const failure = thrown as { readonly error: unknown } | null;
    if (failure !== null) throw failure.error;
    const status = native.getModelStatus();
    if (status === modelStatus.infeasible)
      return { status: 'infeasible', bound: Number.POSITIVE_INFINITY, values: null };
    const isEnded = status === modelStatus.timeLimit || isStopped;
    if (status !== modelStatus.optimal && !isEnded) {
      throw new Error(`it ended with the model status ${status}`);
    }
    const hasSolution = native.info.get('primal_solution_status') === solutionStatus.feasible;
    return {
      status: status === modelStatus.optimal ? 'optimal' : 'stopped',
      bound: status === modelStatus.optimal ? native.getObjectiveValue() : bound,
      values: hasSolution ? Float64Array.from(native.getSolution().colValue) : null,
    };
  });
}

function modelData(highs: Highs, model: MilpModel): ModelData {
  const { variableType } = highs.constants;
  const finite = (bounds: Float64Array): Float64Array =>
    bounds.map((bound) => (Number.isFinite(bound) ? bound : Math.sign(bound) * highs.infinity));
  return {
    numCols: model.columns,
    numRows: model.rows,
    colCost: model.cost,
    colLower: finite(model.lower),
    colUpper: finite(model.upper),
    rowLower: finite(model.rowLower),
    rowUpper: finite(model.rowUpper),
    integrality: Array.from(model.integer, (flag) =>
      flag === 1 ? variableType.integer : variableType.continuous,
    ),
    matrix: {
      format: 'csr',
      numCols: model.columns,
      numRows: model.rows,
      starts: model.starts,
      indices: model.indices,
      values: model.values,
    },
  };
}
