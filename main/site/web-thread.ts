import type { SolverThread, StartThread } from '../solver/threads.ts';

/** Starts the solver in a browser's worker, with the interface of a Node thread. */
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
      // A browser keeps a failed worker running, where Node ends it, and never reports that a worker ended by itself.
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
