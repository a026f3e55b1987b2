import type { Catalog } from '../../app/contract/results.ts';
import { totalParameters } from '../../engine/graph/graph.ts';
import { createProblem } from '../../engine/problem.ts';
import { STRATEGIES } from '../../engine/strategies/registry.ts';
import { buildModel, NAMED_MODELS } from '../../engine/zoo/zoo.ts';

/** Every network and strategy, for menus. Builds every network once at batch 1: some 100 ms. */
export function catalogOf(): Catalog {
  return {
    models: NAMED_MODELS.map((info) => {
      const { graph, view } = createProblem(buildModel(info.name, { batch: 1 }), 'pytorch');
      return {
        ...info,
        parameters: totalParameters(graph),
        vertices: graph.size,
        edges: graph.edgeCount,
        tensorVertices: view.tensors.size,
        tensorEdges: view.tensors.edgeCount,
      };
    }),
    strategies: STRATEGIES.map(({ plan: _plan, asSource: _source, ...info }) => info),
  };
}
