import { predecessorsOf } from '../graph/graph.ts';
import { BACKWARD, HOLD_GRADIENT, type Schedule } from '../schedule/schedule.ts';
import { simulate } from '../simulate/simulate.ts';
import type { Problem } from '../strategies/strategy/strategy.ts';

type Judged = Pick<Problem, 'graph' | 'memory'>;

/**
 * Peak bytes of a step as the authors' program measures it, the input batch included as in their figures. Gradients are
 * never cleared, so that backward of an operation makes a second gradient of its weights before it is added to the
 * first; and the input requires its gradient, which goes the same way. Both are there for the one backward only.
 * Workspace of kernels is not in it. Time and space as `simulate`.
 *
 * @throws ScheduleError as `simulate`
 */
export function protocolPeak({ graph, memory }: Judged, schedule: Schedule): number {
  const { live, source } = simulate(graph, memory, schedule);
  const { kinds, vertices } = schedule;
  // A reentrant schedule counts the input's gradient itself.
  const holds = kinds.some((kind, t) => kind === HOLD_GRADIENT && vertices[t] === 0);
  return live.reduce((most, bytes, t) => {
    const v = vertices[t] ?? 0;
    if (kinds[t] !== BACKWARD) return Math.max(most, bytes);
    const weights = (graph.parameters[v] ?? 0) * graph.bytesPerElement;
    const input = !holds && predecessorsOf(graph, v).includes(0) ? source : 0;
    return Math.max(most, bytes + weights + input);
  }, 0);
}
