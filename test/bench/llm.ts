import { spawnSync } from 'node:child_process';
import { CHUNKED_LOSS_CASES, predictedStep, type StepFigures } from '../support/chunked-loss-cases.ts';
import { keepResult, markdownTable } from '../support/bench-results.ts';
import { ALL_CASES, measured, measuredCases, mostDifference, predicted } from '../support/llm-cases.ts';
import { torch2Python, versionsOf } from './pytorch/site.ts';

/**
 * Compares the bytes that autograd keeps of models from a config.json with the prediction. Writes
 * test/bench/results/llm.md; exits 1 where parameters differ, or saved bytes by more than the target.
 */
function main(): void {
  const python = torch2Python();
  const peft = spawnSync(python, ['-c', 'import peft; print(peft.__version__)'], { encoding: 'utf8' });
  const theirs = measuredCases(python);
  const rows = ALL_CASES.map((one, i) => {
    const ours = predicted(one);
    const { parameters, trained, savedBytes } = theirs[i]!;
    const difference = ours.savedBytes / savedBytes - 1;
    const isCounted = ours.parameters === parameters && ours.trained === trained;
    const holds = isCounted && Math.abs(difference) < mostDifference(one);
    if (!holds) process.exitCode = 1;
    return {
      model: one.name,
      parameters,
      trained,
      predicted: ours.savedBytes,
      measured: savedBytes,
      'difference, %': (100 * difference).toFixed(3),
      holds: holds ? 'yes' : 'no',
    };
  });
  const lines = [
    `${versionsOf(python)} and peft ${peft.stdout.trim()}, on the CPU; saved bytes of one forward of 2 sequences of 24 tokens, without labels. The number by which`,
    'written-out attention scales its scores is counted by the prediction (8 bytes a layer) and not shown by the hooks. Of a',
    'pipeline stage: the most that it keeps when a backward begins, of all its micro-batches.',
    '',
    ...markdownTable(rows),
    '',
    'The loss in chunks of tokens (torch.nn.functional.linear_cross_entropy): bytes without parameters, in float32, when the loss',
    'was computed, and at the peak of forward and backward.',
    '',
    ...markdownTable(chunkedRows(python)),
  ];
  keepResult('llm', 'Bytes kept for backward of models from a config.json', lines);
  console.log(lines.join('\n'));
}

function chunkedRows(python: string): Record<string, string | number>[] {
  const cases = CHUNKED_LOSS_CASES.filter(({ dtype, chunk }) => dtype === 'float32' && chunk !== null);
  const theirs = measured<StepFigures>(cases, python, 'torch_chunked_loss.py');
  return cases.map((one, i) => {
    const [ours, { keptBytes, peakBytes }] = [predictedStep(one), theirs[i]!];
    const [kept, peak] = [ours.keptBytes / keptBytes - 1, ours.peakBytes / peakBytes - 1];
    const holds = Math.abs(kept) < 0.01 && Math.abs(peak) < 0.001;
    if (!holds) process.exitCode = 1;
    return {
      model: one.name,
      'kept, predicted': ours.keptBytes,
      'kept, measured': keptBytes,
      'peak, predicted': ours.peakBytes,
      'peak, measured': peakBytes,
      'difference of the peak, %': (100 * peak).toFixed(3),
      holds: holds ? 'yes' : 'no',
    };
  });
}

main();
