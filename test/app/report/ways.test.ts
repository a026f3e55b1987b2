import { describe, expect, it } from 'vitest';
import type { Way } from '../../../app/contract/ways.ts';
import { wayFacts, wayLine, wayTitle } from '../../../app/report/ways.ts';
import { OPTIONS } from '../../../engine/options/table.ts';

const way = (part: Partial<Way>): Way => ({
  change: {},
  strategy: 'regular',
  totalBytes: 3 * 2 ** 30,
  overhead: 0.12,
  changesResult: true,
  samplesAnUpdate: 8,
  ...part,
});
const title = (part: Partial<Way>): string => wayTitle(way(part), (name) => name.toUpperCase());

describe('a way to fit in words', () => {
  it.each([
    [{ strategy: 'budget' }, 'Use the plan of BUDGET'],
    [{ change: { lora: 16 } }, 'Use LoRA of rank 16'],
    [{ change: { lora: 16, baseBits: '4' }, strategy: 'budget' }, 'Use QLoRA of rank 16 with a plan'],
    [{ change: { baseBits: '4' } }, 'Use QLoRA'],
    [
      { change: { lora: 16, baseBits: '4', precision: 'bf16', lossChunk: 512 }, strategy: 'budget' },
      'Use QLoRA of rank 16, a loss in chunks of 512 tokens and pure bfloat16 with a plan',
    ],
    [
      { change: { gpus: 8, shard: 'fsdp2', lora: 16, accumulate: 2, batch: 1 } },
      'Use LoRA of rank 16 and 8 GPUs (FSDP2)',
    ],
    [{ change: { batch: 4 } }, 'Use batch 4'],
    [{ change: { batch: 4, accumulate: 2 } }, 'Use batch 4 (2 steps added up)'],
    [{ change: { gpus: 4, shard: 'fsdp2', batch: 2 } }, 'Use 4 GPUs (FSDP2)'],
    [{ change: { optimizer: 'adam8bit' } }, 'Use Adam, 8 bits'],
    [{ change: { precision: 'bf16' } }, 'Use pure bfloat16'],
  ] as const)('names %o', (part, expected) => expect(title(part)).toBe(expected));

  it.each([
    [{}, '3.00 GiB, 12 % more time (predicted), changes the result'],
    [{ overhead: 0, changesResult: false }, '3.00 GiB, no extra time (predicted), same result'],
    [{ overhead: -0.2 }, '3.00 GiB, 20 % less time (predicted), changes the result'],
    [
      { overhead: null, change: { gpus: 8 } },
      '3.00 GiB, unknown extra time, 8 samples an update, changes the result',
    ],
  ] as const)('has the facts of %o', (part, expected) => expect(wayFacts(way(part))).toBe(expected));

  it('has the flags of the command line', () => {
    const { lora, baseBits } = OPTIONS;
    expect(wayLine(way({ change: { lora: 16, baseBits: '4' } }))).toContain(
      `(--${lora.flag} 16 --${baseBits.flag} 4): 3.00 GiB`,
    );
    expect(wayLine(way({ strategy: 'budget' }))).toMatch(/^Use the plan of budget: /);
  });
});
