import { STATIONARY_COPIES } from '../comparison/head.ts';
import { InfeasibleError } from '../errors.ts';
import { type Graph, totalParameters } from '../graph/graph.ts';
import type { Profile } from '../ops/operation.ts';
import { createProblem } from '../problem.ts';
import { simulate } from '../simulate/simulate.ts';
import { strategyOf } from '../strategies/registry.ts';
import { NO_CONTROL, type StrategyOptions } from '../strategies/strategy.ts';
import { buildModel, MAX_BATCH } from '../zoo/zoo.ts';
import { type ByteLine, batchWithin, peakAt, peakLines } from './peak-lines.ts';

export interface LimitsRequest {
  /** Builds the network in place of the zoo, for one that comes from a file. */
  readonly graphAt?: (batch: number) => Graph;
  readonly model: string;
  readonly input?: number;
  readonly dropout?: number;
  readonly profile: Profile;
  /** What the device has for the step and what is stationary together. */
  readonly memoryBytes: number;
}

/** The largest batch of one strategy; batch 0 where not even one sample fits. Bytes. */
export interface BatchLimit {
  readonly strategy: string;
  readonly applicable: boolean;
  readonly reason: string | null;
  readonly batch: number;
  /** Whether the limit is the largest batch that the zoo builds rather than the memory. */
  readonly capped: boolean;
  /** Live bytes of a step at that batch. */
  readonly peakBytes: number | null;
  readonly stationaryBytes: number;
  /** What a batch of one needs, so that "does not fit" says how much is missing. */
  readonly leastBytes: number | null;
}

/**
 * The largest batch whose training step fits into a memory, under the plan that a strategy makes for a
 * batch of one (plans hardly depend on the batch: all but batch statistics grow with it). Exact for that
 * plan: the live bytes of every step are an affine function of the batch, so the limit of each step is a
 * division and the smallest decides. Time of the plan + two simulations.
 *
 * @throws BadInputError for an unknown network or strategy
 */
export function largestBatch(request: LimitsRequest, strategy: string, options: StrategyOptions): BatchLimit {
  const [one, two] = [1, 2].map((batch) => createProblem(build(request, batch), request.profile)) as [
    ReturnType<typeof createProblem>,
    ReturnType<typeof createProblem>,
  ];
  const stationaryBytes = STATIONARY_COPIES * totalParameters(one.graph) * one.graph.bytesPerElement;
  const nothing = { strategy, batch: 0, capped: false, peakBytes: null, stationaryBytes, leastBytes: null };
  const plan = planOrReason(() => strategyOf(strategy).plan(one, options, NO_CONTROL));
  if (!plan.applicable) return { ...nothing, applicable: false, reason: plan.reason };

  const lines = peakLines(
    simulate(one.graph, one.memory, plan.schedule),
    simulate(two.graph, two.memory, plan.schedule),
  );
  const applicable = { ...nothing, applicable: true, reason: null };
  return { ...applicable, ...batchLimit(lines, request.memoryBytes, stationaryBytes) };
}

/** The largest batch of a schedule whose peak is given as lines, in a memory that also holds `stationaryBytes`. */
export function batchLimit(
  lines: readonly ByteLine[],
  memoryBytes: number,
  stationaryBytes: number,
): Pick<BatchLimit, 'batch' | 'capped' | 'peakBytes' | 'leastBytes'> {
  const batch = batchWithin(lines, memoryBytes - stationaryBytes, MAX_BATCH);
  return {
    batch,
    capped: batch === MAX_BATCH,
    peakBytes: batch === 0 ? null : peakAt(lines, batch),
    leastBytes: stationaryBytes + peakAt(lines, 1),
  };
}

function build(request: LimitsRequest, batch: number): Graph {
  const { model, input, dropout, graphAt } = request;
  if (graphAt !== undefined) return graphAt(batch);
  return buildModel(model, {
    batch,
    ...(input === undefined ? {} : { input }),
    ...(dropout === undefined ? {} : { dropout }),
  });
}

/** A budget that cannot be met is a reason of one row. */
function planOrReason<T>(make: () => T): T | { readonly applicable: false; readonly reason: string } {
  try {
    return make();
  } catch (error) {
    if (error instanceof InfeasibleError) return { applicable: false, reason: error.message };
    throw error;
  }
}
