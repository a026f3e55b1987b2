import { torchFile } from '../../bridges/torch/torch-file.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { dotFile } from '../../../engine/exchange/dot-file.ts';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { planFile, planOptions } from '../../../engine/exchange/plan-file.ts';
import { treeFileText } from '../../../engine/exchange/tree-file.ts';
import { loadNetwork } from '../load.ts';
import { solveTimed } from '../rows.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { chosenStrategy, type StrategyFlags, strategyOptions } from './solve.ts';

/**
 * `zigzag export MODEL|FILE --to plan|graph|dot|tree|torch`, on standard output. The file for PyTorch needs no
 * network; with a captured one it brings the plan along.
 */
export function exportCommand(
  target: string | undefined,
  flags: StrategyFlags & { readonly to: string },
  terminal: Terminal,
): void {
  if (!['plan', 'graph', 'dot', 'tree', 'torch'].includes(flags.to)) {
    throw new BadInputError(`--to must be plan, graph, dot, tree or torch, got "${flags.to}"`);
  }
  if (target === undefined) {
    if (flags.to !== 'torch')
      throw new BadInputError(`name the network or the file whose ${flags.to} you want`);
    terminal.out(torchFile());
    return;
  }
  const network = loadNetwork(target, flags);
  const { graph } = network.problem;
  if (flags.to === 'graph') {
    printJson(terminal, graphFile(graph));
    return;
  }
  if (flags.to === 'tree') {
    terminal.out(treeFileText(network.problem));
    return;
  }
  // A plan of the zoo speaks of the zoo's operations; only a captured model's plan can be applied.
  if (flags.to === 'torch' && network.input > 0) {
    terminal.out(torchFile());
    return;
  }
  const strategy = chosenStrategy(flags);
  const options = strategyOptions(flags);
  const { solved } = solveTimed(network, strategy, options);
  if (solved.schedule === null || solved.timeline === null) {
    throw new BadInputError(`${strategy} does not apply here: ${solved.reason ?? 'no reason given'}`);
  }
  if (flags.to === 'dot') {
    terminal.out(dotFile(graph, solved.checkpoints));
    return;
  }
  const { checkpoints, schedule, timeline } = solved;
  const { milpSolver: _solver, plan: _plan, ...chosen } = options;
  const description = {
    ...chosen,
    ...planOptions(network.problem),
    batch: network.batch,
    input: network.input,
  };
  const plan = planFile(graph, { strategy, options: description, checkpoints, schedule, timeline });
  if (flags.to === 'torch') terminal.out(torchFile(plan));
  else printJson(terminal, plan);
}
