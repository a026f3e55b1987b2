import { servePort } from '../host/carriers.ts';
import { createLabRouter } from '../host/router.ts';
import { solverClient } from '../solver/client.ts';
import { siteServices } from './services.ts';
import { webThread } from './web-thread.ts';

/**
 * Entry of the lab's host in a page without a server: the same router over the same contract, in a worker, so that the
 * page never waits; its solver is a worker of its own, because one that solves hears nothing.
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
// Every page asks for it first: it is made while the page draws. A failure is the page's to show.
solver.catalog().catch(() => undefined);
