import type { SolverThread, StartThread } from '../solver/threads.ts';

/** Starts the solver in a worker of a browser, which speaks like a thread of Node. */
export function webThread(start: () => Worker): StartThread {
  return (data) => {
    const worker = start();
    worker.postMessage(data);
    return overWorker(worker);
  };
}

type Listener = (value: never) => void;

function overWorker(worker: Worker): SolverThread {
  return {
    postMessage: (message) => worker.postMessage(message),
    on(event: 'message' | 'error' | 'exit', listener: Listener) {
      const say = listener as (value: unknown) => void;
      if (event === 'message') worker.addEventListener('message', ({ data }) => say(data));
      // One that fails goes on in a browser, where Node ends it; that it ended by itself a browser never says.
      if (event !== 'error') return;
      worker.addEventListener('error', ({ message }) => {
        worker.terminate();
        say(new Error(message || 'its code could not be loaded'));
      });
      worker.addEventListener('messageerror', () => say(new Error('a message could not be read')));
    },
    terminate: async () => worker.terminate(),
  };
}
