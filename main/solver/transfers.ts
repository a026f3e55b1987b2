import type { Transfers } from '../../app/contract/results.ts';
import { stepTimes } from '../../engine/offload/step-times.ts';
import { simulateTotals } from '../../engine/simulate/simulate.ts';
import type { Control, NotApplicable, Plan } from '../../engine/strategies/strategy/strategy.ts';
import type { Network, SolverMemory } from './memory.ts';

/** Fetches of a plan at the network's batch, and its step times if a link is given; null if it sends nothing. */
export function transfersOf(
  network: Network,
  plan: Plan | NotApplicable,
  memory: SolverMemory,
  control: Control,
): Transfers | null {
  if (!plan.applicable) return null;
  const { graph, memory: model } = memory.problem(network, network.batch);
  const { host } = simulateTotals(graph, model, plan.schedule);
  if (host === undefined) return null;
  const { fetchedBytes } = host;
  const device = memory.link(network);
  const regular = device === undefined ? null : memory.plan(network, 'regular', control).plan;
  if (device === undefined || regular?.applicable !== true) return { fetchedBytes };
  const { start } = stepTimes(graph, model, plan.schedule, device);
  const times = {
    regularSeconds: stepTimes(graph, model, regular.schedule, device).seconds,
    startMs: Array.from(start, (from) => 1000 * from),
  };
  return { fetchedBytes, times };
}
