import type { Graph } from '../../../engine/graph/graph.ts';
import { memoryModel } from '../../../engine/ops/memory-model.ts';
import type { Profile } from '../../../engine/ops/definition.ts';
import { oneLevelSchedule } from '../../../engine/schedule/one-level.ts';
import { simulate, type Timeline } from '../../../engine/simulate/simulate.ts';

/** One training step that keeps everything backward needs, as the simulator counts it. */
export function regularStep(graph: Graph, profile: Profile = 'pytorch'): Timeline {
  const memory = memoryModel(graph, profile);
  const all = Array.from({ length: graph.size - 1 }, (_, i) => i + 1);
  const plan = { segments: [all], kept: new Uint8Array(graph.size), recomputeLast: false };
  return simulate(graph, memory, oneLevelSchedule(graph, memory, plan));
}
