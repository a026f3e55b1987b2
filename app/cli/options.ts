import { parseBytes as parse } from '../../engine/bytes.ts';
import { BadInputError } from '../../engine/errors.ts';

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
 * A time limit.
 * @throws BadInputError naming the option
 */
export function parseSeconds(text: string, option: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || value <= 0) {
    throw new BadInputError(`${option} must be a number of seconds above 0, got "${text}"`);
  }
  return value;
}

/**
 * A rate in [0, 1).
 * @param most the highest, where that is less
 * @throws BadInputError naming the option and its limits
 */
export function parseRate(text: string, option: string, most = 1): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0 && value < 1 && value <= most)) {
    const limits = most < 1 ? `from 0 to ${most}` : 'from 0 to below 1';
    throw new BadInputError(`${option} must be a number ${limits}, got "${text}"`);
  }
  return value;
}

/** Operation ids, separated by commas. */
export function parseIds(text: string): string[] {
  return text.split(',').map((id) => id.trim());
}

/**
 * One of some names.
 * @throws BadInputError naming the option and all of them
 */
export function parseName<Name extends string>(text: string, option: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  const all = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
  throw new BadInputError(`${option} must be ${all}, got "${text}"`);
}
