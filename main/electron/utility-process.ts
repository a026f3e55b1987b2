import { Readable } from 'node:stream';
import type { UtilityProcess, utilityProcess } from 'electron';
import { howItEnded } from '../../app/bridges/stderr-summary.ts';
import type { HostMessage, TrainerMessage } from '../trainer/protocol.ts';
import { ErrorTail } from '../trainer-client/error-tail.ts';
import type { ProcessSpawner } from '../trainer-client/process.ts';

/** Time limit for reading the last output of an ended process: other processes may hold its pipe open. */
const LAST_WORDS_MS = 1000;
/** `waitpid` adds this to a signal's number if the core was dumped. */
const CORE_DUMPED = 128;
/** On POSIX, `waitpid` reports a signal by its number. */
const SIGNALS: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};
/** Exit codes of Windows and Chromium for lack of memory. */
const OUT_OF_MEMORY: ReadonlySet<number> = new Set([0xc0000017, 0xc000012d, 0xe0000008]);

/**
 * Runs the trainer, or the history, in a utility process of Electron: a child with Node, whose messages go over a port.
 *
 * @param utility Electron's `utilityProcess`
 * @param file the built process
 * @param killNow ends a process by its id, because a hung one may ignore a normal request
 * @param serviceName name in the system's list of processes
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
    const stderr = child.stderr instanceof Readable ? child.stderr : null;
    const tail = new ErrorTail(stderr);
    const kill = (): void => {
      const { pid } = child;
      child.kill();
      if (pid === undefined) return;
      try {
        killNow(pid);
      } catch {
        // It has already ended.
      }
    };
    return {
      send: (message) => child.postMessage(message),
      onMessage: (listener) => child.on('message', (message: Received) => listener(message)),
      onExit(listener) {
        child.once('error', (type, location) => listener(tail.explain(`${type} at ${location}`)));
        child.once('exit', (code) => {
          void allRead(stderr, tail).then(() => listener(endOf(code, tail.explain)));
        });
      },
      kill() {
        // A starting process has no id and ignores a request to end.
        if (child.pid === undefined) child.once('spawn', kill);
        kill();
      },
    };
  };
}

/** Why a process ended, by the exit code from Electron: `waitpid`'s on POSIX, the process's own on Windows. */
export function endOf(code: number, explain: (how: string) => string, platform = process.platform): string {
  if (platform === 'win32') {
    return OUT_OF_MEMORY.has(code >>> 0) ? 'it ran out of memory' : howItEnded(code, null, explain);
  }
  const signal = SIGNALS[code >= CORE_DUMPED ? code - CORE_DUMPED : code] ?? null;
  return howItEnded(code, signal, explain);
}

/**
 * Electron reports an exit before all output has been read, and then removes every listener from the streams. This adds
 * them again until the stream ends.
 */
function allRead(stderr: Readable | null, tail: ErrorTail): Promise<void> {
  if (stderr === null || stderr.readableEnded) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LAST_WORDS_MS);
    queueMicrotask(() => {
      stderr.removeAllListeners('data');
      tail.listen(stderr);
      stderr.once('end', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  });
}
