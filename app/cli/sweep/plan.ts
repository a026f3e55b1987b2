import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { BadInputError } from '../../../engine/errors.ts';
import { parseBudget } from '../../../engine/options/budget.ts';
import { oneOf } from '../../../engine/options/options.ts';
import { MAX_BATCH } from '../../../engine/options/sizes.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { isTold, type Strategy } from '../../../engine/strategies/strategy/strategy.ts';
import { CVPR_TABLE_2 } from '../../../engine/tables/paper-tables.ts';
import { isModelName, MODELS } from '../../../engine/zoo/zoo.ts';
import { givenFlags, type OptionFlags, requireReadOptions } from '../command-options.ts';
import { parseBudgetBytes, parseName, parseWhole } from '../options.ts';

/** Request of a sweep, as the command line has it. */
export interface SweepFlags extends OptionFlags {
  readonly batches?: string;
  readonly budgets?: string;
  readonly strategies?: string;
}

/** Networks x batches x strategies x budgets, in words that give the same cells on every machine. */
export interface SweepPlan {
  readonly networks: readonly SweptNetwork[];
  readonly batches: readonly number[];
  readonly strategies: readonly string[];
  /** `50%` of regular training's peak at that batch, or bytes; for strategies that read a budget. */
  readonly budgets: readonly string[];
  /** The options of every cell alike, as the command line has them. */
  readonly options: OptionFlags;
}

export interface SweptNetwork {
  /** A name of the zoo, or a path. */
  readonly target: string;
  /** The first digits of a file's SHA-256, so that shards of different files are not merged. */
  readonly file?: string;
}

/** One row of a sweep. */
export interface Cell {
  readonly index: number;
  readonly target: string;
  readonly batch: number;
  readonly strategy: string;
  readonly budget: string | null;
}

/** The shares of regular training's peak at which the frontier is looked at where nobody says: eight. */
export const BUDGETS: readonly string[] = [90, 80, 70, 60, 50, 40, 30, 20].map((percent) => `${percent}%`);

export const MAX_CELLS = 1_000_000;

/**
 * @param targets zoo names and files; `papers` stands for the 18 networks of the CVPR paper's table, `zoo` for all
 * @throws BadInputError that names the option, or the unknown network
 */
export function sweepPlan(targets: readonly string[], flags: SweepFlags): SweepPlan {
  const plan: SweepPlan = {
    networks: [...new Set(targets.flatMap(named))].map(swept),
    batches: listed(flags.batches ?? '1', '--batches').map((text) =>
      parseWhole(text, '--batches', 1, MAX_BATCH),
    ),
    strategies: strategiesOf(flags.strategies, flags.link !== undefined || flags.device !== undefined),
    budgets: flags.budgets === undefined ? BUDGETS : listed(flags.budgets, '--budgets').map(budgetText),
    options: givenFlags('sweep', flags),
  };
  requireReadOptions('sweep', flags, plan.strategies);
  if (flags.budgets !== undefined && !plan.strategies.some(readsBudget))
    throw new BadInputError(`--budgets changes nothing under ${oneOf(plan.strategies)}: leave it out`);
  if (plan.networks.length === 0)
    throw new BadInputError('name a network, a file, papers or zoo to sweep over');
  const cells = countCells(plan);
  if (cells > MAX_CELLS)
    throw new BadInputError(
      `this sweep has ${cells} cells, and at most ${MAX_CELLS} are allowed; name fewer of each`,
    );
  return plan;
}

/** In the order of the table; the index says which shard a cell belongs to. */
export function cellsOf({ networks, batches, strategies, budgets }: SweepPlan): Cell[] {
  const cells: Cell[] = [];
  for (const { target } of networks)
    for (const batch of batches)
      for (const strategy of strategies)
        for (const budget of readsBudget(strategy) ? budgets : [null])
          cells.push({ index: cells.length, target, batch, strategy, budget });
  return cells;
}

/** Number of cells, without making them. */
export const countCells = ({ networks, batches, strategies, budgets }: SweepPlan): number =>
  networks.length *
  batches.length *
  strategies.reduce((sum, strategy) => sum + (readsBudget(strategy) ? budgets.length : 1), 0);

const readsBudget = (name: string): boolean =>
  STRATEGIES.find((strategy) => strategy.name === name)?.reads.budgetBytes !== undefined;

function named(target: string): string[] {
  if (target === 'papers') return CVPR_TABLE_2.map(({ network }) => network);
  return target === 'zoo' ? MODELS.map(({ name }) => name) : [target];
}

function swept(target: string): SweptNetwork {
  if (isModelName(target)) return { target };
  try {
    const digest = createHash('sha256').update(readFileSync(target)).digest('hex');
    return { target, file: digest.slice(0, 16) };
  } catch {
    throw new BadInputError(`no network and no file is named "${basename(target)}"; see \`zigzag models\``);
  }
}

/** All that can answer with a budget alone, or with a link beside it, unless some are named. */
function strategiesOf(text: string | undefined, isLinked: boolean): string[] {
  const told = { budgetBytes: 1, link: isLinked ? true : undefined };
  const canAnswer = (strategy: Strategy): boolean => isTold(strategy, told);
  const names = STRATEGIES.filter(canAnswer).map(({ name }) => name);
  return text === undefined
    ? names
    : listed(text, '--strategies').map((one) => parseName(one, '--strategies', names));
}

function listed(text: string, option: string): string[] {
  const parts = [...new Set(text.split(',').map((part) => part.trim()))];
  if (parts.includes(''))
    throw new BadInputError(`${option} must be a list separated by commas, got "${text}"`);
  return parts;
}

/** A share as it is, an amount in bytes. @throws BadInputError naming the option */
function budgetText(text: string): string {
  const budget = parseBudget(text);
  return budget !== null && 'share' in budget
    ? text.replaceAll(' ', '')
    : String(parseBudgetBytes(text, '--budgets', () => 0));
}
