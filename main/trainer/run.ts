import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { CancelledError } from '../../engine/errors.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import type { Shape } from '../../engine/ops/definition.ts';
import type { MilpSolver } from '../../engine/strategies/milp/milp-solver.ts';
import type { Backend } from './backends/backend.ts';
import { chooseBackend } from './backends/choose.ts';
import { measureCosts } from './costs.ts';
import type { BatchSource } from './data/batch.ts';
import { syntheticData } from './data/synthetic-data.ts';
import { typedError } from './errors.ts';
import { execute } from './execute.ts';
import { Progress } from './progress.ts';
import type { MeasurementContext } from './measurement-context.ts';
import type { MemoryLimit } from './memory-limit.ts';
import type { Supervision } from './supervision.ts';
import { createTask, planWork, requireFitsAll } from './task.ts';

/** The parts of a run that do not travel with a request. */
export interface TrainingOptions {
  /** Backends that this process can open, in the order of preference. */
  readonly backends: readonly Backend[];
  /** Source of batches for an input and logits of these shapes; synthetic data if absent. */
  readonly data?: (source: Shape, target: Shape, seed: number) => BatchSource;
  /** Solver of the strategy `milp`, which does not apply without it. */
  readonly milpSolver?: () => Promise<MilpSolver>;
}

/**
 * A whole training run: builds the network, solves the strategy under profile `tfjs`, opens a backend and executes the
 * schedule once an iteration. Always emits `start`, `steps` and `iteration` for every iteration, and `done`. On request
 * emits `costs`, `overhead` after every pair, and `difference`. Long phases emit `progress`. Leaves nothing on the
 * device, on failure too.
 *
 * @throws BadInputError, InfeasibleError, OutOfMemoryError; CancelledError at the next step after an abort
 */
export async function runTraining(
  request: TrainRequest,
  emit: (event: TrainEvent) => void,
  supervision: Supervision,
  options: TrainingOptions,
): Promise<void> {
  const task = await createTask(request, supervision, options.milpSolver);
  const cap: MemoryLimit = { limitBytes: request.memoryCapBytes ?? null, whose: 'the cap' };
  const byFlops = planWork(task);
  requireFitsAll(byFlops, task, cap);
  const chosen = await chooseBackend(request.backend, options.backends);
  const { backend } = chosen;
  try {
    if (supervision.signal.aborted) throw new CancelledError();
    const limit: MemoryLimit = {
      limitBytes: backend.memory().limitBytes,
      whose: `the ${backend.name} backend`,
    };
    requireFitsAll(byFlops, task, limit);
    const { seed } = request;
    const progress = new Progress(emit, () => supervision.gate.now());
    const dataOf = (graph: Graph): BatchSource => {
      const [source = [], target = []] = [graph.shapes[0], graph.shapes.at(-1)];
      return options.data?.(source, target, seed) ?? syntheticData(graph, seed);
    };
    const context: MeasurementContext = { backend, seed, supervision, progress, dataOf };
    if (request.measuredCosts !== true) {
      await execute({ task, work: byFlops, times: null, context, chosen, cap, emit });
      return;
    }
    const availableBytes = leastOf(cap, limit) - task.stationaryBytes;
    const times = await measureCosts(task.problem, context, availableBytes, byFlops.main.schedule);
    emit({
      event: 'costs',
      iterations: times.iterations,
      forwardMs: [...times.againMs],
      firstForwardMs: [...times.firstMs],
      backwardMs: [...times.backwardMs],
    });
    const byTimes = planWork(task, times);
    requireFitsAll(byTimes, task, cap);
    requireFitsAll(byTimes, task, limit);
    await execute({ task, work: byTimes, times, context, chosen, cap, emit });
  } catch (error) {
    throw typedError((await backend.explain?.(error)) ?? error);
  } finally {
    backend.close();
  }
}

function leastOf(...limits: readonly MemoryLimit[]): number {
  return Math.min(...limits.map(({ limitBytes }) => limitBytes ?? Number.POSITIVE_INFINITY));
}
