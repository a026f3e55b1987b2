import type { Graph } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import { type OneLevelPlan, oneLevelSchedule } from './one-level.ts';
import { reentrantSchedule } from './reentrant.ts';
import type { Schedule } from './schedule.ts';

/** Ways to run segments, as `torch.utils.checkpoint` names them (`use_reentrant`). The first is the default. */
export const CHECKPOINTINGS = ['non-reentrant', 'reentrant'] as const;
export type Checkpointing = (typeof CHECKPOINTINGS)[number];

/** The schedule of segments as they run. Time and space as `oneLevelSchedule` and `reentrantSchedule` say. */
export function segmentSchedule(
  graph: Graph,
  memory: MemoryModel,
  plan: OneLevelPlan,
  checkpointing: Checkpointing,
): Schedule {
  return checkpointing === 'reentrant'
    ? reentrantSchedule(graph, memory, plan)
    : oneLevelSchedule(graph, memory, plan);
}
