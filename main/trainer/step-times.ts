import type { Graph } from '../../engine/graph/graph.ts';
import { oneLevelSchedule } from '../../engine/schedule/one-level.ts';
import { BACKWARD, FORWARD, type Schedule } from '../../engine/schedule/schedule.ts';
import type { Problem } from '../../engine/strategies/strategy.ts';
import type { OpenBackend } from './backends/backend.ts';
import type { BatchSource } from './data/batch.ts';
import { Executor } from './executor.ts';
import { quantile } from './paired.ts';
import { ParameterStore } from './parameter-store.ts';

/** Milliseconds on a device, medians over iterations, indexed by vertex. */
export interface StepTimes {
  /** The first forward of a step, which may have to pack new parameters. */
  readonly firstMs: Float64Array;
  /** Any further forward. */
  readonly againMs: Float64Array;
  readonly backwardMs: Float64Array;
}

export interface StepTimeOptions {
  /** Iterations that count; one more comes before. */
  readonly iterations: number;
  readonly seed: number;
  readonly signal?: AbortSignal;
}

/**
 * Times every kernel of a network on a device, by a schedule that forwards everything twice.
 * Only for backends whose kernels run when they are called (see `StepOptions.onTime`).
 *
 * @throws CancelledError, OutOfMemoryError
 */
export async function measureStepTimes(
  problem: Problem,
  data: BatchSource,
  backend: OpenBackend,
  options: StepTimeOptions,
): Promise<StepTimes> {
  const { graph } = problem;
  const schedule = everythingTwice(problem);
  const roles = rolesOf(schedule, graph.size);
  const samples = Array.from({ length: schedule.kinds.length }, (): number[] => []);
  const store = new ParameterStore(graph, options.seed);
  const executor = new Executor({
    problem,
    schedule,
    store,
    seed: options.seed,
    check: () => backend.check(),
  });
  try {
    for (let iteration = 0; iteration <= options.iterations; iteration++) {
      await executor.step(data.batch(iteration), iteration, {
        ...(options.signal === undefined ? {} : { signal: options.signal }),
        onTime: (step, ms) => {
          if (iteration > 0) samples[step]?.push(ms);
        },
      });
      store.descend({ learningRate: 1e-4, momentum: 0.9 });
    }
  } finally {
    store.dispose();
  }
  const times = {
    firstMs: new Float64Array(graph.size),
    againMs: new Float64Array(graph.size),
    backwardMs: new Float64Array(graph.size),
  };
  for (const [t, role] of roles.entries()) {
    if (role !== null) times[role][schedule.vertices[t] ?? 0]! += quantile(samples[t] ?? [], 0.5);
  }
  const again = new Set(roles.flatMap((role, t) => (role === 'againMs' ? [schedule.vertices[t]] : [])));
  for (let v = 1; v < graph.size; v++) {
    // What no backward needs is forwarded once here, and a repetition is slower only by chance.
    const first = times.firstMs[v] ?? 0;
    times.againMs[v] = again.has(v) ? Math.min(first, times.againMs[v] ?? 0) : first;
  }
  return times;
}

/** Predicted time overhead of a schedule by measured times: a share of 1. */
export function overheadByTimes(schedule: Schedule, times: StepTimes): number {
  const roles = rolesOf(schedule, times.firstMs.length);
  let regular = 0;
  let extra = 0;
  for (const [t, role] of roles.entries()) {
    if (role === null) continue;
    const ms = times[role][schedule.vertices[t] ?? 0] ?? 0;
    if (role === 'againMs') extra += ms;
    else regular += ms;
  }
  return regular > 0 ? extra / regular : 0;
}

/**
 * The same network with measured nanoseconds in place of FLOPs, so that strategies minimise recompute
 * time on this device. What only the first forward costs counts as backward, which is not recomputed either.
 */
export function timedGraph(graph: Graph, times: StepTimes): Graph {
  const nanoseconds = (ms: number): number => Math.max(0, Math.round(1e6 * ms));
  return {
    ...graph,
    flops: times.againMs.map(nanoseconds),
    backwardFlops: times.backwardMs.map((ms, v) =>
      nanoseconds(ms + (times.firstMs[v] ?? 0) - (times.againMs[v] ?? 0)),
    ),
  };
}

function everythingTwice({ graph, memory }: Problem): Schedule {
  const all = Array.from({ length: graph.size - 1 }, (_vertex, i) => i + 1);
  const plan = { segments: [all], kept: new Uint8Array(graph.size), recomputeLast: true };
  return oneLevelSchedule(graph, memory, plan);
}

function rolesOf(schedule: Schedule, size: number): (keyof StepTimes | null)[] {
  const forwarded = new Uint8Array(size);
  return Array.from(schedule.kinds, (kind, t) => {
    const v = schedule.vertices[t] ?? 0;
    if (kind === BACKWARD) return 'backwardMs';
    if (kind !== FORWARD) return null;
    if (forwarded[v] === 1) return 'againMs';
    forwarded[v] = 1;
    return 'firstMs';
  });
}
