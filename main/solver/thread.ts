import { Worker } from 'node:worker_threads';
import type { StartThread } from './threads.ts';

/** Starts the built solver thread. Its output is dropped: standard output belongs to our caller. */
export function threadOf(file: string): StartThread {
  return (data) => {
    const worker = new Worker(file, { workerData: data, stdout: true, stderr: true });
    worker.stdout.resume();
    worker.stderr.resume();
    return worker;
  };
}
