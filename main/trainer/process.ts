import type { MilpSolver } from '../../engine/strategies/milp/milp-solver.ts';
import { endOnRejection } from '../host/end-on-rejection.ts';
import { hostPort } from '../host/host-port.ts';
import { answer } from './answer.ts';
import { NODE_BACKENDS } from './backends/node.ts';
import { readCifar10 } from './data/cifar10.ts';
import { firstWorkingBackend } from './first-working-backend.ts';
import { serveTrainer } from './serve.ts';

/**
 * The trainer process: a child process of Node in browser mode, on the command line and in tests, a
 * utility process on the desktop. Ends when its host does.
 */

/** Delay after a signal that also reaches the host: the host first cancels its run, within a few seconds. */
const LONGER_THAN_GRACE_MS = 10_000;

function onChild(): void {
  // Ctrl+C reaches every process of a terminal; the host decides what happens here.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void setTimeout(() => process.exit(1), LONGER_THAN_GRACE_MS));
  }
}

async function milpSolver(): Promise<MilpSolver> {
  return (await import('../../app/bridges/highs.ts')).createHighsSolver();
}

endOnRejection();
serveTrainer(
  hostPort(onChild),
  (request, emit, supervision) =>
    answer(request, emit, supervision, { backends: NODE_BACKENDS, readFolder: readCifar10, milpSolver }),
  (request, choice) => firstWorkingBackend(request, choice, NODE_BACKENDS),
);
