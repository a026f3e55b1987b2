import { linkedDeviceOf } from '../../app/contract/link.ts';
import type { TrainRequest } from '../../app/contract/training.ts';
import { CancelledError } from '../../engine/errors.ts';
import { parseJson, readGraphDocument } from '../../engine/exchange/graph-file.ts';
import { parsePlanFile } from '../../engine/exchange/read-plan.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { createProblem } from '../../engine/problem.ts';
import type { MilpSolver } from '../../engine/strategies/milp/milp-solver.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import type { Control, Problem } from '../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { solveByCosts } from './costs.ts';
import { differenceBatches, sized, type SizedProblem } from './difference.ts';
import { stationaryBytesOf } from './parameter-store.ts';
import { predict, type Prediction } from './prediction.ts';
import { type MemoryLimit, requireFits } from './memory-limit.ts';
import type { StepTimes } from './step-times.ts';
import type { Supervision } from './supervision.ts';

/** A parsed request: its network under profile `tfjs`, and how its strategies are solved. */
export interface Task {
  readonly request: TrainRequest;
  readonly problem: Problem;
  readonly stationaryBytes: number;
  /** The same network at another batch size. */
  build(batch: number): Graph;
  /** @throws errors of `predict`; CancelledError after an abort */
  solve(strategy: string, costs?: StepTimes): Prediction;
}

/** Everything that a run will execute, solved before it starts. */
export interface Work {
  readonly main: Prediction;
  /** Baseline schedule of the pairs; null without pairs. */
  readonly regular: Prediction | null;
  /** The two batches of the requested difference. */
  readonly sizes: readonly [SizedProblem, SizedProblem] | null;
}

/** @throws BadInputError for an unknown network or size */
export async function createTask(
  request: TrainRequest,
  supervision: Supervision,
  milpSolver?: () => Promise<MilpSolver>,
): Promise<Task> {
  const { model, input, dropout, plan } = request;
  const document = request.graph === undefined ? undefined : parseJson(request.graph);
  const build = (batch: number): Graph =>
    document !== undefined
      ? readGraphDocument(document, { batch })
      : buildModel(model, { batch, input, dropout });
  const graph = build(request.batch);
  const problem = createProblem(graph, 'tfjs');
  const needsMilp = strategyOf(request.strategy).needsMilpSolver === true;
  // If it cannot be loaded, the strategy reports that.
  const solver = needsMilp ? await milpSolver?.().catch(() => undefined) : undefined;
  const options = {
    ...request,
    plan: plan === undefined ? undefined : parsePlanFile(plan),
    link: linkedDeviceOf(request),
    milpSolver: solver,
  };
  return {
    request,
    problem,
    stationaryBytes: stationaryBytesOf(graph),
    build,
    solve(strategy, costs) {
      const control = controlOf(supervision);
      return costs === undefined
        ? predict(problem, strategy, options, control)
        : solveByCosts(problem, costs, (timed) => predict(timed, strategy, options, control));
    },
  };
}

/** @param costs costs to minimise instead of FLOPs */
export function planWork(task: Task, costs?: StepTimes): Work {
  const { strategy, batch, pairs, batchDifference } = task.request;
  const main = task.solve(strategy, costs);
  const [small, large] = differenceBatches(batch);
  return {
    main,
    regular: pairs === undefined ? null : task.solve('regular'),
    sizes:
      batchDifference === true
        ? [sized(task.build(small), small, main.schedule), sized(task.build(large), large, main.schedule)]
        : null,
  };
}

/** Checks that all work fits before it starts. @throws OutOfMemoryError naming what does not fit */
export function requireFitsAll(
  { main, regular, sizes }: Work,
  { stationaryBytes }: Task,
  limit: MemoryLimit,
): void {
  requireFits(stationaryBytes + main.timeline.peakBytes, limit);
  if (regular !== null) {
    // Regular training often exceeds the limit: that may be why another strategy was chosen.
    const step = 'one regular step, against which pairs measure,';
    requireFits(stationaryBytes + regular.timeline.peakBytes, limit, step);
  }
  if (sizes !== null) {
    const step = `one step of batch ${sizes[1].batch}, for the difference of two batch sizes,`;
    requireFits(stationaryBytes + sizes[1].peakBytes, limit, step);
  }
}

/** Longest time that a strategy runs without progress. */
const SOLVING_MS = 180_000;
const ANNOUNCE_EVERY_MS = 10_000;

/** Lets the engine check for a cancel. A solver counts as alive while its progress grows. */
function controlOf({ signal, announce }: Supervision): Control {
  let announced = performance.now();
  let most = 0;
  return {
    tick(done) {
      if (signal.aborted) throw new CancelledError();
      if (done <= most || performance.now() - announced < ANNOUNCE_EVERY_MS) return;
      most = done;
      announced = performance.now();
      announce(SOLVING_MS);
    },
  };
}
