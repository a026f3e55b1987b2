import { formatBytes } from '../../engine/bytes.ts';
import { type OptionName, optionOf, type OptionValues } from '../../engine/options/options.ts';
import { optimizerOf } from '../../engine/training-memory/optimizers.ts';
import { PRECISION_TITLES, SHARD_TITLES } from '../../engine/training-memory/setup.ts';
import { batchText, count, percent } from './words.ts';

/** A step that makes training fit: `Way` of the contract. */
export interface WayInput {
  readonly change: OptionValues;
  readonly strategy: string;
  readonly totalBytes: number;
  readonly overhead: number | null;
  readonly changesResult: boolean;
  readonly samplesPerUpdate: number;
}

/** Sentence for a network without such a step. */
export const NO_WAY =
  'None of the changes that were tried makes it fit, with a plan or without. Use a device with more memory, a smaller input or a smaller network.';

/** The step as an act, for a button: `Use QLoRA of rank 16 and Chen √n`. */
export function wayTitle({ change, strategy }: WayInput, titleOf: (strategy: string) => string): string {
  const plan = strategy === 'regular' ? [] : [titleOf(strategy)];
  return `Use ${[...changeNames(change), ...plan].join(' and ')}`;
}

function changeNames(change: WayInput['change']): string[] {
  const { batch, accumulate, precision, optimizer, lora, baseBits, gpus, shard } = change;
  if (gpus !== undefined)
    return [`${count(gpus)} GPUs${shard === undefined ? '' : ` (${SHARD_TITLES[shard]})`}`];
  if (lora !== undefined) return [`${baseBits === undefined ? 'LoRA' : 'QLoRA'} of rank ${lora}`];
  if (baseBits !== undefined) return ['QLoRA'];
  if (optimizer !== undefined) return [optimizerOf(optimizer).title];
  if (precision !== undefined) return [PRECISION_TITLES[precision]];
  if (batch === undefined) return [];
  const steps = accumulate === undefined ? '' : `, ${count(accumulate)} steps added up`;
  return [`batch ${batchText(batch)}${steps}`];
}

/** Its memory, its time and whether training ends alike: `16.3 GiB, unknown extra time, changes the result`. */
export function wayFacts(
  { totalBytes, overhead, changesResult, samplesPerUpdate, change }: WayInput,
  space = ' ',
): string {
  const result = changesResult ? 'changes the result' : 'same result';
  const samples = change.gpus === undefined ? [] : [`${count(samplesPerUpdate)} samples per update`];
  return [formatBytes(totalBytes, space), timeText(overhead, space), ...samples, result].join(', ');
}

function timeText(overhead: number | null, space: string): string {
  if (overhead === null) return 'unknown extra time';
  if (Math.abs(overhead) < 0.0005) return 'no extra time (predicted)';
  return `${percent(Math.abs(overhead), space)} ${overhead < 0 ? 'less' : 'more'} time (predicted)`;
}

/** Flags to add to the command: `--lora 16 --base-bits 4`. */
export const wayFlags = ({ change }: WayInput): string =>
  Object.entries(change)
    .map(([name, value]) => `--${optionOf(name as OptionName).flag} ${value}`)
    .join(' ');

/** One way for the command line: `--batch 4 --accumulate 2 (10.2 GiB, no extra time (predicted), same result)`. */
export function wayLine(way: WayInput): string {
  const flags = wayFlags(way);
  const plan = way.strategy === 'regular' ? '' : `${flags === '' ? '' : ' '}under ${way.strategy}`;
  return `${flags}${plan}: ${wayFacts(way)}`;
}
