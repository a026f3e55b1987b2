import type { Graph } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import { BACKWARD, type Schedule } from '../schedule/schedule.ts';
import { simulate } from '../simulate/simulate.ts';
import type { Problem } from '../strategies/strategy.ts';

/** The CUDA allocator of PyTorch counts a tensor as a multiple of this many bytes. */
const ALLOCATOR_BYTES = 512;

/** Peaks of one schedule, each with one thing more of what the authors' program counts. Bytes. */
export interface ProtocolPeaks {
  /** As the simulator says: activations, their gradients, auxiliaries, the source. */
  readonly simulated: number;
  /** Every tensor as large as the allocator counts it. */
  readonly rounded: number;
  /** And the new gradient of a vertex's weights, which its backward makes beside the accumulated one. */
  readonly withWeightGradients: number;
}

/**
 * What the authors' program measures of a schedule, as far as it can be computed. It clears no gradient between its
 * iterations, so backward of a vertex makes a new gradient of its weights, which is added to the old one and released.
 * Workspace of cuDNN is not in it. Time O(steps + uses).
 *
 * @throws ScheduleError as `simulate`
 */
export function protocolPeaks(
  { graph, memory }: Pick<Problem, 'graph' | 'memory'>,
  schedule: Schedule,
): ProtocolPeaks {
  const rounded = roundedUp(memory);
  const { live, peakBytes } = simulate(graph, rounded, schedule);
  return {
    simulated: simulate(graph, memory, schedule).peakBytes,
    rounded: peakBytes,
    withWeightGradients: peakWithWeights(graph, live, schedule),
  };
}

function peakWithWeights(graph: Graph, live: Float64Array, { kinds, vertices }: Schedule): number {
  let peak = 0;
  for (let t = 0; t < kinds.length; t++) {
    const weights =
      kinds[t] === BACKWARD ? (graph.parameters[vertices[t] ?? 0] ?? 0) * graph.bytesPerElement : 0;
    peak = Math.max(peak, (live[t] ?? 0) + weights);
  }
  return peak;
}

function roundedUp(memory: MemoryModel): MemoryModel {
  const up = (bytes: number): number => Math.ceil(bytes / ALLOCATOR_BYTES) * ALLOCATOR_BYTES;
  return {
    ...memory,
    outputBytes: memory.outputBytes.map(up),
    gradientBytes: memory.gradientBytes.map(up),
    sourceGradientBytes: up(memory.sourceGradientBytes),
    auxBytes: memory.auxBytes.map(up),
  };
}
