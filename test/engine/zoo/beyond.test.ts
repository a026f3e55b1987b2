import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseGraphFile } from '../../../engine/exchange/graph-file.ts';
import { totalParameters } from '../../../engine/graph/graph.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import '../../app/bridges/bridge-file.ts';
import { NO_TORCH, runReference } from '../../app/bridges/python.ts';
import { skippedFor } from '../../support/skipped.ts';
import { regularStep } from './regular-step.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

describe('networks beyond the papers', () => {
  /** As their authors or torchvision count them; BERT with its pooler, GPT-2 with its head's weight shared. */
  it.each([
    ['gpt2', 124_439_808],
    ['bert-base', 109_482_240],
    ['vit-b-16', 86_567_656],
    ['mobilenet-v2', 3_504_872],
    ['unet', 31_037_698],
    ['unet-group-norm', 31_037_698],
  ])('%s has %i parameters', (name, parameters) => {
    expect(totalParameters(buildModel(name, { batch: 1 }))).toBe(parameters);
  });

  it.each(['gpt2', 'bert-base', 'vit-b-16'])('%s keeps no probabilities with fused attention', (name) => {
    const [apart, fused] = [name, `${name}-fused`].map((model) => buildModel(model, { batch: 1 }));
    const length = apart?.shapes.find((shape) => shape.length === 4 && shape[1] === 12)?.[2] ?? 0;
    const difference = regularStep(apart!).savedBytes - regularStep(fused!).savedBytes;
    // Per layer: the softmax (and the divisor) instead of one number a row and head; the output is the other
    // form's copy.
    expect(difference).toBe(12 * (12 * length * 4 * (length - 1) + 8));
    expect(totalParameters(fused!)).toBe(totalParameters(apart!));
  });

  it('admits no sequence beyond the trained positions', () => {
    expect(() => buildModel('gpt2', { batch: 1, input: 1025 })).toThrow(
      'input: expected a sequence of at most 1024, got 1025',
    );
  });

  it.each(['gpt2', 'bert-base-fused', 'vit-b-16', 'mobilenet-v2', 'unet', 'unet-group-norm'])(
    '%s peaks lower with `optimal`',
    (name) => {
      const problem = createProblem(buildModel(name, { batch: 2 }), 'pytorch');
      const [regular, optimal] = ['regular', 'optimal'].map((strategy) =>
        solveRow(problem, strategy, { seed: 1 }),
      );
      expect(optimal?.peakBytes).toBeLessThan((regular?.peakBytes ?? 0) / 2);
    },
  );
});

/** Attention in torch copies q, k and v where their strides ask for it; the bytes are the same. */
const CASES: readonly [string, number, number][] = [
  ['gpt2', 2, 24],
  ['bert-base', 2, 24],
  ['vit-b-16', 2, 48],
  ['mobilenet-v2', 2, 64],
  ['unet', 2, 32],
  ['unet-group-norm', 2, 32],
];

describe.skipIf(NO_TORCH !== '')(`networks beyond the papers, in PyTorch${skippedFor(NO_TORCH)}`, () => {
  const folder = freshFolder();
  beforeAll(() => {
    const cases = CASES.map((entry) => entry.join(':'));
    runReference('torch_beyond.py', [folder, ...cases]);
  });

  it.each(CASES)('%s keeps what autograd keeps', (name, batch, input) => {
    const captured = parseGraphFile(readFileSync(join(folder, `${name}.json`), 'utf8'));
    const ours = buildModel(name, { batch, input });
    expect(totalParameters(ours)).toBe(totalParameters(captured));
    expect(regularStep(ours).savedBytes).toBe(regularStep(captured).savedBytes);
  });
});
