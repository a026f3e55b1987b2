import { type Graph, predecessorsOf } from '../graph/graph.ts';
import { segmentSchedule } from '../schedule/checkpointing.ts';
import { checkpointingOf, READS_CHECKPOINTING } from './strategy/from-checkpoints.ts';
import type { Strategy } from './strategy/strategy.ts';

/** A module's path up to its first number: `layers.3` of `layers.3.mlp.act`, `layer1.0` of `layer1.0.conv1`. */
const NUMBERED = /^.*?\.\d+(?=\.)/;

/**
 * A checkpoint around every block, as `gradient_checkpointing=True` of transformers sets one: all that crosses the
 * border of a block is kept, and a block is recomputed as a whole before its backward. The rest runs as usual.
 *
 * - Source: `GradientCheckpointingLayer` of transformers; `torch.utils.checkpoint`.
 * - Guarantee: at most one more forward of each block.
 * - Time and space O(V + E).
 * - Assumptions: a block is a module of several operations whose path ends with the first number in it.
 * - Departures: transformers chooses the classes of modules, which are the same in its language models. Blocks of other
 *   networks are wrapped as well.
 */
export const perBlock: Strategy = {
  name: 'per-block',
  title: 'gradient_checkpointing',
  source: 'Wolf et al. 2020, gradient_checkpointing_enable; PyTorch, torch.utils.checkpoint',
  cites: ['wolf2020transformers', 'paszke2019pytorch'],
  guarantee: 'recomputes no block more than once',
  takeFor: 'what gradient_checkpointing=True of transformers costs beside a plan',
  reads: { ...READS_CHECKPOINTING },
  // Its choice is among those of strategies that the planner asks.
  asSource: { maxVertices: 0, looks: () => 0 },
  scalesWithBatch: true,
  hasPaperCost: false,
  plan(problem, options) {
    const { graph, memory } = problem;
    const blocks = blocksOf(graph);
    const kept = new Uint8Array(graph.size);
    for (let v = 1; v < graph.size; v++)
      for (const u of predecessorsOf(graph, v)) if (u > 0 && blocks[u] !== blocks[v]) kept[u] = 1;
    const outside = Uint8Array.from(blocks, (block) => (block === '' ? 1 : 0));
    if (outside.every((isOutside) => isOutside === 1))
      return { applicable: false, reason: 'no module of several operations has a number, such as layers.0' };
    const segments: number[][] = [];
    for (let v = 1; v < graph.size; v++) {
      if (v === 1 || blocks[v] !== blocks[v - 1]) segments.push([]);
      segments.at(-1)!.push(v);
    }
    const checkpointing = checkpointingOf(options);
    const plan = { segments, kept, recomputeLast: true, outside };
    const schedule = segmentSchedule(graph, memory, plan, checkpointing);
    const checkpoints = [...kept.keys()].filter((v) => kept[v] === 1);
    return { applicable: true, checkpoints, schedule, paperCostBytes: null, checkpointing };
  },
};

/** Path of each vertex's block; empty outside of blocks. */
function blocksOf({ ids }: Graph): string[] {
  const paths = ids.map((id) => NUMBERED.exec(id)?.[0] ?? '');
  const sizes = new Map<string, number>();
  for (const path of paths) sizes.set(path, (sizes.get(path) ?? 0) + 1);
  return paths.map((path) => ((sizes.get(path) ?? 0) > 1 ? path : ''));
}
