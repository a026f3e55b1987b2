import loadHighs, { type Highs, type InterruptCallbackEvent, type ModelData } from 'highs';
import type { LpSolver } from '../../engine/bounds/lp-solver.ts';
import {
  type MilpModel,
  type MilpRequest,
  type MilpResult,
  type MilpSolver,
  MilpSolverError,
} from '../../engine/strategies/milp/milp-solver.ts';

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
          request.onProgress(progress);
        } catch (error) {
          stopped = { error };
          throw error;
        }
      },
    });
  } catch (error) {
    // What the caller threw comes out as it was.
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
    let bound = Number.NEGATIVE_INFINITY;
    let thrown: { readonly error: unknown } | null = null;
    const ask = ({ data, interrupt }: InterruptCallbackEvent): undefined => {
      bound = data.mip_dual_bound ?? bound;
      try {
        const best = data.mip_primal_bound ?? Number.POSITIVE_INFINITY;
        request.onProgress({ seconds: data.running_time ?? 0, best, bound });
      } catch (error) {
        // An error must not cross the WebAssembly frames below us: stop first, throw afterwards.
        thrown ??= { error };
        interrupt();
      }
      return undefined;
    };
    // Without integer columns it is the simplex method that asks.
    const isLinear = model.integer.every((flag) => flag === 0);
    native.run({ [isLinear ? callbackType.simplexInterrupt : callbackType.mipInterrupt]: ask });
    const failure = thrown as { readonly error: unknown } | null;
    if (failure !== null) throw failure.error;
    const status = native.getModelStatus();
    if (status === modelStatus.infeasible)
      return { status: 'infeasible', bound: Number.POSITIVE_INFINITY, values: null };
    if (status !== modelStatus.optimal && status !== modelStatus.timeLimit) {
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
