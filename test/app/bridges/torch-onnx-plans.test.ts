import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileSource } from '../../../app/bridges/file-source.ts';
import { importFile } from '../../../app/bridges/import-file.ts';
import type { PlanFile } from '../../../engine/exchange/plan-file.ts';
import { skippedFor } from '../../support/skipped.ts';
import './bridge-file.ts';
import { printed } from './printed.ts';
import { hasModules, runReference, torchPythons } from './python.ts';
import { unpackWheel } from './unpacked-wheel.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  PyTorch: ['transformer'],
  'PyTorch 2.x': ['gpt2-sdpa', 'bert-eager', 'llama-sdpa', 'vit-sdpa'],
};
/**
 * Bytes that the promise of a file leaves out: in GPT-2 the backward of the cube in GELU makes one more tensor of the hidden
 * layer; in the other the gradient of the head waits for that of the embedding, which shares its weight.
 */
const BESIDE_BYTES: Readonly<Record<string, number>> = {
  'gpt2-sdpa': 4 * 2 * 16 * 128,
  transformer: 4 * 128 * 64,
};
const FIXTURE = 'gpt2-sdpa.dynamo.onnx';
const FIXTURES = [FIXTURE, 'vit-sdpa.dynamo.onnx'];
const BUDGET = '70%';
/** A plan ends where the model does. */
const LOSS_BYTES = 64;

interface Trained {
  readonly exact: boolean;
  readonly left: string | null;
  readonly recomputed: number;
  readonly predictedPeakBytes: number;
  readonly regularPeakBytes: number;
  readonly peakBytes: number;
  readonly refused?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'zigzag-onnx-plans-'));
const site = join(folder, 'site');
const at = (name: string): string => join(folder, name);
const read = (name: string, batch: number) => importFile(fileSource(at(name)), { batch }).summary;
const planOf = async (name: string, budget = BUDGET): Promise<PlanFile> => {
  const batch = String(samplesOf(name));
  return JSON.parse(
    await printed('export', at(name), '--batch', batch, '--budget', budget, '--to', 'torch-plan'),
  );
};
const modelOf = (file: string): string => file.split('.')[0] ?? '';
const samplesOf = (name: string): number => (name.startsWith('transformer') ? 8 : 2);

beforeAll(async () => {
  await unpackWheel(site);
  for (const name of FIXTURES) {
    const fixture = new URL(`../../fixtures/onnx/${name}.gz`, import.meta.url);
    writeFileSync(at(name), gunzipSync(readFileSync(fixture)));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a transformer from the newer exporter of PyTorch', () => {
  it('is read whole: attention is one operation, and constants are no parameters', () => {
    const { graph, summary } = importFile(fileSource(at(FIXTURE)), { batch: 2 });
    const labels = graph.operations.map((op) => (op.kind === 'opaque' ? op.label : op.kind));
    expect(labels.filter((label) => label === 'ScaledDotProductAttention')).toHaveLength(2);
    expect(labels).not.toContain('Softmax');
    expect(summary).toMatchObject({ opaque: [], notices: [] });
    // The file holds the positions that were read as a constant.
    expect(summary.parameters).toBe(32_896 - 32 * 32);
  });

  it.each(FIXTURES)('%s was written for two samples, and is read for any number', (name) => {
    const [one, two, eight] = [1, 2, 8].map((batch) => read(name, batch));
    expect([one?.keptBytes, eight?.keptBytes]).toEqual([two!.keptBytes / 2, two!.keptBytes * 4]);
    expect(eight?.parameters).toBe(two?.parameters);
  });

  it('has no plan within the one file, which brings no engine', async () => {
    await expect(
      printed('export', at(FIXTURE), '--batch', '2', '--budget', BUDGET, '--to', 'torch'),
    ).rejects.toThrow('export it with --to torch-plan and call zigzag_lab.plan_model');
    await expect(
      printed(
        'export',
        at(FIXTURE),
        '--batch',
        '2',
        '--strategy',
        'save-on-cpu',
        '--link',
        '12',
        '--to',
        'torch-plan',
      ),
    ).rejects.toThrow(
      'with other operations than those that the plan sends to host memory: capture your model',
    );
  });
});

for (const { title, python, reason } of torchPythons()) {
  describe.skipIf(reason !== '')(`${title}: transformers as ONNX files${skippedFor(reason)}`, () => {
    const names = NAMES[title] ?? [];
    const hasDynamo = hasModules(python, ['onnxscript']);
    const files = names.flatMap((name) => [
      `${name}.torchscript.onnx`,
      ...(hasDynamo || FIXTURES.includes(`${name}.dynamo.onnx`) ? [`${name}.dynamo.onnx`] : []),
    ]);

    beforeAll(() => void runReference('torch_onnx_plans.py', ['export', folder, ...names], 300_000, python));

    it.each(files)('%s keeps what its capture measured, and nothing is opaque', (file) => {
      const batch = samplesOf(file);
      const [captured, found] = [`${modelOf(file)}.json`, file].map((name) => read(name, batch));
      expect(found?.opaque).toEqual([]);
      const away = Math.abs((found?.keptBytes ?? 0) / (captured?.keptBytes ?? 1) - 1);
      expect(away).toBeLessThan(0.0025);
    });

    const train = (plans: readonly (readonly [file: string, plan: PlanFile])[]): readonly Trained[] => {
      const given = plans.map(([file, plan], i) => {
        writeFileSync(at(`${i}.plan.json`), JSON.stringify(plan));
        return `${modelOf(file)}=${i}.plan.json`;
      });
      const said = runReference('torch_onnx_plans.py', ['train', site, folder, ...given], 300_000, python);
      const lines = said.split('\n').filter((line) => line.startsWith('{'));
      expect(lines).toHaveLength(plans.length);
      return lines.map((line) => JSON.parse(line) as Trained);
    };

    it('train under the plan of the file: the same to the bit, within the peak that it promises', async () => {
      const plans: [string, PlanFile][] = [];
      for (const file of files) plans.push([file, await planOf(file)]);
      const [, first] = plans[0]!;
      const answers = train([...plans, [files[0]!, { ...first, peakBytes: 1000 }]]);
      for (const [i, [file, { peakBytes }]] of plans.entries()) {
        const answer = answers[i]!;
        expect(answer, file).toMatchObject({ exact: true, left: null });
        expect(answer.recomputed, file).toBeGreaterThan(0);
        expect(answer.predictedPeakBytes, file).toBeLessThanOrEqual(peakBytes);
        expect(answer.peakBytes - (BESIDE_BYTES[modelOf(file)] ?? 0), file).toBeLessThanOrEqual(
          peakBytes + LOSS_BYTES,
        );
        expect(answer.peakBytes, file).toBeLessThan(answer.regularPeakBytes);
      }
      expect(answers.at(-1)?.refused).toMatch(
        /promises a peak of 1000 bytes, and this \w+ needs more in PyTorch; a peak of \d+ bytes is known to work/,
      );
    });
  });
}
