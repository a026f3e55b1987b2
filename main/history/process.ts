import { endOnRejection } from '../host/end-on-rejection.ts';
import { hostPort } from '../host/host-port.ts';
import { serveHistory } from './serve-history.ts';

/**
 * The process that has the database. A native library that aborts takes this one with it, and neither the lab nor a run.
 */
endOnRejection();
serveHistory(
  hostPort(() => {
    // They reach every process of a terminal or a service; the host says when this one is to end, after its last word.
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);
  }),
);
