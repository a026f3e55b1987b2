import type {
  Bargain,
  FrontPlanRequest,
  ParetoEvent,
  ParetoPoint,
  ParetoRequest,
} from '../../app/contract/pareto.ts';
import type { SolvedRow } from '../../app/contract/results.ts';
import { solvedRow } from './compare.ts';
import { recomputeBound } from '../../engine/bounds/recompute-bound.ts';
import { predictedOverhead, simulate } from '../../engine/simulate/simulate.ts';
import { kneeOf } from '../../engine/strategies/budget/knee.ts';
import { type ParetoPoint as Found, paretoFront } from '../../engine/strategies/budget/pareto-front.ts';
import { defaultStrategy } from '../../engine/strategies/default-strategy.ts';
import type { Control } from '../../engine/strategies/strategy/strategy.ts';
import { heldAt } from '../../engine/training-memory/held.ts';
import type { Solving } from './context.ts';
import { heldOf } from './held.ts';
import type { SolvedPlan } from './judge.ts';
import { Lru } from './lru.ts';
import { firstStage, keyOf, type SolverMemory } from './memory.ts';

/** Interval of updates that a screen needs. */
const PROGRESS_MS = 100;
const MAX_FRONTS = 32;

/** Fronts do not depend on memory other than activations. */
const fronts = new Lru<readonly Found[]>(MAX_FRONTS);
/** The last reported front, also of a stopped search. */
let latest: { readonly key: string; readonly found: readonly Found[] } | null = null;

const frontKey = (request: ParetoRequest): string => JSON.stringify([keyOf(request), request.batch]);

/**
 * The trade-off of a network at its batch: progress during the search, the front after each change, and at the end the
 * proof and the best trade.
 *
 * @throws BadInputError for an unknown network or size, CancelledError through control
 */
export function paretoEvents(asked: ParetoRequest, { memory, control, emit }: Solving<ParetoEvent>): void {
  const request = firstStage(asked);
  let reported = performance.now();
  const tick = (done: number): void => {
    control.tick(done);
    if (performance.now() - reported < PROGRESS_MS) return;
    reported = performance.now();
    emit({ type: 'progress', done: Math.min(Math.max(done, 0), 1) });
  };
  emit({ type: 'progress', done: 0 });
  const { batch } = request;
  const key = frontKey(request);
  const known = new Map<Found, ParetoPoint>();
  const emitFront = (found: readonly Found[]): void => {
    latest = { key, found };
    const points = found.map((point) => {
      const own = known.get(point) ?? described(point, request, memory);
      known.set(point, own);
      return own;
    });
    emit({ type: 'front', points });
  };
  let isSearched = false;
  const front = fronts.get(key, () => {
    isSearched = true;
    return paretoFront(memory.problem(request, batch), { tick }, emitFront);
  });
  if (!isSearched) emitFront(front);
  const bound = recomputeBound(memory.problem(request, batch));
  emit({ type: 'bound', bound: { ...bound, lines: [...bound.lines] } });
  // A trade of one stage says nothing of the others.
  const bargain =
    request === asked ? bargainOf(request, front, memory, { tick: () => control.tick(1) }) : null;
  emit({ type: 'bargain', bargain });
}

/** The plan with this peak in the last reported front; null if a later front replaced it. */
export function frontPlan(
  { peakBytes, ...asked }: FrontPlanRequest,
  { memory, control }: Solving,
): SolvedRow | null {
  const request = firstStage(asked);
  const found = latest?.key === frontKey(request) ? latest.found : [];
  const point = found.find((one) => one.peakBytes === peakBytes);
  if (point === undefined) return null;
  const strategy = defaultStrategy({ budgetBytes: peakBytes });
  const { batch } = request;
  const solved = { strategy, plan: point.plan, isInfeasible: false, solveMs: 0, batch };
  return solvedRow(request, solved, memory, control);
}

function described(
  { peakBytes, recomputeFraction, plan }: Found,
  request: ParetoRequest,
  memory: SolverMemory,
): ParetoPoint {
  const { graph, memory: model } = memory.problem(request, request.batch);
  return {
    peakBytes,
    recomputeFraction,
    predictedOverhead: predictedOverhead(simulate(graph, model, plan.schedule)),
    checkpoints: plan.checkpoints.length,
    held: heldOf(request, { plan }, memory).map(({ fixed, perSample }) => ({ fixed, perSample })),
  };
}

/**
 * Plan of `budget` within the peak of the front's knee, or the knee's own plan if a limit ends that search with more
 * recompute or that plan holds more in total; null if the knee's total is no less than regular training's.
 */
function bargainOf(
  request: ParetoRequest,
  front: readonly Found[],
  memory: SolverMemory,
  control: Control,
): Bargain | null {
  const knee = kneeOf(front);
  if (knee === null) return null;
  const { batch } = request;
  const total = (solved: Pick<SolvedPlan, 'plan'>): number =>
    heldAt(heldOf(request, solved, memory), batch, 0).totalBytes;
  const most = total(knee);
  if (most >= total(memory.plan(request, 'regular', control))) return null;
  const budgetBytes = Math.ceil(knee.peakBytes);
  const { graph, memory: model } = memory.problem(request, batch);
  const within = memory.plan({ ...request, budgetBytes }, defaultStrategy({ budgetBytes }), control).plan;
  const asked = within.applicable ? simulate(graph, model, within.schedule) : null;
  const isAsGood =
    asked !== null && asked.recomputeFraction <= knee.recomputeFraction && total({ plan: within }) <= most;
  const timeline = isAsGood ? asked : simulate(graph, model, knee.plan.schedule);
  const held = heldOf(request, isAsGood ? { plan: within } : knee, memory);
  const { peakBytes, recomputeFraction } = timeline;
  return { budgetBytes, peakBytes, recomputeFraction, predictedOverhead: predictedOverhead(timeline), held };
}
