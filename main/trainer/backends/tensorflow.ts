import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import { type Backend, BackendUnavailableError, type OpenBackend } from './backend.ts';
import { phraseOf } from './choose.ts';
import { whyNoCuda } from './cuda.ts';
import { processorMemory } from './processor-memory.ts';
import { registerFused } from './tensorflow/fused.ts';
import { GPU_PACKAGE, SETUP_PACKAGE, setupFolder } from './tensorflow-folder.ts';

let open: OpenBackend | null = null;

/** TensorFlow's native library through TensorFlow.js: CUDA if available. */
export const tensorflowBackend: Backend = {
  name: 'tensorflow',
  async open() {
    open ??= await load();
    await tf.setBackend('tensorflow');
    return open;
  },
};

interface Source {
  readonly what: string;
  /** Folder in which the setup built it; null for the package's own library. */
  readonly folder: string | null;
  load(): Promise<unknown> | unknown;
}

async function load(): Promise<OpenBackend> {
  restoreRemovedUtilities();
  // The library prints much on standard error that is no error; why it finds no GPU is determined separately.
  process.env['TF_CPP_MIN_LOG_LEVEL'] ??= '2';
  const sources: Source[] = [];
  const setup = setupFolder();
  if (setup !== null) {
    // A separate package with its own core: both cores share one engine and one kernel registry.
    const require = createRequire(join(setup, 'package.json'));
    const what = 'built by npm run setup:tensorflow';
    // The user asked for it, so it comes before a package that was installed otherwise.
    sources.push({ what, folder: setup, load: () => require(SETUP_PACKAGE) });
  }
  sources.push({ what: GPU_PACKAGE, folder: null, load: () => import(/* @vite-ignore */ GPU_PACKAGE) });
  const obstacles: string[] = [];
  for (const source of sources) {
    try {
      await source.load();
      if (await tf.setBackend('tensorflow')) {
        return describe(source);
      }
      obstacles.push(`${source.what} registers no backend`);
    } catch (error) {
      if (!isMissing(error)) obstacles.push(phraseOf(error));
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

/** True if the error only says that TensorFlow is not installed. */
export function isMissing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof message !== 'string') return false;
  // The package is a dependency, but its library is installed only on request.
  if (message.includes('tfjs_binding.node') && message.includes('can not be found')) return true;
  const isModule = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return isModule && message.includes('@tensorflow/tfjs-node');
}

function describe({ what, folder }: Source): OpenBackend {
  const { isUsingGpuDevice } = tf.backend() as unknown as { readonly isUsingGpuDevice?: boolean };
  const onGpu = isUsingGpuDevice === true;
  const withoutGpu = onGpu ? undefined : whyNoCuda(folder);
  // They are compiled for the processor only.
  const isFused = !onGpu && folder !== null && registerFused(folder);
  const where = onGpu ? 'a CUDA GPU' : isFused ? 'the processor with fused operations' : 'the processor';
  // An earlier setup built none; a setup whose compiler failed also says so.
  const besides = onGpu || folder === null || isFused ? '' : ' without fused operations';
  return {
    name: 'tensorflow',
    device: `TensorFlow on ${where}, ${what}${besides}`,
    runsOn: onGpu ? 'gpu' : 'processor',
    ...(withoutGpu === undefined ? {} : { withoutGpu }),
    memory: () => ({ allocatedBytes: null, peakBytes: null, limitBytes: onGpu ? null : processorMemory() }),
    check: () => undefined,
    close: () => undefined,
  };
}
