import { servePort } from '../host/carriers.ts';
import { createLabRouter } from '../host/router.ts';
import { solverClient } from '../solver/client.ts';
import { siteServices } from './services.ts';
import { webThread } from './web-thread.ts';

/**
 * Entry of the lab's host in a page without a server: the same router and contract, in a worker, so that the page never
 * waits. The solver is a second worker, because a solving worker receives no messages.
 */
declare const ZIGZAG_VERSION: string;

const solver = solverClient({
  start: webThread(
    () => new Worker(new URL('./solver-worker.ts', import.meta.url), { type: 'module', name: 'solver' }),
  ),
});
const { hardwareConcurrency, userAgent } = navigator;
const router = createLabRouter(
  siteServices(solver, {
    version: ZIGZAG_VERSION,
    carrier: 'site',
    platform: userAgent,
    logicalCpus: hardwareConcurrency,
    memoryBytes: null,
    site: null,
  }),
);

addEventListener('message', ({ ports: [port] }: MessageEvent) => {
  if (port === undefined) return;
  servePort(router, port);
  port.start();
});
// Prepared while the page draws, because every page asks for it first. The page shows a failure.
solver.catalog().catch(() => undefined);
