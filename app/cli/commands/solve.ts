import { BadInputError, InfeasibleError } from '../../../engine/errors.ts';
import type { MilpSolver } from '../../../engine/strategies/milp/milp-solver.ts';
import type { StrategyOptions } from '../../../engine/strategies/strategy.ts';
import { bytes, count, milliseconds, percent } from '../format.ts';
import { loadNetwork, loadPlan, type NetworkFlags } from '../load.ts';
import { parseBytes, parseWhole } from '../options.ts';
import { costsText, headOf, type SolvedRow, solveTimed } from '../rows.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { textZigzag } from '../text-zigzag.ts';

export interface StrategyFlags extends NetworkFlags {
  readonly strategy?: string;
  readonly budget?: string;
  readonly checkpoints?: string;
  readonly slots?: string;
  readonly seed?: string;
  readonly plan?: string;
  readonly json?: boolean;
}

export function strategyOptions(flags: StrategyFlags, milpSolver?: MilpSolver): StrategyOptions {
  return {
    ...(milpSolver === undefined ? {} : { milpSolver }),
    seed: flags.seed === undefined ? 0 : parseWhole(flags.seed, '--seed', 0, 0xffffffff),
    ...(flags.budget === undefined ? {} : { budgetBytes: parseBytes(flags.budget, '--budget') }),
    ...(flags.plan === undefined ? {} : { plan: loadPlan(flags.plan) }),
    ...(flags.slots === undefined ? {} : { slots: parseWhole(flags.slots, '--slots', 1, 100000) }),
    ...(flags.checkpoints === undefined
      ? {}
      : { checkpoints: flags.checkpoints.split(',').map((id) => id.trim()) }),
  };
}

/** A budget or a plan asks for the strategy that honours it; otherwise the papers' optimum. */
export function chosenStrategy(flags: StrategyFlags): string {
  if (flags.plan !== undefined) {
    if (flags.strategy !== undefined && flags.strategy !== 'plan') {
      throw new BadInputError(
        `a plan says its steps itself; give one of --plan and --strategy ${flags.strategy}`,
      );
    }
    return 'plan';
  }
  return flags.strategy ?? (flags.budget === undefined ? 'optimal' : 'budget');
}

/** `zigzag solve MODEL|FILE`: one strategy on one network. */
export function solveCommand(
  target: string,
  flags: StrategyFlags,
  terminal: Terminal,
  milpSolver?: MilpSolver,
): void {
  const strategy = chosenStrategy(flags);
  const options = strategyOptions(flags, milpSolver);
  const network = loadNetwork(target, flags);
  const head = headOf(network);
  const row = solveTimed(network, strategy, options);
  if (options.budgetBytes !== undefined) checkBudget(row, options.budgetBytes);
  if (flags.json === true) {
    printJson(terminal, { ...head, rows: [row.json] });
    if (!row.json.applicable) throw notApplicable(row);
    return;
  }
  if (!row.json.applicable) throw notApplicable(row);
  const { peakBytes, paperCostBytes, recomputeFraction, predictedOverhead } = row.json;
  const peak = peakBytes ?? 0;
  terminal.out(
    `${head.model}, batch ${count(head.batch)}: ${strategy} peaks at ${bytes(peak)} instead of ` +
      `${bytes(head.regularPeakBytes)} (${percent(1 - peak / head.regularPeakBytes)} less) for ` +
      `${percent(predictedOverhead ?? 0)} more time (predicted).`,
  );
  terminal.out('');
  const { timeline } = row.solved;
  if (timeline !== null) {
    for (const line of textZigzag(timeline.live, peak, Math.min(100, terminal.columns - 12), 8)) {
      terminal.out(line);
    }
  }
  terminal.out('');
  if (paperCostBytes !== null) terminal.out(`paper cost (Eq. 2)  ${bytes(paperCostBytes)}`);
  terminal.out(`recompute           ${percent(recomputeFraction ?? 0)} of one forward`);
  if (head.costs !== undefined) terminal.out(`costs               ${costsText(head.costs)}`);
  terminal.out(
    `checkpoints         ${count(row.json.checkpoints.length)}: ${row.json.checkpoints.join(' ')}`,
  );
  terminal.out(`solved in           ${milliseconds(row.json.solveMs)}`);
}

function notApplicable(row: SolvedRow): BadInputError {
  return new BadInputError(
    `${row.json.strategy} does not apply here: ${row.json.reason ?? 'no reason given'}`,
  );
}

/** A budget given beside a strategy that does not know budgets must still be met. */
function checkBudget(row: SolvedRow, budgetBytes: number): void {
  const peak = row.json.peakBytes;
  if (peak === null || peak <= budgetBytes) return;
  throw new InfeasibleError(
    `${row.json.strategy} needs ${bytes(peak)}, more than the budget of ${bytes(budgetBytes)}; ` +
      'leave out --strategy to get the cheapest plan within it',
  );
}
