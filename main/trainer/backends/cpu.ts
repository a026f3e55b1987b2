import * as tf from '@tensorflow/tfjs-core';
import type { Backend } from './backend.ts';
import { processorMemory } from './processor-memory.ts';

/** TensorFlow.js in plain JavaScript: slow, and the reference for tests of other backends. */
export const cpuBackend: Backend = {
  name: 'cpu',
  async open() {
    // Suppresses its advertisement for the native package.
    tf.env().set('PROD', true);
    await import('@tensorflow/tfjs-backend-cpu');
    await tf.setBackend('cpu');
    return {
      name: 'cpu',
      device: 'JavaScript, one thread',
      runsOn: 'processor',
      memory: () => ({ allocatedBytes: null, peakBytes: null, limitBytes: processorMemory() }),
      check: () => undefined,
      close: () => undefined,
    };
  },
};
