import type {
  GameRequest,
  GameTargets,
  JudgedSet,
  JudgeRequest,
} from '../../app/contract/checkpoint-game.ts';
import { judgeSet, peakPlace } from '../../engine/game/judge-set.ts';
import { leastPeakSet } from '../../engine/game/least-peak-set.ts';
import { idOf, vertexOf } from '../../engine/graph/graph.ts';
import { BACKWARD } from '../../engine/schedule/schedule.ts';
import { tensorId } from '../../engine/strategies/strategy/from-checkpoints.ts';
import { regularFigures } from '../../engine/strategies/regular.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import type { Solving } from './context.ts';
import { Lru } from './lru.ts';
import type { SolverMemory } from './memory.ts';

const MAX_KEPT = 16;

const kept = new WeakMap<SolverMemory, Lru<GameTargets>>();

const problemOf = (request: GameRequest, memory: SolverMemory): Problem =>
  memory.problem({ ...request, seed: 0 }, request.batch);

/**
 * Reference figures of the checkpoint game, computed once per network and size.
 *
 * @throws BadInputError for an unknown network or a size that it does not admit; CancelledError through control
 */
export function gameTargets(
  request: GameRequest,
  { memory, control }: Pick<Solving, 'memory' | 'control'>,
): GameTargets {
  const known = kept.get(memory) ?? new Lru<GameTargets>(MAX_KEPT);
  kept.set(memory, known);
  return known.get(JSON.stringify(request), () => {
    const problem = problemOf(request, memory);
    const { peakBytes, isExact, boundBytes, checkpoints } = leastPeakSet(
      problem,
      control,
      request.checkpointing,
    );
    return {
      regularPeakBytes: regularFigures(problem).peakBytes,
      leastPeakBytes: peakBytes,
      isExact,
      boundBytes,
      checkpoints: checkpoints.map((tensor) => tensorId(problem, tensor)),
    };
  });
}

/**
 * Figures of a set of checkpoints. Any id that shares a tensor stands for that tensor; ids that lie on an edge are not
 * tensors of the game.
 *
 * @throws BadInputError as `gameTargets`
 */
export function judgeCheckpoints(request: JudgeRequest, { memory }: Pick<Solving, 'memory'>): JudgedSet {
  const problem = problemOf(request, memory);
  const { graph, view } = problem;
  const tensors = new Set<number>();
  for (const id of request.checkpoints) {
    const tensor = view.tensorOf[vertexOf(graph, id)] ?? -1;
    if (tensor < 0) return { reason: `this network has no tensor ${JSON.stringify(id)}` };
    tensors.add(tensor);
  }
  const judged = judgeSet(problem, [...tensors], request.checkpointing);
  if (typeof judged === 'string') return { reason: judged };
  const { plan, timeline } = judged;
  const place = peakPlace(problem, judged);
  const isBackward = plan.schedule.kinds[place.step] === BACKWARD;
  const pass = isBackward ? 'backward' : place.step < timeline.backwardStart ? 'forward' : 'recompute';
  return {
    peakBytes: timeline.peakBytes,
    recomputeFraction: timeline.recomputeFraction,
    peak: {
      pass,
      id: idOf(graph, place.vertex),
      largest: idOf(graph, place.largest),
      largestBytes: place.largestBytes,
    },
  };
}
