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
  readonly samplesAnUpdate: number;
}

/** Sentence for a network without such a step. */
export const NO_WAY =
  'None of the changes that were tried makes it fit, alone or together, with a plan or without. Use a device with more memory, a smaller input or a smaller network.';

/** The step as an act, for a button: `Use QLoRA of rank 16 with a plan`. */
export function wayTitle({ change, strategy }: WayInput, titleOf: (strategy: string) => string): string {
  const names = changeNames(change);
  if (names.length === 0) return `Use the plan of ${titleOf(strategy)}`;
  return `Use ${new Intl.ListFormat('en-GB').format(names)}${strategy === 'regular' ? '' : ' with a plan'}`;
}

function changeNames(change: WayInput['change']): string[] {
  const { batch, accumulate, precision, optimizer, lora, loraTargets, baseBits, gpus, shard, lossChunk } =
    change;
  const names: string[] = [];
  const quantised = baseBits === undefined ? 'LoRA' : 'QLoRA';
  const targets = loraTargets === 'attention' ? ' for attention' : '';
  if (lora !== undefined) names.push(`${quantised} of rank ${lora}${targets}`);
  else if (baseBits !== undefined) names.push(quantised);
  if (lossChunk !== undefined) names.push(`a loss in chunks of ${count(lossChunk)} tokens`);
  if (gpus !== undefined)
    names.push(`${count(gpus)} GPUs${shard === undefined ? '' : ` (${SHARD_TITLES[shard]})`}`);
  if (optimizer !== undefined) names.push(optimizerOf(optimizer).title);
  if (precision !== undefined) names.push(PRECISION_TITLES[precision]);
  // GPUs divide the batch that was asked for.
  if (batch === undefined || gpus !== undefined) return names;
  const steps = accumulate === undefined ? '' : ` (${count(accumulate)} steps added up)`;
  return [...names, `batch ${batchText(batch)}${steps}`];
}

/** Its memory, its time and whether training ends alike: `16.3 GiB, unknown extra time, changes the result`. */
export function wayFacts(
  { totalBytes, overhead, changesResult, samplesAnUpdate, change }: WayInput,
  space = ' ',
): string {
  const result = changesResult ? 'changes the result' : 'same result';
  const samples = change.gpus === undefined ? [] : [`${count(samplesAnUpdate)} samples an update`];
  return [formatBytes(totalBytes, space), timeText(overhead, space), ...samples, result].join(', ');
}

function timeText(overhead: number | null, space: string): string {
  if (overhead === null) return 'unknown extra time';
  if (Math.abs(overhead) < 0.0005) return 'no extra time (predicted)';
  return `${percent(Math.abs(overhead), space)} ${overhead < 0 ? 'less' : 'more'} time (predicted)`;
}

/** The steps for the command line, one a line. */
export const wayList = (ways: readonly WayInput[]): string =>
  ['Ways to fit:', ...ways.map((way, i) => `  ${i + 1}. ${wayLine(way)}`)].join('\n');

/** The step for the command line, with the flags to add: `Use Adafactor (--optimizer adafactor): 9.05 GiB, ...`. */
export function wayLine(way: WayInput): string {
  const flags = Object.entries(way.change).map(
    ([name, value]) => `--${optionOf(name as OptionName).flag} ${value}`,
  );
  const given = flags.length === 0 ? '' : ` (${flags.join(' ')})`;
  return `${wayTitle(way, (strategy) => strategy)}${given}: ${wayFacts(way)}`;
}
