import { endOnRejection } from '../host/end-on-rejection.ts';
import type { ToHistory } from './protocol.ts';
import { type HistoryPort, serveHistory } from './serve-history.ts';

/**
 * The process that has the database: a child process of Node in browser mode and on the command line, a utility process
 * on the desktop. A native library that aborts takes this one with it, and neither the lab nor a run. Ends with its host.
 */

/** What Electron gives to a utility process. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

function portToHost(): HistoryPort {
  const { parentPort } = process as { readonly parentPort?: ParentPort };
  if (parentPort !== undefined) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data as ToHistory)),
    };
  }
  process.on('disconnect', () => process.exit(0));
  // These reach every process of a terminal or a service; the host says when this one is to end, after its last word.
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);
  return {
    send: (message) => process.connected && process.send?.(message, () => undefined),
    onMessage: (listener) => process.on('message', (message) => listener(message as ToHistory)),
  };
}

endOnRejection();
serveHistory(portToHost());
