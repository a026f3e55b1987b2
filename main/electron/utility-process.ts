import { Readable } from 'node:stream';
import type { UtilityProcess, utilityProcess } from 'electron';
import type { HostMessage, TrainerMessage } from '../trainer/protocol.ts';
import { errorTail } from '../trainer-client/error-tail.ts';
import type { ProcessSpawner } from '../trainer-client/process.ts';

/**
 * Runs the trainer, or the history, in a utility process of Electron: a child with Node, whose messages go over a port.
 *
 * @param utility Electron's `utilityProcess`
 * @param file the built process
 * @param killNow ends a process by its id, because a hung one need not heed the polite way
 * @param serviceName what the system's list of processes shows
 */
export function utilityProcessSpawner<Sent = HostMessage, Received = TrainerMessage>(
  utility: Pick<typeof utilityProcess, 'fork'>,
  file: string,
  killNow: (pid: number) => void = (pid) => process.kill(pid, 'SIGKILL'),
  serviceName = 'Zigzag trainer',
): ProcessSpawner<Sent, Received> {
  return () => {
    const child: UtilityProcess = utility.fork(file, [], {
      serviceName,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const explain = errorTail(child.stderr instanceof Readable ? child.stderr : null);
    return {
      send: (message) => child.postMessage(message),
      onMessage: (listener) => child.on('message', (message: Received) => listener(message)),
      onExit(listener) {
        child.once('error', (type, location) => listener(explain(`${type} at ${location}`)));
        child.once('exit', (code) => listener(explain(`exit code ${code}`)));
      },
      kill() {
        const { pid } = child;
        child.kill();
        if (pid === undefined) return;
        try {
          killNow(pid);
        } catch {
          // It is gone already.
        }
      },
    };
  };
}
