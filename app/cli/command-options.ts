import { BadInputError } from '../../engine/errors.ts';
import type { Changes } from '../../engine/options/option.ts';
import {
  LANGUAGE_OPTIONS,
  type OptionName,
  optionOf,
  optionsThatChange,
} from '../../engine/options/options.ts';
import type { OPTIONS } from '../../engine/options/table.ts';
import { requireRead } from '../../engine/strategies/unread-options.ts';
import type { StrategyOption } from '../../engine/strategies/strategy/strategy.ts';

type Camel<Text extends string> = Text extends `no-${infer Rest}`
  ? Rest
  : Text extends `${infer First}-${infer Rest}`
    ? `${First}${Capitalize<Camel<Rest>>}`
    : Text;
type FlagOf<Name extends OptionName> = Camel<(typeof OPTIONS)[Name]['flag']>;

/** The options of the table as commander gives them. */
export type OptionFlags = {
  readonly [Name in OptionName as FlagOf<Name>]?: (typeof OPTIONS)[Name] extends {
    readonly flagValue: string;
  }
    ? boolean
    : string;
};

/** The name that commander has for a flag. */
const keyOf = (flag: string): string =>
  flag.replace(/^no-/, '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** The value of an option's flag; undefined where it was not given. */
export function flagOf(flags: OptionFlags, name: OptionName): string | undefined {
  const option = optionOf(name);
  const value = (flags as Readonly<Record<string, string | boolean | undefined>>)[keyOf(option.flag)];
  if (typeof value === 'string') return value;
  const isSet = value === !option.flag.startsWith('no-');
  return isSet && option.is === 'choice' ? option.flagValue : undefined;
}

/** The flags of options alone. */
export const givenFlags = (command: OptionCommand, flags: OptionFlags): OptionFlags => {
  const values = flags as Readonly<Record<string, unknown>>;
  const keys = givenOptions(command, flags).map((name) => keyOf(optionOf(name).flag));
  return Object.fromEntries(keys.map((key) => [key, values[key]]));
};

/** The same as words of a command line. */
export const wordsOf = (command: OptionCommand, flags: OptionFlags): string[] =>
  givenOptions(command, flags).flatMap((name) => {
    const { flag, value } = optionOf(name);
    return value === '' ? [`--${flag}`] : [`--${flag}`, flagOf(flags, name) ?? ''];
  });

const GRAPH = optionsThatChange('graph');
const PLAN = optionsThatChange('plan');
const without = (names: readonly OptionName[], ...others: OptionName[]): readonly OptionName[] =>
  names.filter((name) => !others.includes(name));

const ALL = [...GRAPH, ...optionsThatChange('memory'), ...PLAN, ...optionsThatChange('link')];

/** The options of the table that each command takes: those that can change its answer. */
export const COMMAND_OPTIONS = {
  solve: ALL,
  compare: ALL,
  explain: ALL,
  export: ALL,
  // The device is the budget.
  limits: without(ALL, 'budgetBytes'),
  fit: without(ALL, 'budgetBytes'),
  // It has lists of batches and budgets; the others are of one network or strategy.
  sweep: without(
    [...without(GRAPH, 'pipeline', 'pipelineStage'), ...PLAN, ...optionsThatChange('link')],
    'batch',
    'budgetBytes',
    'checkpoints',
    'plan',
  ),
  // The trainer has a profile of its own, kernels for float32 alone and no language model of a config.json.
  train: [
    ...without(GRAPH, 'profile', 'dtype', 'precision', ...LANGUAGE_OPTIONS),
    ...PLAN,
    ...optionsThatChange('link'),
  ],
  pebble: without(GRAPH, 'pipeline', 'pipelineStage'),
} satisfies Readonly<Record<string, readonly OptionName[]>>;

export type OptionCommand = keyof typeof COMMAND_OPTIONS;

/** The commands that show the times of transfers, so that a link changes what they say under any strategy. */
const SHOW_TIMES: readonly OptionCommand[] = ['solve', 'compare', 'sweep', 'fit'];

/** The options that were given, in the table's order. */
export const givenOptions = (command: OptionCommand, flags: OptionFlags): readonly OptionName[] =>
  COMMAND_OPTIONS[command].filter((name) => flagOf(flags, name) !== undefined);

/** @throws BadInputError in one sentence for an option that none of the strategies reads */
export function requireReadOptions(
  command: OptionCommand,
  flags: OptionFlags,
  strategies: readonly string[],
): void {
  const given = new Map<StrategyOption, OptionName>();
  const isLinked = ['linkGBps', 'device'].some((name) => flagOf(flags, name as OptionName) !== undefined);
  for (const name of givenOptions(command, flags)) {
    const { changes, partOf } = optionOf(name);
    // A training draws its weights, data and dropout from the seed too.
    const isDrawn = name === 'seed' && command === 'train';
    const isOfTimes = partOf === 'link' && SHOW_TIMES.includes(command);
    // Copies without a link are refused where the link is read.
    const isOfNone = name === 'linkCopies' && !isLinked;
    const isShown = isDrawn || isOfTimes || isOfNone || !['plan', 'link'].includes(changes);
    if (!isShown) given.set(partOf ?? (name as StrategyOption), name);
  }
  requireRead([...given.keys()], strategies, (option) => `--${optionOf(given.get(option)!).flag}`);
}

/**
 * @param names without their dashes
 * @throws BadInputError for a flag that was given, with the reason why it changes nothing
 */
export function refuseFlags(flags: object, names: readonly string[], reason: string): void {
  const values = flags as Readonly<Record<string, unknown>>;
  const isGiven = (name: string): boolean => {
    const value = values[keyOf(name)];
    return value !== undefined && value !== name.startsWith('no-');
  };
  const given = names.find(isGiven);
  if (given !== undefined) throw new BadInputError(`--${given} ${reason}; leave it out`);
}

/** The flags of options that change one of these first. */
export const flagsThatChange = (...changes: readonly Changes[]): readonly string[] =>
  optionsThatChange(...changes).map((name) => optionOf(name).flag);
