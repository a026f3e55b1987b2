import { type Graph, totalParameters } from '../graph/graph.ts';
import { regularFigures } from '../strategies/regular.ts';
import type { Problem } from '../strategies/strategy/strategy.ts';
import { type TrainingSetup, USUAL_SETUP } from '../training-memory/setup.ts';
import { stationaryOf, weightsOf } from '../training-memory/weights.ts';

/** Size of one sample. */
export interface InputSize {
  /** Side of a square image in pixels, or tokens of a sequence; 0 for other inputs. */
  readonly input: number;
  readonly inputUnit?: 'tokens' | undefined;
}

export function inputSizeOf({ operations, shapes }: Graph): InputSize {
  const [, length = 0, height = 0, width] = shapes[0] ?? [];
  if (operations[0]?.kind === 'tokens') return { input: length, inputUnit: 'tokens' };
  return { input: height === width ? height : 0 };
}

/** Facts of a network before any strategy: the frame around the rows. */
export interface ComparisonHead extends InputSize {
  readonly model: string;
  readonly batch: number;
  readonly profile: string;
  readonly vertices: number;
  readonly edges: number;
  readonly tensorVertices: number;
  readonly tensorEdges: number;
  readonly parameters: number;
  readonly regularPeakBytes: number;
  readonly savedBytes: number;
  /** Weights, their half copies and gradients, and the optimizer's state. */
  readonly stationaryBytes: number;
  /** Weights and the buffers of batch norm among these. */
  readonly weightsBytes: number;
  readonly setup: TrainingSetup;
}

export function comparisonHead(
  problem: Problem,
  size: { readonly model: string; readonly batch: number },
  setup: TrainingSetup = USUAL_SETUP,
): ComparisonHead {
  const { graph, memory, view } = problem;
  const regular = regularFigures(problem);
  const parameters = totalParameters(graph);
  const weights = weightsOf(graph, setup);
  return {
    ...size,
    ...inputSizeOf(graph),
    profile: memory.profile,
    vertices: graph.size,
    edges: graph.edgeCount,
    tensorVertices: view.tensors.size,
    tensorEdges: view.tensors.edgeCount,
    parameters,
    regularPeakBytes: regular.peakBytes,
    savedBytes: regular.savedBytes,
    stationaryBytes: stationaryOf(weights),
    weightsBytes: weights.weights,
    setup,
  };
}
