import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import { type BackendWasm, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { type Backend, BackendUnavailableError, type OpenBackend } from './backend.ts';
import { hasNvidiaGpu, THIS_MACHINE } from './cuda.ts';
import { type Allocator, HeapGuard } from './wasm/guard.ts';
import { registerWasmKernels } from './wasm/register.ts';
import { simd } from './wasm/simd.ts';

const NO_GPU = 'an NVIDIA GPU is here but not used, because WebAssembly runs on the processor';

let open: OpenBackend | null = null;

/**
 * TensorFlow.js on WebAssembly with kernels of our own (wasm/native), in one thread: TensorFlow.js turns its threaded
 * build off in Node, and our kernels work on its heap. So it is deterministic: equal inputs give equal bits. Works
 * everywhere.
 */
export const wasmBackend: Backend = {
  name: 'wasm',
  async open() {
    // One module per process: its heap cannot be freed, so it is kept for the next run.
    open ??= await load();
    await tf.setBackend('wasm');
    return open;
  },
};

async function load(): Promise<OpenBackend> {
  const entry = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(`${dirname(entry)}${sep}`);
  let guard: HeapGuard | null = null;
  // The module binds console.warn once, while it loads: the only report of a failed kernel.
  const warn = console.warn;
  console.warn = (...values: unknown[]) => {
    guard?.report(String(values[0]));
    warn(...values);
  };
  try {
    if (!(await tf.setBackend('wasm'))) throw new BackendUnavailableError('WebAssembly does not start here');
  } finally {
    console.warn = warn;
  }
  // The module is private in the types; only its allocator is used.
  const { wasm } = tf.backend() as unknown as { readonly wasm: Allocator } & BackendWasm;
  const heap = new HeapGuard(wasm);
  guard = heap;
  if ((await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT')) !== true) {
    throw new BackendUnavailableError('WebAssembly has no SIMD here');
  }
  // Compiled now, so that no measured step includes it.
  simd(tf.backend() as BackendWasm);
  registerWasmKernels(heap);
  return {
    name: 'wasm',
    device: 'WebAssembly with SIMD, one thread',
    runsOn: 'processor',
    ...(hasNvidiaGpu(THIS_MACHINE) ? { withoutGpu: NO_GPU } : {}),
    memory: () => ({ allocatedBytes: heap.liveBytes, peakBytes: heap.peakBytes, limitBytes: heap.capBytes }),
    check: () => heap.check(),
    close() {
      if (tf.memory().numTensors === 0) heap.sweep();
    },
  };
}
