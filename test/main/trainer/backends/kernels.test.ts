import { describe, expect, test } from 'vitest';
import {
  compileKernels,
  hashOfSources,
  keptHash,
  keptModule,
  whyNoKernelCompiler,
} from '../../../../app/start/kernels.mjs';
import { skippedFor } from '../../../support/skipped.ts';

const why = whyNoKernelCompiler();

test('the stored kernels of wasm match their sources: after a change, npm run kernels', () => {
  expect(keptHash()).toBe(hashOfSources());
});

test('the stored kernels have no data and work on imported memory', () => {
  const module = new WebAssembly.Module(keptModule());
  expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'heap', name: 'memory', kind: 'memory' }]);
  const memory = new WebAssembly.Memory({ initial: 2 });
  new WebAssembly.Instance(module, { heap: { memory } });
  expect(new Uint8Array(memory.buffer).every((byte) => byte === 0)).toBe(true);
});

describe.skipIf(why !== '')(`the compiler of the kernels${skippedFor(why)}`, () => {
  test('reproduces the stored kernels byte for byte', () => {
    expect(compileKernels().equals(keptModule())).toBe(true);
  }, 60_000);
});
