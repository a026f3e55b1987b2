import type { Graph } from './graph/graph.ts';
import { tensorView } from './graph/tensor-view.ts';
import { memoryModel } from './ops/memory-model.ts';
import type { Profile } from './ops/definition.ts';
import type { Problem } from './strategies/strategy/strategy.ts';

/** Everything that a strategy looks at, derived from a graph under a profile. */
export function createProblem(graph: Graph, profile: Profile): Problem {
  return { graph, memory: memoryModel(graph, profile), view: tensorView(graph) };
}
