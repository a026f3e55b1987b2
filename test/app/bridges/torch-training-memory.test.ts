import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skippedFor } from '../../support/skipped.ts';
import { figuresOf, type TorchRow } from '../../support/training-memory.ts';
import { runReference, torchPythons } from './python.ts';
import './bridge-file.ts';

/** Output of test/reference/torch_training_memory.py for ten networks. */
const RESULTS = 'test/bench/results/pytorch-2.15-training-memory.json';
const { rows } = JSON.parse(readFileSync(RESULTS, 'utf8')) as { readonly rows: readonly TorchRow[] };
const title = ({ name, batch, device, precision }: TorchRow): string =>
  `${name}, batch ${batch}, ${precision} on ${device}`;

/** Scalars and labels, which we do not count, matter where there is little else. */
const SLACK = 1024;

describe('PyTorch’s memory during training', () => {
  it('was recorded for ten networks in five precisions', () => {
    expect(new Set(rows.map(({ name }) => name)).size).toBe(10);
    expect(rows).toHaveLength(10 * 5);
  });

  it.each(rows.map((row) => [title(row), row] as const))(
    '%s: every term within 1 %%, the peak of a step within 2 %%',
    (_, row) => {
      for (const { what, ours, torch } of figuresOf(row)) {
        // The tracker sees what kernels make and drop within a backward, too.
        const share = what.startsWith('peak') ? 0.02 : 0.01;
        expect(Math.abs(ours - torch), `${what}: ${ours} of ${torch}`).toBeLessThanOrEqual(
          share * torch + SLACK,
        );
      }
    },
  );

  const { python, reason } = torchPythons()[1]!;
  it.skipIf(reason !== '')(`is unchanged in the installed version${skippedFor(reason)}`, () => {
    const printed = runReference('torch_training_memory.py', ['mobilenet-v2:32:224'], 580_000, python);
    const now = JSON.parse(printed.trim().split('\n').at(-1) ?? '{}') as { rows: readonly TorchRow[] };
    expect(now.rows).toEqual(rows.filter(({ name }) => name === 'mobilenet-v2'));
  });
});
