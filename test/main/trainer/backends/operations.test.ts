import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { OPERATIONS_VERSION } from '../../../../main/trainer/backends/tensorflow/fused.ts';
import { setupFolder } from '../../../../main/trainer/backends/tensorflow-folder.ts';
import { tensorflowBackend } from '../../../../main/trainer/backends/tensorflow.ts';
import { backendTraits } from '../../../../main/trainer/kernels/traits.ts';
import { skippedFor } from '../../../support/skipped.ts';
import { difference } from '../run-kernel.ts';

const SCRIPT = join(import.meta.dirname, 'operations-script.mjs');
const NATIVE = join(import.meta.dirname, '../../../../main/trainer/backends/tensorflow/native');
const run = promisify(execFile);
const folder = setupFolder();
const why = await tensorflowBackend.open().then(
  () => (backendTraits().fuses ? '' : 'TensorFlow was set up without fused operations'),
  (error: Error) => `${error.message.replace(/\.$/, '')}; npm run setup:tensorflow builds TensorFlow`,
);

test('the library and its callers name one version', () => {
  const [, version] = /VERSION = (\d+);/.exec(readFileSync(join(NATIVE, 'operations.cc'), 'utf8')) ?? [];
  expect(Number(version)).toBe(OPERATIONS_VERSION);
});

async function resultsOf(
  rows: number,
  env: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const { stdout } = await run(process.execPath, [SCRIPT, folder ?? '', String(rows)], {
    env: { ...process.env, TF_CPP_MIN_LOG_LEVEL: '3', ...env },
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(stdout) as Record<string, string>;
}

describe.skipIf(why !== '')(`the fused operations of TensorFlow${skippedFor(why)}`, () => {
  // Rows enough that several threads share them.
  test('give the same bits with one thread and with several', async () => {
    const [alone, shared] = await Promise.all(
      ['1', '3'].map((threads) => resultsOf(12_000, { TF_NUM_INTRAOP_THREADS: threads })),
    );
    expect(Object.keys(alone ?? {})).toHaveLength(15);
    for (const [name, values] of Object.entries(alone ?? {}))
      expect(shared?.[name] === values, name).toBe(true);
  });

  // On a processor that has none of them all three are the plain one.
  test('compute the same with narrower instructions', async () => {
    const [plain, ...wider] = await Promise.all(
      ['plain', 'avx2', 'avx512'].map((set) => resultsOf(121, { ZIGZAG_INSTRUCTIONS: set })),
    );
    const floats = (text: string | undefined): Float32Array =>
      new Float32Array(new Uint8Array(Buffer.from(text ?? '', 'base64')).buffer);
    for (const results of wider) {
      for (const [name, values] of Object.entries(plain ?? {}))
        expect(difference(floats(results[name]), floats(values)), name).toBeLessThan(1e-5);
    }
  });
});
