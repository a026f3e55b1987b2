import { parentPort, workerData } from 'node:worker_threads';
import { CancelledError } from '../../engine/errors.ts';
import { failureFrom } from '../host/failure.ts';
import { FileNetworks } from './file-networks.ts';
import type { SolverData, SolverNews, SolverReply, SolverRequest } from './protocol.ts';
import { Solver } from './solver.ts';

/** Entry of the solver's thread. */
const { cancelled, files } = workerData as SolverData;
const send = (reply: SolverReply): void => parentPort?.postMessage(reply);
const networks = new FileNetworks(files, (file) => send({ type: 'keep', file }));
const solver = new Solver(networks);

parentPort?.on('message', async (message: SolverRequest | SolverNews) => {
  if ('keep' in message) {
    networks.keep(message.keep);
    return;
  }
  const { id, name, input } = message;
  const tick = (): void => {
    if (Atomics.load(cancelled, 0) === id) throw new CancelledError();
  };
  try {
    const result = await solver.answer(name, input, { tick }, (event) => send({ type: 'event', id, event }));
    send({ type: 'end', id, result });
  } catch (error) {
    const failure = error instanceof CancelledError ? ({ code: 'CANCELLED' } as const) : failureFrom(error);
    send({ type: 'error', id, failure });
  }
});
