import { keepResult, markdownTable } from '../support/bench-results.ts';
import {
  MAX_SHARD_DIFFERENCE,
  predictedShard,
  SHARDING_CASES,
  trackedShards,
} from '../support/llm-sharding.ts';
import { torch2Python, versionsOf } from './pytorch/site.ts';

/**
 * Compares the peak of one rank of `fully_shard` with PyTorch's FSDPMemTracker. Writes
 * test/bench/results/llm-sharding.md; exits 1 where they differ by more than the target.
 */
function main(): void {
  const python = torch2Python();
  const tracked = trackedShards(python);
  const rows = SHARDING_CASES.map((one, i) => {
    const predicted = predictedShard(one);
    const difference = predicted / tracked[i]! - 1;
    const holds = Math.abs(difference) < MAX_SHARD_DIFFERENCE;
    if (!holds) process.exitCode = 1;
    return {
      model: one.name,
      predicted,
      FSDPMemTracker: tracked[i]!,
      'difference, %': (100 * difference).toFixed(3),
      holds: holds ? 'yes' : 'no',
    };
  });
  const lines = [
    `${versionsOf(python)}, over a fake process group. Bytes at the peak of forward and backward of the second of two steps with AdamW;`,
    'each decoder layer is a unit, and so is the rest of the model. 2 sequences of 24 tokens, and the loss is their sum.',
    '',
    ...markdownTable(rows),
  ];
  keepResult('llm-sharding', 'Peaks of one rank under FSDP2', lines);
  console.log(lines.join('\n'));
}

main();
