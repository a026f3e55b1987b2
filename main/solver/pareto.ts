import type { Bargain, ParetoPoint, ParetoEvent, ParetoRequest } from '../../app/contract/pareto.ts';
import { recomputeBound } from '../../engine/bounds/recompute-bound.ts';
import { predictedOverhead, simulate } from '../../engine/simulate/simulate.ts';
import { kneeOf } from '../../engine/strategies/budget/knee.ts';
import { type ParetoPoint as Found, paretoFront } from '../../engine/strategies/budget/pareto-front.ts';
import { defaultStrategy } from '../../engine/strategies/default-strategy.ts';
import type { Control, Plan } from '../../engine/strategies/strategy/strategy.ts';
import { heldAt } from '../../engine/training-memory/held.ts';
import type { Solving } from './context.ts';
import { heldOf } from './held.ts';
import { Lru } from './lru.ts';
import { keyOf, type SolverMemory } from './memory.ts';

/** A screen needs no more than this. */
const PROGRESS_MS = 100;
const MAX_FRONTS = 32;

/** A front, and the plan of its knee. */
interface KnownFront {
  readonly points: readonly ParetoPoint[];
  readonly knee: { readonly point: ParetoPoint; readonly plan: Plan } | null;
}

const fronts = new Lru<KnownFront>(MAX_FRONTS);

/**
 * The trade-off of a network at its batch: progress while it is searched, the front whenever it changes, and at last what
 * is proved and the bargain.
 *
 * @throws BadInputError for an unknown network or size, CancelledError through control
 */
export function paretoEvents(request: ParetoRequest, { memory, control, emit }: Solving<ParetoEvent>): void {
  let reported = performance.now();
  const tick = (done: number): void => {
    control.tick(done);
    if (performance.now() - reported < PROGRESS_MS) return;
    reported = performance.now();
    emit({ type: 'progress', done: Math.min(Math.max(done, 0), 1) });
  };
  emit({ type: 'progress', done: 0 });
  const { batch } = request;
  const key = JSON.stringify([keyOf(request), batch]);
  let isSearched = false;
  const front = fronts.get(key, (): KnownFront => {
    isSearched = true;
    const problem = memory.problem(request, batch);
    const known = new Map<Found, ParetoPoint>();
    const simulated = (point: Found): ParetoPoint => {
      const { peakBytes, recomputeFraction, plan } = point;
      const timeline = simulate(problem.graph, problem.memory, plan.schedule);
      return {
        peakBytes,
        recomputeFraction,
        predictedOverhead: predictedOverhead(timeline),
        checkpoints: plan.checkpoints.length,
      };
    };
    const described = (front: readonly Found[]): ParetoPoint[] =>
      front.map((point) => {
        const own = known.get(point) ?? simulated(point);
        known.set(point, own);
        return own;
      });
    const onFront = (front: readonly Found[]): void => emit({ type: 'front', points: described(front) });
    const found = paretoFront(problem, { tick }, onFront);
    const points = described(found);
    const knee = kneeOf(found);
    const point = knee === null ? undefined : points[found.indexOf(knee)];
    return { points, knee: knee === null || point === undefined ? null : { point, plan: knee.plan } };
  });
  if (!isSearched) emit({ type: 'front', points: [...front.points] });
  const bound = recomputeBound(memory.problem(request, batch));
  emit({ type: 'bound', bound: { ...bound, lines: [...bound.lines] } });
  emit({ type: 'bargain', bargain: bargainOf(request, front, memory, { tick: () => control.tick(1) }) });
}

/**
 * Plan of `budget` within the peak of the front's knee, or the plan of the knee where a limit ends that search with
 * more recompute; null where all in all that needs no less than regular training.
 */
function bargainOf(
  request: ParetoRequest,
  { knee }: KnownFront,
  memory: SolverMemory,
  control: Control,
): Bargain | null {
  if (knee === null) return null;
  const { batch } = request;
  const budgetBytes = Math.ceil(knee.point.peakBytes);
  const { graph, memory: model } = memory.problem(request, batch);
  const within = memory.plan({ ...request, budgetBytes }, defaultStrategy({ budgetBytes }), control).plan;
  const asked = within.applicable ? simulate(graph, model, within.schedule) : null;
  const isAsGood = asked !== null && asked.recomputeFraction <= knee.point.recomputeFraction;
  const plan = isAsGood ? within : knee.plan;
  const timeline = isAsGood ? asked : simulate(graph, model, knee.plan.schedule);
  const regular = memory.plan(request, 'regular', control).plan;
  const held = heldOf(request, plan, memory);
  const needs = heldAt(held, batch, 0).totalBytes;
  if (!regular.applicable || needs >= heldAt(heldOf(request, regular, memory), batch, 0).totalBytes)
    return null;
  const { peakBytes, recomputeFraction } = timeline;
  return { budgetBytes, peakBytes, recomputeFraction, predictedOverhead: predictedOverhead(timeline), held };
}
