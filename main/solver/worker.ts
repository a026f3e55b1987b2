import { parentPort, workerData } from 'node:worker_threads';
import { CancelledError } from '../../engine/errors.ts';
import { failureFrom } from '../host/failure.ts';
import { catalogOf } from './catalog.ts';
import { compareEvents } from './compare.ts';
import { SolverMemory } from './memory.ts';
import type { SolverData, SolverReply, SolverRequest } from './protocol.ts';

/** Entry of the solver's thread. Keeps graphs and plans between requests. */
const { cancelled } = workerData as SolverData;
const memory = new SolverMemory();

const send = (reply: SolverReply): void => parentPort?.postMessage(reply);

parentPort?.on('message', (request: SolverRequest) => {
  const { id } = request;
  try {
    if (request.type === 'catalog') {
      send({ type: 'catalog', id, catalog: catalogOf() });
    } else {
      const tick = (): void => {
        if (Atomics.load(cancelled, 0) === id) throw new CancelledError();
      };
      compareEvents(request.experiment, { tick }, (event) => send({ type: 'event', id, event }), memory);
    }
    send({ type: 'end', id });
  } catch (error) {
    const failure = error instanceof CancelledError ? ({ code: 'CANCELLED' } as const) : failureFrom(error);
    send({ type: 'error', id, failure });
  }
});
