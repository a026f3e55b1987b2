import { InternalError } from '../../../engine/errors.ts';
import type { SolverFiles } from '../../../main/solver/memory.ts';
import { compared, type JsonRow } from '../compared.ts';
import { type Asked, openNetwork } from '../network.ts';
import { parseBudgetBytes } from '../options.ts';
import { type Cell, cellsOf, type SweepPlan } from './plan.ts';

/** A cell with its answer: a row of `compare --json`, with the number of checkpoints in place of their ids. */
export interface SweptRow extends Omit<JsonRow, 'checkpoints'> {
  readonly cell: number;
  readonly model: string;
  readonly batch: number;
  readonly input: number;
  readonly profile: string;
  readonly budget: string | null;
  readonly budgetBytes: number | null;
  readonly regularPeakBytes: number;
  readonly checkpoints: number;
  /** Processor time of all threads; other work on the machine does not count. */
  readonly processorMs: number;
  /** No schedule of the strategy meets the budget. */
  readonly infeasible?: true;
}

export type SearchLimits = Pick<SolverFiles, 'exactSeconds' | 'now'>;

interface Solving {
  /** Called before each cell. */
  readonly onCell?: (cell: Cell) => void;
  readonly limits?: SearchLimits;
}

interface Opened {
  readonly asked: Asked;
  readonly regularPeakBytes: number;
}

/**
 * Solves cells one after another, each as `compare` does; a network is opened once for the cells in a row that have it.
 *
 * @throws BadInputError for a network that cannot be built as the plan says
 */
export async function* solveCells(
  plan: SweepPlan,
  cells: readonly Cell[],
  { onCell = () => undefined, limits = {} }: Solving = {},
): AsyncGenerator<SweptRow> {
  let key = '';
  let now: Opened | null = null;
  for (const cell of cells) {
    onCell(cell);
    const own = `${cell.batch} ${cell.target}`;
    if (now === null || key !== own) [key, now] = [own, await open(plan, cell, limits)];
    yield await solveCell(cell, now);
  }
}

/** @throws BadInputError for options that no cell can be solved with */
export function requireSolvable(plan: SweepPlan): void {
  const [first] = cellsOf(plan);
  if (first !== undefined) opened(plan, first, {});
}

function opened({ options }: SweepPlan, { target, batch }: Cell, limits: SearchLimits): Asked {
  return openNetwork('solve', target, { ...options, batch: String(batch) }, limits);
}

async function open(plan: SweepPlan, cell: Cell, limits: SearchLimits): Promise<Opened> {
  const asked = opened(plan, cell, limits);
  const { head } = await compared(asked, ['regular']);
  return { asked, regularPeakBytes: head.regularPeakBytes };
}

async function solveCell(
  { index, strategy, budget }: Cell,
  { asked, regularPeakBytes }: Opened,
): Promise<SweptRow> {
  const budgetBytes = budget === null ? null : parseBudgetBytes(budget, '--budgets', () => regularPeakBytes);
  const network = { ...asked.network, budgetBytes: budgetBytes ?? undefined };
  const before = process.cpuUsage();
  const { head, rows } = await compared({ ...asked, network }, [strategy]);
  const { user, system } = process.cpuUsage(before);
  const [row] = rows;
  if (row === undefined) throw new InternalError('a comparison of one strategy has no row');
  const { json, isInfeasible } = row;
  return {
    cell: index,
    model: head.model,
    batch: head.batch,
    input: head.input,
    profile: head.profile,
    budget,
    budgetBytes,
    regularPeakBytes,
    ...json,
    checkpoints: json.checkpoints.length,
    processorMs: Math.round((user + system) / 1000),
    ...(isInfeasible ? { infeasible: true as const } : {}),
  };
}
