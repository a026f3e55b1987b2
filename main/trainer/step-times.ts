import type { OperationTimes } from '../../engine/graph/timed-graph.ts';
import { oneLevelSchedule } from '../../engine/schedule/one-level.ts';
import { BACKWARD, FORWARD, type Schedule } from '../../engine/schedule/schedule.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import type { OpenBackend } from './backends/backend.ts';
import type { BatchSource } from './data/batch.ts';
import { Executor } from './executor.ts';
import { quantile } from './paired.ts';
import { ParameterStore } from './parameter-store.ts';
import type { Progress } from './progress.ts';
import { supervised, type Supervision } from './supervision.ts';

/** Medians over iterations. */
export interface StepTimes extends OperationTimes {
  /** Number of iterations behind the medians. */
  readonly iterations: number;
}

export interface StepTimeOptions {
  /** Counted iterations, after one warm-up iteration. */
  readonly iterations: number;
  /** Stops after this time, but not before three iterations. */
  readonly enoughMs?: number;
  /** The schedule to execute; by default every forward runs twice. */
  readonly schedule?: Schedule;
  readonly seed: number;
  /** Clock in milliseconds, the wall clock by default; on a busy machine processor time is better. */
  readonly now?: () => number;
  readonly supervision?: Supervision;
  readonly progress?: Progress;
}

const LEAST_ITERATIONS = 3;
const WARM_UP = 1;

/**
 * Times every kernel of a network on a device. With a queue, each step is waited for, and the time to wait for an empty
 * queue is subtracted.
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
  const { schedule = everythingTwice(problem), supervision = supervised(), progress } = options;
  const { gate } = supervision;
  const roles = rolesOf(schedule, graph.size);
  const lists = (): number[][] => Array.from({ length: graph.size }, () => []);
  const samples = { firstMs: lists(), againMs: lists(), backwardMs: lists() };
  const store = new ParameterStore(graph, options.seed);
  const executor = new Executor({ problem, schedule, store, seed: options.seed, backend, supervision });
  let iterations = 0;
  let waitMs = 0;
  try {
    waitMs = await emptyQueueMs(backend);
    let began = gate.now();
    progress?.begin('warm-up', WARM_UP);
    for (let i = 0; iterations < options.iterations; i++) {
      if (i === WARM_UP) {
        began = gate.now();
        progress?.begin('costs', options.iterations);
      }
      await executor.step(data.batch(i), i, {
        onShare: (share) => progress?.at(iterations + share),
        ...(options.now === undefined ? {} : { now: options.now }),
        onTime: (step, ms) => {
          const role = roles[step] ?? null;
          if (i < WARM_UP || role === null) return;
          samples[role][schedule.vertices[step] ?? 0]?.push(Math.max(0, ms - waitMs));
        },
      });
      // Changes the parameters: backends cache packed copies of unchanged ones.
      store.descend({ learningRate: 1e-4, momentum: 0.9 });
      if (i >= WARM_UP) iterations++;
      if (iterations >= LEAST_ITERATIONS && gate.now() - began > (options.enoughMs ?? Infinity)) break;
    }
  } finally {
    store.dispose();
  }
  const medians = (role: Role): Float64Array =>
    Float64Array.from(samples[role], (values) => quantile(values, 0.5));
  const firstMs = medians('firstMs');
  // A repeated step takes the same time, and is slower only by chance.
  const againMs = medians('againMs').map((ms, v) =>
    samples.againMs[v]?.length === 0 ? (firstMs[v] ?? 0) : Math.min(ms, firstMs[v] ?? 0),
  );
  return { firstMs, againMs, backwardMs: medians('backwardMs'), iterations };
}

type Role = 'firstMs' | 'againMs' | 'backwardMs';

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

/** Median time of a wait for an empty queue. */
async function emptyQueueMs({ finish }: OpenBackend): Promise<number> {
  if (finish === undefined) return 0;
  const times: number[] = [];
  for (let i = 0; i < 15; i++) {
    const began = performance.now();
    await finish();
    times.push(performance.now() - began);
  }
  return quantile(times, 0.5);
}

export function everythingTwice({ graph, memory }: Problem): Schedule {
  const all = Array.from({ length: graph.size - 1 }, (_vertex, i) => i + 1);
  const plan = { segments: [all], kept: new Uint8Array(graph.size), recomputeLast: true };
  return oneLevelSchedule(graph, memory, plan);
}

function rolesOf(schedule: Schedule, size: number): (Role | null)[] {
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
