import * as tf from '@tensorflow/tfjs-core';
import { type Backend, BackendUnavailableError, type OpenBackend } from './backend.ts';
import { watchDevice } from './webgpu-device.ts';

let open: OpenBackend | null = null;

/** TensorFlow.js on a page's own WebGPU: the desktop's hidden window, any browser. */
export const pageWebgpuBackend: Backend = {
  name: 'webgpu',
  async open() {
    open ??= await load();
    await tf.setBackend('webgpu');
    return open;
  },
};

async function load(): Promise<OpenBackend> {
  if (!('gpu' in navigator)) throw new BackendUnavailableError('this window has no WebGPU');
  if ((await navigator.gpu.requestAdapter()) === null) throw new BackendUnavailableError('no adapter');
  await import('@tensorflow/tfjs-backend-webgpu');
  if (!(await tf.setBackend('webgpu'))) throw new BackendUnavailableError('no device');
  return watchDevice();
}
