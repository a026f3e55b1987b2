import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { totalParameters } from '../../../engine/graph/graph.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { NO_TORCH, runReference } from '../../app/bridges/python.ts';
import { skippedFor } from '../../support/skipped.ts';
import { regularStep } from './regular-step.ts';

/** One line of test/reference/torch_saved.py. */
interface Row {
  readonly name: string;
  readonly batch: number;
  readonly input: number;
  readonly parameters: number;
  readonly savedBytes: number;
  readonly multiplyAdds: number;
  readonly outputShape: readonly number[];
}

const recorded = JSON.parse(
  readFileSync(new URL('../../fixtures/torch-saved.json', import.meta.url), 'utf8'),
) as { readonly torch: string; readonly rows: readonly Row[] };

function ourRow({ name, batch, input }: Row): Row {
  const graph = buildModel(name, { batch, input });
  const outputShape = graph.shapes[graph.size - 1] ?? [];
  let products = 0;
  graph.operations.forEach((op, v) => {
    if (op.kind !== 'conv2d' && op.kind !== 'linear') return;
    const biases = op.bias ? (graph.bytes[v] ?? 0) / graph.bytesPerElement : 0;
    products += ((graph.flops[v] ?? 0) - biases) / 2;
  });
  return {
    name,
    batch,
    input,
    parameters: totalParameters(graph),
    savedBytes: regularStep(graph).savedBytes,
    multiplyAdds: products,
    outputShape,
  };
}

describe(`networks as torch ${recorded.torch} runs them (recorded)`, () => {
  it('covers every network of the papers at two inputs', () => {
    expect(new Set(recorded.rows.map((row) => row.name)).size).toBe(18);
    expect(recorded.rows).toHaveLength(36);
  });

  it.each(recorded.rows.map((row) => [row.name, row.input, row] as const))(
    '%s at %i',
    (_name, _input, row) => {
      expect(ourRow(row)).toEqual(row);
    },
  );
});

describe('networks as the installed torch runs them', () => {
  it.skipIf(NO_TORCH !== '')(`resnet18, densenet121${skippedFor(NO_TORCH)}`, () => {
    const cases = ['resnet18:2:64', 'densenet121:3:64'];
    const { rows } = JSON.parse(runReference('torch_saved.py', cases, 170_000)) as { rows: readonly Row[] };
    expect(rows.map(ourRow)).toEqual(rows);
  });
});
