import { fork } from 'node:child_process';
import { howItEnded } from '../../app/bridges/stderr-summary.ts';
import type { HostMessage, TrainerMessage } from '../trainer/protocol.ts';
import { ErrorTail } from './error-tail.ts';
import type { ProcessSpawner } from './process.ts';

/**
 * Runs the trainer, or the history, in a child process of Node: browser mode, command line, tests. Its output is not
 * shown.
 *
 * @param file the built process
 */
export function childProcessSpawner<Sent extends object = HostMessage, Received = TrainerMessage>(
  file: string,
): ProcessSpawner<Sent, Received> {
  return () => {
    const child = fork(file, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
    });
    const { explain } = new ErrorTail(child.stderr);
    // Ends the child however the host ends.
    const kill = (): void => {
      child.kill('SIGKILL');
    };
    process.once('exit', kill);
    child.once('exit', () => process.removeListener('exit', kill));
    return {
      // A failed send means that the process ended, which its exit reports anyway.
      send: (message) => child.connected && child.send(message, () => undefined),
      onMessage: (listener) => child.on('message', (message) => listener(message as Received)),
      onExit(listener) {
        child.once('error', (error) => listener(error.message));
        child.once('close', (code, signal) => listener(howItEnded(code, signal, explain)));
      },
      kill,
    };
  };
}
