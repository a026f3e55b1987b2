import { predecessorsOf } from '../graph/graph.ts';
import { needsOf } from '../ops/memory-model.ts';
import { insertFrees } from '../schedule/liveness.ts';
import { BACKWARD, FORWARD, ScheduleBuilder } from '../schedule/schedule.ts';
import type { Problem, Strategy } from './strategy/strategy.ts';

/** A schedule beyond this many steps helps nobody: with its timelines at two batches it takes more than a gigabyte. */
const MAX_STEPS = 2_000_000;

/**
 * Memory-poor: nothing but the source is stored. Before every backward, what it needs is recomputed from the source and forgotten right after.
 *
 * - Source: article 002 ("store nothing"), article 003, graph 2.
 * - Guarantee: on a chain the live bytes never exceed those of a few neighbouring vertices, O(1) in
 *   the length; O(n^2) forwards.
 * - Time and space O(V (V + E)): the schedule itself is that long.
 * - Assumptions: none. Effort guard: beyond MAX_STEPS steps it is refused.
 * - Departures: within one sweep from the source no vertex is computed twice. The article's rule taken
 *   literally (forget as soon as consumed, compute when needed) is exponential on branches.
 */
export const memoryPoor: Strategy = {
  name: 'memory-poor',
  title: 'Memory-poor',
  source: 'Bulatov, Fitting larger networks into memory, 2018',
  cites: ['bulatov2018fitting'],
  guarantee: 'stores nothing but the source, with a quadratic number of forwards',
  takeFor: 'a small network that fits in no other way',
  reads: {},
  asSource: { maxVertices: 400, looks: (vertices) => 60 * vertices * vertices },
  scalesWithBatch: true,
  hasPaperCost: false,
  plan(problem, _options, control) {
    const { graph, memory } = problem;
    const builder = new ScheduleBuilder();
    for (let v = 1; v < graph.size; v++) builder.push(FORWARD, v);
    for (let v = graph.size - 1; v > 0; v--) {
      control.tick((graph.size - v) / graph.size);
      for (const u of sweep(problem, v)) builder.push(FORWARD, u);
      builder.push(BACKWARD, v);
      if (builder.length > MAX_STEPS) {
        return {
          applicable: false,
          reason: `storing nothing needs more than ${MAX_STEPS} steps on ${graph.size} vertices; try revolve or budget`,
        };
      }
    }
    return {
      applicable: true,
      checkpoints: [],
      schedule: insertFrees(graph, memory, builder.build()),
      paperCostBytes: null,
    };
  },
};

/** All vertices that have to be forwarded from the source so that `backward v` has what it needs, in order. */
function sweep({ graph, memory }: Problem, v: number): number[] {
  const wanted = new Uint8Array(graph.size);
  wanted[0] = 1;
  const missing: number[] = [];
  const want = (u: number): void => {
    if (wanted[u] === 1) return;
    wanted[u] = 1;
    missing.push(u);
  };
  for (const u of needsOf(memory, v)) want(u);
  if ((memory.auxBytes[v] ?? 0) > 0) want(v);
  for (let i = 0; i < missing.length; i++) {
    for (const u of predecessorsOf(graph, missing[i] ?? 0)) want(u);
  }
  return missing.sort((a, b) => a - b);
}
