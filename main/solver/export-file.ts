import type { ExportRequest } from '../../app/contract/export-file.ts';
import { BadInputError } from '../../engine/errors.ts';
import { dotFile } from '../../engine/exchange/dot-file.ts';
import { graphFile } from '../../engine/exchange/graph-file.ts';
import { planFile, planOptions } from '../../engine/exchange/plan-file.ts';
import { simulate } from '../../engine/simulate/simulate.ts';
import type { Solving } from './context.ts';
import { judge } from './judge.ts';

/**
 * What `zigzag export` prints, for the experiment in front.
 *
 * @throws BadInputError where the strategy has no plan; CancelledError through control
 */
export function exportText(
  request: ExportRequest,
  { memory, control }: Pick<Solving, 'memory' | 'control'>,
): string {
  const { experiment, strategy, form } = request;
  const { strategies: _, ...network } = experiment;
  const { batch, seed, budgetBytes } = network;
  const problem = memory.problem(network, batch);
  const { graph } = problem;
  if (form === 'graph') return JSON.stringify(graphFile(graph));
  const solved = memory.plan(network, strategy, control);
  const { plan } = solved;
  if (!plan.applicable) throw new BadInputError(`${strategy} does not apply here: ${plan.reason}`);
  const { checkpoints } = judge(problem, batch, solved);
  if (form === 'dot') return dotFile(graph, checkpoints);
  const options = {
    seed,
    ...planOptions(problem),
    ...(budgetBytes === undefined ? {} : { budgetBytes }),
    batch,
    input: graph.shapes[0]?.[2] ?? 0,
  };
  const { schedule } = plan;
  const timeline = simulate(graph, problem.memory, schedule);
  return JSON.stringify(planFile(graph, { strategy, options, checkpoints, schedule, timeline }));
}
