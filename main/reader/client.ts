import { CancelledError } from '../../engine/errors.ts';
import { LabFailure } from '../host/failure.ts';
import type { SolverService } from '../host/services.ts';
import type { ProcessSpawner, WorkerProcess } from '../trainer-client/process.ts';
import type { FromReader, ReadCall, ReadResult, ToReader } from './protocol.ts';

/** How long the process waits for the next file; after a large one it holds much memory. */
const IDLE_MS = 30_000;

/**
 * The solver, given only files that a separate process has read first. A file that crashes its reader leaves the lab
 * running, with one sentence as the error.
 */
export function withReader(
  solver: SolverService,
  spawn: ProcessSpawner<ToReader, FromReader>,
): SolverService {
  const reader = new ReaderClient(spawn);
  return {
    ...solver,
    async importFile(input, signal) {
      await reader.read('importFile', input, signal);
      return solver.importFile(input, signal);
    },
    readMeasured: (input, signal) => reader.read('readMeasured', input, signal),
    async close() {
      reader.close();
      await solver.close();
    },
  };
}

interface Reading {
  readonly request: ToReader;
  readonly resolve: (result: ReadResult) => void;
  readonly reject: (error: Error) => void;
}

/** One process, started for the first file and restarted after a crash; one file at a time. */
class ReaderClient {
  readonly #spawn: ProcessSpawner<ToReader, FromReader>;
  #process: WorkerProcess<ToReader, FromReader> | null = null;
  #isReady = false;
  #active: Reading | null = null;
  #queue: Reading[] = [];
  #idle: NodeJS.Timeout | undefined;

  constructor(spawn: ProcessSpawner<ToReader, FromReader>) {
    this.#spawn = spawn;
  }

  read<Name extends ReadCall>(
    name: Name,
    input: ToReader['input'],
    signal?: AbortSignal,
  ): Promise<ReadResult<Name>> {
    return new Promise((resolve, reject) => {
      const reading: Reading = {
        request: { name, input },
        resolve: (result) => resolve(result as ReadResult<Name>),
        reject,
      };
      const cancel = (): void => this.#cancel(reading);
      signal?.addEventListener('abort', cancel, { once: true });
      this.#queue.push(reading);
      if (signal?.aborted === true) cancel();
      this.#next();
    });
  }

  close(): void {
    for (const reading of [...this.#queue]) this.#cancel(reading);
    if (this.#active !== null) this.#cancel(this.#active);
    this.#end();
  }

  #next(): void {
    if (this.#active !== null) return;
    const reading = this.#queue.shift();
    if (reading === undefined) return;
    clearTimeout(this.#idle);
    this.#active = reading;
    if (this.#process === null) this.#start();
    else if (this.#isReady) this.#send(reading.request);
  }

  /** A file too large to send fails alone. */
  #send(request: ToReader): void {
    try {
      this.#process?.send(request);
    } catch (error) {
      this.#died(error instanceof Error ? error.message : String(error));
    }
  }

  #start(): void {
    const started = this.#spawn();
    this.#process = started;
    started.onMessage((message) => {
      if (started === this.#process) this.#receive(message);
    });
    started.onExit((reason) => {
      if (started === this.#process) this.#died(reason);
    });
  }

  #receive(message: FromReader): void {
    const active = this.#active;
    if (message.type === 'ready') {
      this.#isReady = true;
      if (active !== null) this.#send(active.request);
      return;
    }
    this.#active = null;
    if (message.type === 'result') active?.resolve(message.result);
    else active?.reject(new LabFailure(message.failure));
    this.#idle = setTimeout(() => this.#end(), IDLE_MS);
    this.#idle.unref();
    this.#next();
  }

  #died(reason: string): void {
    const active = this.#active;
    this.#active = null;
    this.#end();
    const message = `the file cannot be read: its reader process ended (${reason}). Save less in the file.`;
    active?.reject(new LabFailure({ code: 'BAD_INPUT', message, data: { path: '' } }));
    this.#next();
  }

  #cancel(reading: Reading): void {
    this.#queue = this.#queue.filter((one) => one !== reading);
    reading.reject(new CancelledError());
    if (this.#active !== reading) return;
    this.#active = null;
    this.#end();
    this.#next();
  }

  #end(): void {
    clearTimeout(this.#idle);
    const ended = this.#process;
    this.#process = null;
    this.#isReady = false;
    ended?.kill();
  }
}
