import { given } from '../given.ts';
import type { Changes, Option } from './option.ts';
import { OPTIONS } from './table.ts';

export type OptionName = keyof typeof OPTIONS;

/** The value of an option by what the table says of it. */
export type ValueOf<Declared extends Option> = Declared extends { readonly of: readonly (infer Name)[] }
  ? Name
  : Declared extends { readonly is: 'ids' }
    ? readonly string[]
    : Declared extends { readonly is: 'file' }
      ? string
      : number;

/** Options with their values; absent where nothing was said. */
export type OptionValues = {
  readonly [Name in OptionName]?: ValueOf<(typeof OPTIONS)[Name]> | undefined;
};

type NamesThatChange<Change extends Changes> = {
  [Name in OptionName]: (typeof OPTIONS)[Name]['changes'] extends Change ? Name : never;
}[OptionName];

/** The options that were stated, of those that change one of these first. */
export const statedOptions = <Change extends Changes>(
  values: OptionValues,
  ...changes: readonly Change[]
): { readonly [Name in NamesThatChange<Change>]?: Exclude<OptionValues[Name], undefined> } =>
  given(Object.fromEntries(optionsThatChange(...changes).map((name) => [name, values[name]])));

const NAMES = Object.keys(OPTIONS) as OptionName[];

export const optionOf = (name: OptionName): Option => OPTIONS[name];

/** The options that change one of these first, in the table's order. */
export function optionsThatChange(...changes: readonly Changes[]): readonly OptionName[] {
  return NAMES.filter((name) => changes.includes(OPTIONS[name].changes));
}

/** The options that language models alone have, in the table's order. */
export const LANGUAGE_OPTIONS = NAMES.filter((name) => optionOf(name).ofLanguageModels === true);

/** True when a value need not be stated, because it is the default. */
export function isUsual(name: OptionName, value: unknown): boolean {
  const option = optionOf(name);
  return value === option.implied || ('usual' in option && value === option.usual);
}

/** True where activations may be sent to host memory: a link was given. */
export const hasLink = ({ linkGBps }: Pick<OptionValues, 'linkGBps'>): boolean => linkGBps !== undefined;

/** Words in a row: `a, b or c`. */
export const oneOf = (words: Iterable<string>): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);

/** Names that fit into a sentence. */
const MAX_NAMED = 8;

/** True where an option takes a value. */
export function isTaken(option: Option, value: unknown): boolean {
  if (option.is === 'choice') return option.of.includes(value as string);
  if (option.is === 'ids') return Array.isArray(value) && value.every((id) => typeof id === 'string');
  if (option.is === 'file') return typeof value === 'string';
  const isWithin = typeof value === 'number' && value >= option.min && value <= option.max;
  return isWithin && (option.is !== 'whole' || Number.isInteger(value));
}

/** The values that an option takes: `a whole number from 1 to 65536`. */
export function expectedOf(option: Option, figure: (value: number) => string = String): string {
  switch (option.is) {
    case 'choice':
      return option.of.length > MAX_NAMED ? `a ${option.label.toLowerCase()} of this lab` : oneOf(option.of);
    case 'ids':
      return 'ids of operations';
    case 'file':
      return `a ${option.label.toLowerCase()} that this lab was given`;
    case 'bytes':
      return 'an amount of memory such as 11GiB or 500MB, or a share such as 60%';
    default: {
      const kind = option.is === 'whole' ? 'a whole number' : 'a number';
      const unit = option.unit === undefined ? '' : ` of ${UNITS[option.unit] ?? option.unit}`;
      return `${kind}${unit} from ${figure(option.min)} to ${figure(option.max)}`;
    }
  }
}

const UNITS: Readonly<Record<string, string>> = { s: 'seconds' };
