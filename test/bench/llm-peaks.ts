import { keepResult, keptRow, markdownTable } from '../support/bench-results.ts';
import { measured } from '../support/llm-cases.ts';
import {
  highest,
  INSTANTS,
  MAX_PEAK_DIFFERENCE,
  PEAK_CASES,
  type PeakCase,
  type Peaks,
  peakDifference,
  predictedPeaks,
} from '../support/llm-peaks.ts';
import { torch2Python, versionsOf } from './pytorch/site.ts';

const KEPT = 'llm-peaks';
const GIB = 2 ** 30;

/**
 * Compares the peaks of a training step with PyTorch's MemTracker for language models in their real sizes. Writes
 * test/bench/results/llm-peaks.md; exits 1 where they differ by more than the target. ZIGZAG_CASES, a regular expression,
 * measures cases by name; the rows of others stay.
 */
function main(): void {
  const python = torch2Python();
  const versions = versionsOf(python);
  const wanted = new RegExp(process.env['ZIGZAG_CASES'] ?? '');
  const rows = new Map(PEAK_CASES.map((one) => [one.name, keptRow(KEPT, one.name)]));
  for (const one of PEAK_CASES.filter(({ name }) => wanted.test(name))) {
    const row = rowOf(one, python);
    console.log(Object.values(row).join('  '));
    rows.set(one.name, row);
    // Some cases take minutes: an interrupted run loses none.
    keepResult(KEPT, 'Peaks of training steps of language models in their real sizes', [
      `${versions}, on fake tensors of the CPU. Full fine-tuning or peft's LoRA with AdamW (foreach), the second of two steps, whose loss is`,
      'cross entropy of the logits. In GiB; the last figure is the largest of the four differences. The workspace of cuBLAS,',
      '8.1 MiB, is left out: the tracker runs on the CPU.',
      '',
      ...markdownTable([...rows.values()].filter((kept) => kept !== undefined)),
    ]);
  }
}

function rowOf(one: PeakCase, python: string): Record<string, string> {
  const predicted = predictedPeaks(one);
  // A process of its own for each: fake tensors of the largest models fill memory with their descriptions.
  const tracked = measured<Peaks>([one], python, 'torch_peaks.py')[0]!;
  const difference = peakDifference(predicted, tracked);
  const holds = difference < MAX_PEAK_DIFFERENCE;
  if (!holds) process.exitCode = 1;
  const instant = highest(predicted);
  return {
    model: one.name,
    'predicted peak': (predicted[instant] / GIB).toFixed(3),
    'at the': instant,
    ...Object.fromEntries(INSTANTS.map((name) => [`MemTracker, ${name}`, (tracked[name] / GIB).toFixed(3)])),
    'difference, %': (100 * difference).toFixed(3),
    holds: holds ? 'yes' : 'no',
  };
}

main();
