import { Worker } from 'node:worker_threads';
import type { StartThread } from '../../../main/solver/threads.ts';

/**
 * A real thread that speaks the solver's protocol and does what the experiment's model says: `stuck`
 * loops without looking anywhere, `ticking` and a table loop until they are cancelled, `exit` and `throw` die, `keeps` is a file that
 * it was given, any other answers with one progress event, whose share done is the number of files that it knows.
 */
const CODE = `
const { parentPort, workerData } = require('node:worker_threads');
let files = workerData.files.length;
parentPort.on('message', ({ id, name, input, keep }) => {
  if (keep !== undefined) return files++;
  if (input?.model === 'keeps') {
    parentPort.postMessage({ type: 'keep', file: { name: 'f', bytes: new Uint8Array(1), imported: {} } });
    files++;
  }
  const event = { type: 'progress', strategy: 'regular', done: files };
  if (name === 'catalog') {
    return parentPort.postMessage({ type: 'end', id, result: { models: [], strategies: [] } });
  }
  parentPort.postMessage({ type: 'event', id, event });
  const model = name === 'table' ? 'ticking' : input?.model;
  if (model === 'exit') process.exit(3);
  if (model === 'throw') throw new Error('no such luck');
  while (model === 'stuck') {}
  while (model === 'ticking') {
    if (Atomics.load(workerData.cancelled, 0) === id) {
      return parentPort.postMessage({ type: 'error', id, failure: { code: 'CANCELLED' } });
    }
  }
  parentPort.postMessage({ type: 'end', id });
});
`;

/** Starts fake threads and keeps them for the test to look at. */
export function fakeThreads(): { readonly start: StartThread; readonly started: Worker[] } {
  const started: Worker[] = [];
  return {
    started,
    start(workerData) {
      const worker = new Worker(CODE, { eval: true, workerData, stderr: true });
      started.push(worker);
      return worker;
    },
  };
}
