import { deviceOf } from '../../engine/devices/devices.ts';
import {
  hasLink,
  isUsual,
  type OptionName,
  optionOf,
  optionsThatChange,
  type OptionValues,
} from '../../engine/options/options.ts';
import type { StrategyOption, StrategyTraits } from '../../engine/strategies/strategy/strategy.ts';

/** An experiment as the command line is told it: networks, plans and costs by the paths of their files. */
export interface CommandInput extends OptionValues {
  readonly models: readonly string[];
  readonly batch: number;
  readonly costs?: string | undefined;
  /** Budget as a share of what each network's regular training needs, in place of the bytes of one: `60%`. */
  readonly budgetShare?: string | undefined;
}

interface Asked {
  readonly name: string;
  readonly reads: StrategyTraits['reads'];
}

const SOLVING = optionsThatChange('graph', 'memory', 'plan', 'link');
/** The program that trains so, with a plan or without. */
export const scriptLine = (
  input: CommandInput,
  strategy: Asked,
  form: 'script' | 'torchtitan' = 'script',
): string => `${commandLine(input, strategy, 'export', SOLVING)} --to ${form}`;

/** A plan says nothing of what lies beside the activations. */
const OF_PLANS = optionsThatChange('graph', 'plan', 'link');

/** `zigzag compare resnet50 --batch 64`, or `solve` with one strategy: without defaults and what the strategy does not read. */
export function commandLine(
  input: CommandInput,
  strategy?: Asked,
  command = strategy === undefined ? 'compare' : 'solve',
  names: readonly OptionName[] = command === 'export' ? OF_PLANS : SOLVING,
): string {
  return [
    'zigzag',
    command,
    ...input.models.map(quoted),
    ...names.filter((name) => isSaid(name, input, strategy)).flatMap((name) => wordsOf(name, input)),
    ...(input.costs === undefined ? [] : ['--costs', quoted(input.costs)]),
    ...(strategy === undefined ? [] : ['--strategy', strategy.name]),
  ].join(' ');
}

function isSaid(name: OptionName, input: CommandInput, strategy: Asked | undefined): boolean {
  const option = optionOf(name);
  const value = input[name];
  if (value === undefined || isUsual(name, value) || (Array.isArray(value) && value.length === 0))
    return false;
  if (name === 'dtype') return input.precision === undefined;
  if (option.changes === 'link') {
    // An experiment has a device for its memory too, and one of the user's own has no name here.
    const isNamed = name !== 'device' || deviceOf(String(value))?.hostGBps != null;
    if (!hasLink(input) || !isNamed) return false;
  }
  const isRead = option.changes === 'plan' || option.changes === 'link';
  return (
    !isRead ||
    strategy === undefined ||
    strategy.reads[option.partOf ?? (name as StrategyOption)] !== undefined
  );
}

function wordsOf(name: OptionName, input: CommandInput): string[] {
  const option = optionOf(name);
  const value = (name === 'budgetBytes' ? input.budgetShare : undefined) ?? input[name];
  const isSwitch = option.is === 'choice' && option.flagValue !== undefined;
  return isSwitch ? [`--${option.flag}`] : [`--${option.flag}`, quoted(String(value))];
}

/** A word of a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
