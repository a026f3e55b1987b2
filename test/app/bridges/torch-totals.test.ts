import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildWheel } from '../../../app/start/wheel.mjs';
import { skippedFor } from '../../support/skipped.ts';
import { runReference, torchPythons } from './python.ts';

/** Bytes that `zigzag.total` predicts and PyTorch's MemTracker counts, by optimizer. */
type Totals = Readonly<Record<string, readonly [predicted: number, tracked: number]>>;

const NETWORKS = [
  'resnet18',
  'vgg11',
  'mobilenet-v2',
  'timm-convnext-atto',
  'hf-vit',
  'hf-gpt2',
  'hf-llama',
  'hf-bert',
  'hf-t5',
  'tiny-gpt',
];

const { python, reason } = torchPythons()[1]!;

describe.skipIf(reason !== '')(`memory of a whole training step${skippedFor(reason)}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-totals-'));
  let totals: Readonly<Record<string, Totals>> = {};

  beforeAll(async () => {
    for (const [name, bytes] of Object.entries(unzipSync(readFileSync(await buildWheel(folder))))) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    const printed = runReference('torch_totals.py', [folder, ...NETWORKS], 300_000, python);
    totals = JSON.parse(printed.trim().split('\n').at(-1) ?? '{}');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(NETWORKS)('%s: within 2 %% of what PyTorch counts, with three optimizers', (name) => {
    const rows = Object.entries(totals[name] ?? {});
    expect(rows.map(([optimizer]) => optimizer)).toEqual(['SGD with momentum', 'Adam', 'AdamW']);
    for (const [optimizer, [predicted, tracked]] of rows) {
      expect(Math.abs(predicted / tracked - 1), `${optimizer}: ${predicted} of ${tracked}`).toBeLessThan(
        0.02,
      );
    }
  });
});
