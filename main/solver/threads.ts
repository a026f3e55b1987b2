import type { Imported } from '../../app/contract/import-file.ts';
import { type KeptFile, KeptFiles } from './kept-files.ts';
import type { SolverData, SolverNews, SolverReply, SolverRequest } from './protocol.ts';

/** The part of a worker thread, Node's or a page's, that is used here. */
export interface SolverThread {
  postMessage(message: SolverRequest | SolverNews): void;
  on(event: 'message', listener: (reply: SolverReply) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  terminate(): Promise<unknown>;
}

export type StartThread = (data: SolverData) => SolverThread;

/** A thread, and the shared memory in which it looks for cancelled requests. */
export interface OwnThread {
  readonly thread: SolverThread;
  readonly cancelled: Int32Array;
}

/** Without shared memory, as in a page that its server does not isolate, a cancelled solve loses its thread. */
const canShare = typeof SharedArrayBuffer === 'function';
const sharedFlag = (): Int32Array =>
  new Int32Array(new (canShare ? SharedArrayBuffer : ArrayBuffer)(Int32Array.BYTES_PER_ELEMENT));

/**
 * The solver's threads. Each knows every file that any of them opened, and the files outlive the threads. One spare
 * thread may stand ready, because starting one would delay the answer after a cancel.
 */
export class SolverThreads {
  readonly #start: StartThread;
  readonly #files = new KeptFiles();
  readonly #all = new Set<OwnThread>();
  #spare: OwnThread | null = null;
  #isClosed = false;

  constructor(start: StartThread) {
    this.#start = start;
  }

  /** The spare thread, or a new one. */
  take(): OwnThread {
    const own = this.#spare ?? this.#begin();
    this.#spare = null;
    return own;
  }

  /** Starts a spare thread. */
  prepare(): void {
    if (!this.#isClosed) this.#spare ??= this.#begin();
  }

  /** Adds a file that one of them opened. */
  keep(file: KeptFile, from: OwnThread): void {
    this.#files.keep(file);
    for (const own of this.#all) if (own !== from) own.thread.postMessage({ keep: file });
  }

  /** Kept data, the oldest first. */
  opened(): Imported[] {
    return this.#files.opened();
  }

  async end(own: OwnThread): Promise<void> {
    this.#forget(own);
    await own.thread.terminate();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((own) => this.end(own)));
  }

  #begin(): OwnThread {
    const cancelled = sharedFlag();
    const own = { cancelled, thread: this.#start({ cancelled, files: this.#files.all() }) };
    this.#all.add(own);
    own.thread.on('error', () => this.#forget(own));
    own.thread.on('exit', () => this.#forget(own));
    return own;
  }

  #forget(own: OwnThread): void {
    this.#all.delete(own);
    if (this.#spare === own) this.#spare = null;
  }
}
