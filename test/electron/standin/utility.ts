import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type * as Electron from 'electron';
import { decode, type Encoded, encode } from './codec.ts';
import { BUILT, life } from './life.ts';
import type { NothingElse } from './promise.ts';

/** Chromium starts processes on another thread, so that one that was asked for is not there yet. */
const LAUNCH_MS = 15;
const READ_MS = 30;
/** As `waitpid` gives them to Chromium: a signal is its number. */
const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGILL: 4,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGTERM: 15,
};

export const utilities = new Map<ChildProcess, string>();

/** Electron's utility process, with what is awkward in it: see shell/browser/api/electron_api_utility_process.cc. */
export class StandInUtility
  extends EventEmitter
  implements Pick<Electron.UtilityProcess, 'postMessage' | 'kill' | 'pid' | 'stdout' | 'stderr'>
{
  readonly stdout = null;
  #child: ChildProcess | null = null;
  #pid: number | undefined;
  #isKilled = false;
  #stderr: PassThrough | null;
  readonly #early: Encoded[] = [];

  static fork(
    file: string,
    args: readonly string[] = [],
    options: Electron.ForkOptions = {},
  ): StandInUtility {
    return new StandInUtility(file, args, options);
  }

  private constructor(
    file: string,
    args: readonly string[],
    { stdio, execArgv = [], env, cwd }: Electron.ForkOptions,
  ) {
    super();
    if (!life.isReady) throw new TypeError('utilityProcess cannot be created before app is ready.');
    const { output, errors } = streamsOf(stdio);
    this.#stderr = errors === 'pipe' ? new PassThrough() : null;
    setTimeout(() => {
      const boot = join(BUILT, 'utility-boot.js');
      const child: ChildProcess = spawn(process.execPath, ['--import', boot, ...execArgv, file, ...args], {
        stdio: ['ignore', output, errors, 'ipc'],
        serialization: 'advanced',
        env: (env as NodeJS.ProcessEnv | undefined) ?? process.env,
        cwd,
      });
      this.#child = child;
      utilities.set(child, file);
      child.once('spawn', () => this.#spawned(child));
      child.on('message', (message: Encoded) => this.emit('message', decode(message)));
      child.once('exit', (code, signal) => this.#ended(child, code, signal));
    }, LAUNCH_MS);
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  get stderr(): NodeJS.ReadableStream | null {
    return this.#stderr;
  }

  postMessage(message: unknown): void {
    const encoded = encode(message) as object;
    if (this.#pid === undefined) this.#early.push(encoded);
    else if (this.#child?.connected) this.#child.send(encoded, () => undefined);
  }

  /** Before it was spawned there is nothing to kill, and the process starts all the same. */
  kill(): boolean {
    if (this.#pid === undefined || this.#child === null) return false;
    this.#isKilled = true;
    return this.#child.kill('SIGTERM');
  }

  #spawned(child: ChildProcess): void {
    this.#pid = child.pid;
    if (this.#stderr !== null && child.stderr !== null) readLate(child.stderr, this.#stderr);
    this.emit('spawn');
    for (const message of this.#early.splice(0)) child.send(message as object, () => undefined);
  }

  /** The exit is told as soon as it is known; listeners of the streams are forgotten right after. */
  #ended(child: ChildProcess, code: number | null, signal: string | null): void {
    utilities.delete(child);
    this.#pid = undefined;
    const told = signal === null ? (code ?? 0) : (SIGNALS[signal] ?? 1);
    const isOrderly = this.#isKilled && (told === SIGNALS['SIGTERM'] || told === SIGNALS['SIGKILL']);
    try {
      this.emit('exit', isOrderly ? 0 : told);
    } finally {
      this.#stderr?.removeAllListeners();
      this.#stderr = null;
      this.#child = null;
    }
  }
}

/** The end of a process is told on another way than its pipe, which is read when there is time. */
function readLate(from: Readable, to: Writable): void {
  from.on('data', (text: Buffer) => setTimeout(() => to.write(text), READ_MS));
  from.once('end', () => setTimeout(() => to.end(), READ_MS));
}

type Stream = 'pipe' | 'ignore' | 'inherit';

function streamsOf(stdio: Electron.ForkOptions['stdio'] = 'inherit'): { output: Stream; errors: Stream } {
  const [input, output, errors] = Array.isArray(stdio) ? stdio : ['ignore', stdio, stdio];
  if (input !== 'ignore') throw new Error('stdin value other than ignore is not supported.');
  if (output === 'pipe') throw new Error('the stand-in pipes no standard output');
  return { output: output as Stream, errors: errors as Stream };
}

true satisfies NothingElse<StandInUtility, Electron.UtilityProcess>;
