import { totalParameters } from '../graph/graph.ts';
import { regularFigures } from '../strategies/regular.ts';
import type { Problem } from '../strategies/strategy.ts';

/** What is said of a network before any strategy: the frame around the rows (DESIGN section 8). */
export interface ComparisonHead {
  readonly model: string;
  readonly batch: number;
  /** Side of the square input in pixels; 0 where the network has no image input. */
  readonly input: number;
  readonly profile: string;
  readonly vertices: number;
  readonly edges: number;
  readonly tensorVertices: number;
  readonly tensorEdges: number;
  readonly parameters: number;
  readonly regularPeakBytes: number;
  readonly savedBytes: number;
  readonly stationaryBytes: number;
}

/** Weights, their gradients, and one momentum buffer. */
export const STATIONARY_COPIES = 3;

export function comparisonHead(
  problem: Problem,
  size: { readonly model: string; readonly batch: number; readonly input: number },
): ComparisonHead {
  const { graph, memory, view } = problem;
  const regular = regularFigures(problem);
  const parameters = totalParameters(graph);
  return {
    ...size,
    profile: memory.profile,
    vertices: graph.size,
    edges: graph.edgeCount,
    tensorVertices: view.tensors.size,
    tensorEdges: view.tensors.edgeCount,
    parameters,
    regularPeakBytes: regular.peakBytes,
    savedBytes: regular.savedBytes,
    stationaryBytes: STATIONARY_COPIES * parameters * graph.bytesPerElement,
  };
}
