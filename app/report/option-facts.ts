import { formatBytes } from '../../engine/bytes.ts';
import type { Option } from '../../engine/options/option.ts';
import {
  hasLink,
  isUsual,
  type OptionName,
  optionOf,
  optionsThatChange,
  type OptionValues,
} from '../../engine/options/options.ts';
import { count, THIN } from './words.ts';

/** A value for people: `5 s`, `pure bfloat16`, `1.40 GiB`. */
function valueText(option: Option, value: unknown): string {
  if (option.is === 'choice') return option.titles?.[String(value)] ?? String(value);
  if (option.is === 'bytes') return formatBytes(Number(value), THIN);
  if (Array.isArray(value)) return value.join(', ');
  if (!('min' in option)) return String(value);
  const figure = option.is === 'whole' ? count(Number(value)) : String(value);
  return option.unit === undefined ? figure : `${figure} ${option.unit}`;
}

/** A device is shown with its memory by who knows both. */
const NAMES = optionsThatChange('graph', 'memory', 'plan', 'link').filter((name) => name !== 'device');

/**
 * The options of an experiment that are not as usual: label and value, in the table's order.
 *
 * @param always shown as usual too
 */
export function optionFacts(values: OptionValues, always: readonly OptionName[] = []): [string, string][] {
  return NAMES.flatMap((name): [string, string][] => {
    const value = values[name];
    const isSilent = value === undefined || (isUsual(name, value) && !always.includes(name));
    // A precision takes the place of the data type, and copies are a link's.
    const isOther =
      name === 'dtype' ? values.precision !== undefined : name === 'linkCopies' && !hasLink(values);
    if (isSilent || isOther) return [];
    const option = optionOf(name);
    return [[option.label, valueText(option, value)]];
  });
}
