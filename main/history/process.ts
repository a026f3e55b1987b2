import { endOnRejection } from '../host/end-on-rejection.ts';
import { hostPort } from '../host/host-port.ts';
import { serveHistory } from './serve-history.ts';

/**
 * The process that owns the database. If the native library aborts, only this process ends; the lab and a run continue.
 */
endOnRejection();
serveHistory(
  hostPort(() => {
    // These signals reach every process of a terminal or service. This process ends only when the host says so, after
    // its last write.
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);
  }),
);
