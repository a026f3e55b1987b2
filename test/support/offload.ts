import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { predecessorsOf } from '../../engine/graph/graph.ts';
import { needsOf } from '../../engine/ops/memory-model.ts';
import { insertFrees } from '../../engine/schedule/liveness.ts';
import {
  BACKWARD,
  FETCH,
  FORWARD,
  FREE,
  FREE_AUX,
  type Schedule,
  ScheduleBuilder,
  SEND,
} from '../../engine/schedule/schedule.ts';

/**
 * A schedule that forwards once, with every activation that backward reads sent to host memory after its last use
 * in forward and fetched before its first in backward; as long as no view of it is there, as M18 wants.
 */
export function offloadEverything({ graph, memory }: Problem, regular: Schedule): Schedule {
  const { kinds, vertices } = regular;
  const size = graph.size;
  const isShared = new Uint8Array(size);
  for (let v = 0; v < size; v++) {
    const viewed = memory.viewOf[v] ?? -1;
    const taken = memory.takesOver[v] ?? -1;
    if (viewed >= 0) isShared[v] = isShared[viewed] = 1;
    if (taken >= 0) isShared[taken] = 1;
  }
  const lastOfForward = new Int32Array(size).fill(-1);
  const firstOfBackward = new Int32Array(size).fill(-1);
  kinds.forEach((kind, t) => {
    const v = vertices[t]!;
    if (kind === FORWARD) for (const u of [v, ...predecessorsOf(graph, v)]) lastOfForward[u] = t;
    if (kind === BACKWARD) {
      for (const u of needsOf(memory, v)) if (firstOfBackward[u] === -1) firstOfBackward[u] = t;
    }
  });
  const builder = new ScheduleBuilder();
  kinds.forEach((kind, t) => {
    if (kind === FREE || kind === FREE_AUX) return;
    for (let u = 1; u < size; u++) {
      if (firstOfBackward[u] === t && isShared[u] === 0) builder.push(FETCH, u);
    }
    builder.push(kind, vertices[t]!);
    for (let u = 1; u < size; u++) {
      if (lastOfForward[u] === t && firstOfBackward[u] !== -1 && isShared[u] === 0) builder.push(SEND, u);
    }
  });
  return insertFrees(graph, memory, builder.build());
}
