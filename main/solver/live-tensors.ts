import type { LiveTensors, LiveTensorsRequest } from '../../app/contract/live-tensors.ts';
import { BadInputError, notApplicableText } from '../../engine/errors.ts';
import { tensorLifetimes } from '../../engine/simulate/simulate.ts';
import type { Solving } from './context.ts';
import { Lru } from './lru.ts';
import type { SolverMemory } from './memory.ts';
import { affine } from './scale.ts';

const MAX_KEPT = 8;

const kept = new WeakMap<SolverMemory, Lru<LiveTensors>>();

/**
 * The tensors of a strategy's plan, the same plan as in a comparison at this batch.
 *
 * @throws BadInputError where the strategy has no plan; CancelledError through control
 */
export function liveTensors(
  request: LiveTensorsRequest,
  { memory, control }: Pick<Solving, 'memory' | 'control'>,
): LiveTensors {
  const known = kept.get(memory) ?? new Lru<LiveTensors>(MAX_KEPT);
  kept.set(memory, known);
  return known.get(JSON.stringify(request), () => {
    const { strategy, ...network } = request;
    const { plan } = memory.plan(network, strategy, control);
    if (!plan.applicable) throw new BadInputError(notApplicableText(strategy, plan.reason));
    const at = (batch: number) => {
      const problem = memory.problem(network, batch);
      return tensorLifetimes(problem.graph, problem.memory, plan.schedule);
    };
    const one = at(1);
    return {
      vertices: Array.from(one.vertices),
      holders: Array.from(one.holders),
      first: Array.from(one.first),
      last: Array.from(one.last),
      ...affine(one.bytes, at(2).bytes),
    };
  });
}
