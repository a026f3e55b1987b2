import { createRequire } from 'node:module';
import * as tf from '@tensorflow/tfjs-core';
import { type Backend, BackendUnavailableError, type OpenBackend } from './backend.ts';
import { phraseOf } from './choose.ts';

/** Optional packages: a constant would make the compiler and bundlers insist on them. */
const PACKAGES: readonly string[] = ['@tensorflow/tfjs-node-gpu', '@tensorflow/tfjs-node'];

let open: OpenBackend | null = null;

/** TensorFlow's native library through TensorFlow.js: CUDA where there is any. */
export const tensorflowBackend: Backend = {
  name: 'tensorflow',
  async open() {
    open ??= await load();
    await tf.setBackend('tensorflow');
    return open;
  },
};

async function load(): Promise<OpenBackend> {
  restoreRemovedUtilities();
  const obstacles: string[] = [];
  for (const name of PACKAGES) {
    try {
      await import(/* @vite-ignore */ name);
      if (await tf.setBackend('tensorflow')) return describe(name);
      obstacles.push(`${name} registers no backend`);
    } catch (error) {
      if (!isMissing(error, name)) obstacles.push(phraseOf(error));
    }
  }
  throw new BackendUnavailableError(obstacles[0] ?? 'not installed');
}

/** The package calls functions that Node 23 removed. */
function restoreRemovedUtilities(): void {
  const util = createRequire(import.meta.url)('node:util') as Record<string, unknown>;
  util['isNullOrUndefined'] ??= (value: unknown): boolean => value === null || value === undefined;
  util['isArray'] ??= Array.isArray;
}

function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (
    (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') &&
    typeof message === 'string' &&
    message.includes(`'${name}'`)
  );
}

function describe(name: string): OpenBackend {
  const { isUsingGpuDevice } = tf.backend() as unknown as { readonly isUsingGpuDevice?: boolean };
  return {
    name: 'tensorflow',
    device: isUsingGpuDevice === true ? `CUDA GPU (${name})` : `processor (${name})`,
    isSoftware: false,
    memory: () => ({ allocatedBytes: null, peakBytes: null, limitBytes: null }),
    check: () => undefined,
    close: () => undefined,
  };
}
