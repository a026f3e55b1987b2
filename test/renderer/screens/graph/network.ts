import type { GraphView } from '../../../../app/contract/graph-view.ts';
import { graphViewOf } from '../../../../main/solver/graph-view.ts';
import { SolverMemory } from '../../../../main/solver/memory.ts';
import { type Blocks, blocksOf } from '../../../../renderer/screens/graph/state/blocks.ts';
import { type PaperGraph, paperGraphOf } from '../../../../renderer/screens/graph/state/paper-graph.ts';

export interface TestNetwork {
  readonly view: GraphView;
  readonly paper: PaperGraph;
  readonly blocks: Blocks;
}

const memory = new SolverMemory();

/** A network as the page gets it. */
export function networkOf(model: string): TestNetwork {
  const view = graphViewOf({ model, batch: 1, dtype: 'float32' }, { memory });
  return { view, paper: paperGraphOf(view), blocks: blocksOf(view) };
}
