import type { ParetoEvent, ParetoRequest } from '../../app/contract/pareto.ts';
import { predictedOverhead, simulate } from '../../engine/simulate/simulate.ts';
import { paretoFront } from '../../engine/strategies/budget/pareto-front.ts';
import type { Control } from '../../engine/strategies/strategy.ts';
import { Lru } from './lru.ts';
import type { SolverMemory } from './memory.ts';

/** A screen needs no more than this. */
const PROGRESS_MS = 100;
const MOST_FRONTS = 32;

type Point = Extract<ParetoEvent, { type: 'point' }>['point'];

const fronts = new Lru<readonly Point[]>(MOST_FRONTS);

/**
 * The trade-off of a network at its batch: progress while it is searched, then its points by falling memory.
 *
 * @throws BadInputError for an unknown network or size, CancelledError through control
 */
export function paretoEvents(
  request: ParetoRequest,
  control: Control,
  emit: (event: ParetoEvent) => void,
  memory: SolverMemory,
): void {
  let reported = performance.now();
  const tick = (done: number): void => {
    control.tick(done);
    if (performance.now() - reported < PROGRESS_MS) return;
    reported = performance.now();
    emit({ type: 'progress', done: Math.min(Math.max(done, 0), 1) });
  };
  emit({ type: 'progress', done: 0 });
  const { model, batch, input, dropout, profile, dtype } = request;
  const key = JSON.stringify([model, batch, input ?? 0, dropout ?? -1, profile, dtype]);
  const points = fronts.get(key, () => {
    const problem = memory.problem(request, batch);
    return paretoFront(problem, { tick }).map(({ peakBytes, recomputeFraction, plan }): Point => {
      const timeline = simulate(problem.graph, problem.memory, plan.schedule);
      return {
        peakBytes,
        recomputeFraction,
        predictedOverhead: predictedOverhead(timeline),
        checkpoints: plan.checkpoints.length,
      };
    });
  });
  for (const point of points) emit({ type: 'point', point });
}
