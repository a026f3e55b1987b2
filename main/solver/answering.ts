import { CancelledError } from '../../engine/errors.ts';
import { failureFrom } from '../host/failure.ts';
import { FileNetworks } from './file-networks.ts';
import type { SolverData, SolverNews, SolverReply, SolverRequest } from './protocol.ts';
import { Solver } from './solver.ts';

/** Answers each message to the solver's thread, in Node and in a browser. */
export function answering(
  { cancelled, files }: SolverData,
  send: (reply: SolverReply) => void,
): (message: SolverRequest | SolverNews) => Promise<void> {
  const networks = new FileNetworks(files, (file) => send({ type: 'keep', file }));
  const solver = new Solver(networks);
  return async (message) => {
    if ('keep' in message) {
      networks.keep(message.keep);
      return;
    }
    const { id, name, input } = message;
    const tick = (): void => {
      if (Atomics.load(cancelled, 0) === id) throw new CancelledError();
    };
    try {
      const result = await solver.answer(name, input, { tick }, (event) =>
        send({ type: 'event', id, event }),
      );
      send({ type: 'end', id, result });
    } catch (error) {
      const failure = error instanceof CancelledError ? ({ code: 'CANCELLED' } as const) : failureFrom(error);
      send({ type: 'error', id, failure });
    }
  };
}
