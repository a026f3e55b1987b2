import { parentPort, workerData } from 'node:worker_threads';
import { answering } from './answering.ts';
import type { SolverData } from './protocol.ts';

/** Entry of the solver's thread. */
parentPort?.on(
  'message',
  answering(workerData as SolverData, (reply) => parentPort?.postMessage(reply)),
);
