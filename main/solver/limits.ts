import { isFileNetwork } from '../../app/contract/opened-file.ts';
import type { LimitsEvent, LimitsRequest, StrategyLimit } from '../../app/contract/limits.ts';
import { totalParameters } from '../../engine/graph/graph.ts';
import { MAX_INPUT } from '../../engine/options/sizes.ts';
import { batchLimit } from '../../engine/limits/largest-batch.ts';
import { inputSizeOf } from '../../engine/comparison/head.ts';
import { largestInput } from '../../engine/limits/largest-input.ts';
import { peakLines } from '../../engine/limits/peak-lines.ts';
import { memoryModel } from '../../engine/ops/memory-model.ts';
import { BACKWARD, FORWARD, type Schedule } from '../../engine/schedule/schedule.ts';
import { simulate, simulateTotals, type Timeline } from '../../engine/simulate/simulate.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import type { Control } from '../../engine/strategies/strategy/strategy.ts';
import { heldAt, heldLines, type Sized } from '../../engine/training-memory/held.ts';
import type { TrainingSetup } from '../../engine/training-memory/setup.ts';
import { stationaryOf, weightsOf } from '../../engine/training-memory/weights.ts';
import { modelInfo } from '../../engine/zoo/zoo.ts';
import type { Solving } from './context.ts';
import { heldOf } from './held.ts';
import { type SolverMemory, zooGraph } from './memory.ts';

const PROGRESS_MS = 100;
/** Share of the progress for the plan, if the largest input is searched after it. */
const PLAN_SHARE = 0.5;
/** Share of the rest that remains after each tried size; the number of sizes is unknown. */
const LEFT_AFTER_A_SIZE = 0.85;
const OWN_BUDGET =
  'it needs its own budget; here the device is the budget, and strategies fill it with samples';

/**
 * The largest batch and the largest input of each strategy, with its work and its peak as a function of the batch. Each
 * plan is the one for the experiment's batch and input, as in a comparison and `zigzag fit`, so all three give the same
 * largest batch. Both limits are exact for that plan, because a schedule is valid at every size. A file has one input
 * size, so only its batch is searched.
 *
 * @throws BadInputError before the first event; CancelledError through control
 */
export function limitsEvents(request: LimitsRequest, { memory, control, emit }: Solving<LimitsEvent>): void {
  for (const name of request.strategies) strategyOf(name);
  const { graph } = memory.problem(request, 1);
  const parameters = totalParameters(graph);
  const setup = memory.setup(request);
  const stationaryBytes = stationaryOf(weightsOf(graph, setup));
  const { model, batch } = request;
  emit({
    type: 'head',
    model,
    batch,
    ...inputSizeOf(graph),
    parameters,
    stationaryBytes,
    setup,
  });

  const sizes = new Sizes(request, memory);
  let reported = performance.now();
  for (const strategy of request.strategies) {
    emit({ type: 'progress', strategy, done: 0 });
    const tick = (done: number): void => {
      control.tick(done);
      if (performance.now() - reported < PROGRESS_MS) return;
      reported = performance.now();
      emit({ type: 'progress', strategy, done: Math.min(Math.max(done, 0), 1) });
    };
    emit({ type: 'row', row: limitOf(request, strategy, setup, { tick }, memory, sizes) });
  }
}

function limitOf(
  request: LimitsRequest,
  strategy: string,
  setup: TrainingSetup,
  control: Control,
  memory: SolverMemory,
  sizes: Sizes,
): StrategyLimit {
  const { memoryBytes } = request;
  // The search builds the network at many sizes, which a file cannot do, and each stage would do for itself.
  const searchesInput =
    request.largestInput && !isFileNetwork(request.model) && request.pipeline === undefined;
  const nothing = {
    strategy,
    lines: [],
    held: [],
    batch: null,
    input: null,
    operations: 0,
    flopsPerSample: null,
  };
  if (strategyOf(strategy).reads.budgetBytes === 'needs') return { ...nothing, reason: OWN_BUDGET };
  const solved = memory.plan(
    request,
    strategy,
    searchesInput ? { tick: (done) => control.tick(PLAN_SHARE * done) } : control,
  );
  const { plan } = solved;
  if (!plan.applicable) return { ...nothing, reason: plan.reason };
  const { schedule } = plan;
  const one = sizes.atBatch(1, schedule);
  const lines = peakLines(one, sizes.atBatch(2, schedule));
  const held = heldOf(request, solved, memory);
  const hasFlops = memory.problem(request, 1).graph.flops.some((flops) => flops > 0);
  return {
    strategy,
    reason: null,
    lines,
    held,
    batch: batchLimit(lines, held, memoryBytes),
    input: searchesInput ? inputLimit(request, schedule, setup, control, sizes) : null,
    operations: schedule.kinds.reduce((n, kind) => n + Number(kind === FORWARD || kind === BACKWARD), 0),
    flopsPerSample: hasFlops ? one.forwardWork + one.recomputeWork + one.backwardWork : null,
  };
}

function inputLimit(
  request: LimitsRequest,
  schedule: Schedule,
  setup: TrainingSetup,
  control: Control,
  sizes: Sizes,
): StrategyLimit['input'] {
  const {
    minInput,
    maxInput = Number.POSITIVE_INFINITY,
    inputMultiple,
    inputUnit,
  } = modelInfo(request.model);
  const range = { least: minInput, multiple: inputMultiple, most: Math.min(maxInput, MAX_INPUT) };
  let left = 1 - PLAN_SHARE;
  const found = largestInput(range, request.memoryBytes, (side) => {
    control.tick(1 - left);
    left *= LEFT_AFTER_A_SIZE;
    const sized = sizes.atInput(side);
    return heldAt(heldLines(sized, sized, schedule, setup), 1, 0).totalBytes;
  });
  const capped = found.capped && maxInput > MAX_INPUT;
  const { graph, memory } = sizes.atInput(found.input === 0 ? range.least : found.input);
  const peakBytes = found.input === 0 ? null : simulateTotals(graph, memory, schedule).peakBytes;
  return { ...found, peakBytes, capped, ...(inputUnit === undefined ? {} : { unit: inputUnit }) };
}

/** Graphs at the sizes that a search tries: too many for the cache that screens use. */
class Sizes {
  readonly #request: LimitsRequest;
  readonly #memory: SolverMemory;
  readonly #tried = new Map<number, Sized>();

  constructor(request: LimitsRequest, memory: SolverMemory) {
    this.#request = request;
    this.#memory = memory;
  }

  /** At the experiment's input. */
  atBatch(batch: number, schedule: Schedule): Timeline {
    const { graph, memory } = this.#memory.problem(this.#request, batch);
    return simulate(graph, memory, schedule);
  }

  /** At the experiment's batch. */
  atInput(input: number): Sized {
    const { batch, profile } = this.#request;
    let sized = this.#tried.get(input);
    if (sized === undefined) {
      const graph = zooGraph(this.#request, batch, input);
      sized = { graph, memory: memoryModel(graph, profile) };
      this.#tried.set(input, sized);
    }
    return sized;
  }
}
