import { checkpointingOf, READS_CHECKPOINTING } from './strategy/from-checkpoints.ts';
import { InternalError } from '../errors.ts';
import { paperCost } from '../paper/paper-cost.ts';
import { type Checkpointing, segmentSchedule } from '../schedule/checkpointing.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { simulateTotals } from '../simulate/simulate.ts';
import { type StageChain, stageChain } from './chain/stage-chain.ts';
import { segmentsOf } from './options.ts';
import { READS_TIME_LIMIT, SearchLimit } from './search/search-limit.ts';
import type { Strategy } from './strategy/strategy.ts';

/** Effort guard: vertices x numbers of segments that are simulated. */
const MAX_WORK = 2_000_000;

/**
 * PyTorch's checkpoint_sequential: the stages are cut into k segments of equal length, the last takes
 * the remainder and is not recomputed; the best k is kept, or the one that was asked for (`segments`).
 *
 * - Source: torch.utils.checkpoint.checkpoint_sequential; article 004.
 * - Guarantee: the lowest peak of all k (ties: least recompute, then the smallest k), where all are tried; none for one that was asked for.
 * - Time O(n (V + E)) for n stages: every k is simulated; space O(V + E).
 * - Assumptions: the network is an nn.Sequential of its stages (splitting vertices on non-linear graphs).
 * - Departures: PyTorch always leaves k to the user. On large graphs only the k nearest to sqrt(n) are tried.
 */
export const sequential: Strategy = {
  name: 'sequential',
  title: 'checkpoint_sequential',
  source: 'PyTorch, torch.utils.checkpoint.checkpoint_sequential',
  cites: ['paszke2019pytorch'],
  guarantee: 'the lowest peak of all numbers of equal segments',
  takeFor: 'what torch.utils.checkpoint_sequential can do',
  reads: { segments: 'takes', ...READS_TIME_LIMIT, ...READS_CHECKPOINTING },
  asSource: { maxVertices: 2000, looks: (vertices) => 10_000 * vertices },
  scalesWithBatch: false,
  hasPaperCost: true,
  plan(problem, options, control) {
    const { graph, memory, view } = problem;
    const chain = stageChain(problem);
    if (typeof chain === 'string') return { applicable: false, reason: chain };
    const checkpointing = checkpointingOf(options);
    const stages = chain.stages.length;
    let best: Cut | null = null;
    const asked = segmentsOf(options, stages);
    const tried = asked === undefined ? numbersOfSegments(stages, graph.size) : [asked];
    const limit = new SearchLimit(options, control);
    for (const [i, segments] of tried.entries()) {
      limit.tick(i / tried.length);
      if (limit.isReached && best !== null) {
        limit.leave('numbers-of-segments', i, tried.length);
        break;
      }
      const boundaries = boundariesOf(stages, segments);
      const schedule = scheduleOf(chain, boundaries, checkpointing);
      const { peakBytes, recomputeWork } = simulateTotals(graph, memory, schedule);
      const cut = { boundaries, schedule, segments, peakBytes, recomputeWork };
      if (best === null || isBetter(cut, best)) best = cut;
    }
    // One segment can always be tried.
    if (best === null) throw new InternalError('no number of segments was tried');
    const checkpoints = best.boundaries.map((i) => chain.boundaries[i] ?? 0);
    const cost = paperCost(
      view.tensors,
      checkpoints.map((v) => view.tensorOf[v]!),
    );
    return {
      applicable: true,
      checkpoints,
      schedule: best.schedule,
      paperCostBytes: cost.ok ? cost.cost : null,
      checkpointing,
      claim:
        asked === undefined
          ? { kind: 'equal-segments', segments: best.segments, stages, all: tried.length === stages }
          : { kind: 'asked-segments', segments: asked, stages },
      ...limit.ending,
    };
  },
};

/** The stages in so many segments. */
interface Cut {
  readonly segments: number;
  readonly boundaries: readonly number[];
  readonly schedule: Schedule;
  readonly peakBytes: number;
  readonly recomputeWork: number;
}

function isBetter(a: Cut, b: Cut): boolean {
  return (a.peakBytes - b.peakBytes || a.recomputeWork - b.recomputeWork || a.segments - b.segments) < 0;
}

/** 1 to n, or as many around sqrt(n) as may be simulated; those nearest to it first. */
function numbersOfSegments(stages: number, size: number): number[] {
  const most = Math.max(8, Math.floor(MAX_WORK / size));
  const root = Math.sqrt(stages);
  return Array.from({ length: stages }, (_, i) => i + 1)
    .sort((a, b) => Math.abs(a - root) - Math.abs(b - root))
    .slice(0, most);
}

/** The starts of all segments but the first, as PyTorch cuts them: the last takes the remainder. */
function boundariesOf(stages: number, segments: number): number[] {
  const length = Math.floor(stages / segments);
  return Array.from({ length: segments - 1 }, (_, i) => (i + 1) * length);
}

function scheduleOf(chain: StageChain, boundaries: readonly number[], way: Checkpointing): Schedule {
  const { graph, memory } = chain.problem;
  const starts = [0, ...boundaries];
  const segments = starts.map((start, i) => chain.stages.slice(start, starts[i + 1]).flat());
  const kept = new Uint8Array(graph.size);
  for (const i of boundaries) kept[chain.boundaries[i] ?? 0] = 1;
  return segmentSchedule(graph, memory, { segments, kept, recomputeLast: false }, way);
}
