import { fork } from 'node:child_process';
import type { TrainerMessage } from '../trainer/protocol.ts';
import type { ProcessSpawner } from './process.ts';

const KEPT_ERROR_BYTES = 2000;

/**
 * Runs the trainer in a child process of Node: browser mode, command line, tests. What it prints is not
 * ours to print; the end of its standard error explains a crash.
 *
 * @param file the built trainer
 */
export function childProcessSpawner(file: string): ProcessSpawner {
  return () => {
    const child = fork(file, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
    });
    let errors = '';
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => {
      errors = (errors + text).slice(-KEPT_ERROR_BYTES);
    });
    // A host that ends for any reason leaves no trainer behind.
    const kill = (): void => {
      child.kill('SIGKILL');
    };
    process.once('exit', kill);
    child.once('exit', () => process.removeListener('exit', kill));
    return {
      // A message to a process that is gone is answered by its exit, which is reported anyhow.
      send: (message) => child.connected && child.send(message, () => undefined),
      onMessage: (listener) => child.on('message', (message) => listener(message as TrainerMessage)),
      onExit(listener) {
        let told = false;
        const tell = (reason: string): void => {
          if (told) return;
          told = true;
          listener(reason);
        };
        child.once('error', (error) => tell(error.message));
        child.once('close', (code, signal) => tell(exitReason(code, signal, errors)));
      },
      kill,
    };
  };
}

function exitReason(code: number | null, signal: string | null, errors: string): string {
  const how = signal === null ? `exit code ${code ?? 0}` : `killed by ${signal}`;
  const why = lastError(errors);
  return why === '' ? how : `${how}: ${why}`;
}

/** The line of a crash report that says what happened, else the last line. */
function lastError(errors: string): string {
  const lines = errors.split('\n').map((line) => line.trim());
  const telling = lines.filter((line) => /error|out of memory|fatal/i.test(line) && !line.startsWith('at '));
  return (telling.at(-1) ?? lines.filter((line) => line !== '').at(-1) ?? '').slice(0, 200);
}
