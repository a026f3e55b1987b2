import * as tf from '@tensorflow/tfjs-core';
import { type Backend, BackendUnavailableError, type OpenBackend } from './backend.ts';
import { phraseOf } from './choose.ts';
import { watchDevice } from './webgpu-device.ts';

let open: OpenBackend | null = null;

/** TensorFlow.js on WebGPU, through Dawn's binding for plain Node: any GPU that Vulkan, Metal or D3D12 drives. */
export const webgpuBackend: Backend = {
  name: 'webgpu',
  async open() {
    if (process.versions['electron'] !== undefined) {
      throw new BackendUnavailableError("Dawn's binding for Node cannot work inside Electron");
    }
    open ??= await load();
    await tf.setBackend('webgpu');
    return open;
  },
};

async function load(): Promise<OpenBackend> {
  await installDawn();
  if ((await navigator.gpu.requestAdapter()) === null) throw new BackendUnavailableError('no adapter');
  // The package looks for a page's globals once, at load time, and registers nothing without them.
  const restore = pretendToBeAPage();
  try {
    await import('@tensorflow/tfjs-backend-webgpu');
    if (!(await tf.setBackend('webgpu'))) throw new BackendUnavailableError('no device');
  } finally {
    restore();
  }
  return watchDevice();
}

/** Defines `navigator.gpu` and WebGPU's classes as globals, as in a page. */
async function installDawn(): Promise<void> {
  try {
    const { create, globals } = await import('webgpu');
    Object.assign(globalThis, globals);
    const gpu = create([]);
    if (typeof globalThis.navigator === 'undefined') {
      Object.defineProperty(globalThis, 'navigator', { value: { gpu }, configurable: true });
    } else {
      Object.defineProperty(globalThis.navigator, 'gpu', { value: gpu, configurable: true });
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND')
      throw new BackendUnavailableError('not installed: npm run setup:webgpu adds it (130 MB)');
    throw new BackendUnavailableError(`Dawn's binding for Node does not load: ${phraseOf(error)}`);
  }
}

function pretendToBeAPage(): () => void {
  const scope = globalThis as { window?: unknown };
  if (scope.window !== undefined) return () => undefined;
  scope.window = globalThis;
  return () => {
    delete scope.window;
  };
}
