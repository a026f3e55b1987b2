import { parseBytes as parse } from '../../engine/bytes.ts';
import { BadInputError } from '../../engine/errors.ts';
import { bytesOfBudget, parseBudget } from '../../engine/options/budget.ts';
import type { Option } from '../../engine/options/option.ts';
import {
  expectedOf,
  isTaken,
  oneOf,
  type OptionName,
  optionOf,
  type OptionValues,
} from '../../engine/options/options.ts';
import { flagOf, givenOptions, type OptionCommand, type OptionFlags } from './command-options.ts';

/**
 * The options of the table that a command was given.
 *
 * @param regularPeakBytes asked for only where a budget is a share of it
 * @throws BadInputError naming the option, with the values that it takes
 */
export function optionValues(
  command: OptionCommand,
  flags: OptionFlags,
  regularPeakBytes: (others: OptionValues) => number,
): OptionValues {
  const values: Partial<Record<OptionName, unknown>> = {};
  const names = givenOptions(command, flags);
  for (const name of names)
    if (name !== 'budgetBytes') values[name] = parseOption(optionOf(name), flagOf(flags, name) ?? '');
  const budget = names.includes('budgetBytes') ? flags.budget : undefined;
  const others = values as OptionValues;
  if (budget === undefined) return others;
  return { ...others, budgetBytes: parseBudgetBytes(budget, '--budget', () => regularPeakBytes(others)) };
}

/** @throws BadInputError naming the option */
function parseOption(option: Option, text: string): unknown {
  const flag = `--${option.flag}`;
  if (option.is === 'ids') return text.split(',').map((id) => id.trim());
  if (option.is === 'file') return text;
  if (option.is === 'choice') return parseName(text, flag, option.of);
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!isTaken(option, value))
    throw new BadInputError(`${flag} must be ${expectedOf(option)}, got "${text}"`);
  return value;
}

/**
 * A budget in bytes, where it may be a share of what regular training needs.
 * @throws BadInputError naming the option
 */
export function parseBudgetBytes(text: string, option: string, regularPeakBytes: () => number): number {
  const budget = parseBudget(text);
  if (budget !== null) return bytesOfBudget(budget, regularPeakBytes);
  throw new BadInputError(
    `${option} must be an amount of memory such as 11GiB or 500MB, or a share above 0 % such as 60%, got "${text}"`,
  );
}

/**
 * `11GiB`, `1.5 GB`, `512MiB` or plain bytes.
 * @throws BadInputError naming the option
 */
export function parseBytes(text: string, option: string): number {
  const value = parse(text, { unitless: true });
  if (value === null) {
    throw new BadInputError(`${option} must be an amount of memory such as 11GiB or 500MB, got "${text}"`);
  }
  return value;
}

/**
 * A whole number within limits.
 * @throws BadInputError naming the option and its limits
 */
export function parseWhole(text: string, option: string, least: number, most: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new BadInputError(`${option} must be a whole number from ${least} to ${most}, got "${text}"`);
  }
  return value;
}

/**
 * One of some names.
 * @throws BadInputError naming the option and all of them
 */
export function parseName<Name extends string>(text: string, option: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new BadInputError(`${option} must be ${oneOf(names)}, got "${text}"`);
}
