import type { EventOf, InputOf, ResultOf } from '../../app/contract/calls.ts';
import { type SolverCall, type SolverCalls, solverCalls } from '../../app/contract/solver-calls.ts';
import { CancelledError } from '../../engine/errors.ts';
import { EventChannel } from '../host/event-channel.ts';
import { LabFailure, workerDied } from '../host/failure.ts';
import { serviceOf } from '../host/service-of.ts';
import type { SolverService } from '../host/services.ts';
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

export interface SolverOptions {
  readonly start: StartThread;
  /** How long a cancelled solve may go on before its thread is ended. */
  readonly graceMs?: number;
}

interface Job {
  readonly request: SolverRequest;
  readonly replies: EventChannel<Extract<SolverReply, { readonly type: 'event' | 'end' }>>;
}

const GRACE_MS = 500;

/** Where no memory can be shared, as in a page that its server does not isolate, a cancelled solve loses its thread. */
const canShare = typeof SharedArrayBuffer === 'function';
const sharedFlag = (): Int32Array =>
  new Int32Array(new (canShare ? SharedArrayBuffer : ArrayBuffer)(Int32Array.BYTES_PER_ELEMENT));

/**
 * The solver in a thread of its own, and a second one for fronts, which take up to a minute that nobody asked to wait
 * for: opening a file or comparing never stands behind one. A file that one is given the other knows as well.
 */
export function solverClient(options: SolverOptions): SolverService {
  const files = new KeptFiles();
  const kept = (file: KeptFile, from: SolverQueue): void => {
    files.keep(file);
    for (const queue of [answers, fronts]) if (queue !== from) queue.tell({ keep: file });
  };
  const answers = new SolverQueue(options, files, kept);
  const fronts = new SolverQueue(options, files, kept);
  return {
    ...serviceOf(solverCalls, (name, input, signal) =>
      (name === 'pareto' ? fronts : answers).ask(name, input, signal),
    ),
    // Known here, so that it waits behind no other call.
    openedFiles: async () => files.opened(),
    close: async () => {
      await Promise.all([answers.close(), fronts.close()]);
    },
  };
}

/**
 * A thread, started at the first request. Requests are answered one after the
 * other. A thread that dies fails all requests with WORKER_DIED, and the next starts a fresh one. A
 * cancelled request stops at the strategy's next tick; one that does not tick within the grace loses its
 * thread, and the requests behind it go on in a fresh one.
 */
class SolverQueue {
  readonly #start: StartThread;
  readonly #graceMs: number;
  readonly #cancelled = sharedFlag();
  /** A cancelled solve may cost the thread; the files that it was given outlive it here. */
  readonly #files: KeptFiles;
  readonly #onKeep: (file: KeptFile, from: SolverQueue) => void;
  #thread: SolverThread | null = null;
  #active: Job | null = null;
  #queue: Job[] = [];
  #lastId = 0;

  constructor(
    { start, graceMs = GRACE_MS }: SolverOptions,
    files: KeptFiles,
    onKeep: (file: KeptFile, from: SolverQueue) => void,
  ) {
    this.#start = start;
    this.#graceMs = graceMs;
    this.#files = files;
    this.#onKeep = onKeep;
  }

  async *ask<Name extends SolverCall>(
    name: Name,
    input: InputOf<SolverCalls[Name]>,
    signal?: AbortSignal,
  ): AsyncGenerator<EventOf<SolverCalls[Name]>, ResultOf<SolverCalls[Name]>, void> {
    if (signal?.aborted) throw new CancelledError();
    const cancel = (): void => this.#cancel(job);
    const job: Job = { request: { id: ++this.#lastId, name, input }, replies: new EventChannel(cancel) };
    signal?.addEventListener('abort', cancel, { once: true });
    this.#queue.push(job);
    this.#next();
    try {
      for await (const reply of job.replies) {
        if (reply.type === 'end') return reply.result as ResultOf<SolverCalls[Name]>;
        yield reply.event as EventOf<SolverCalls[Name]>;
      }
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
    throw workerDied('solver', 'it did not answer');
  }

  /** Of no thread, there is nobody to tell: one that starts is given all files. */
  tell(news: SolverNews): void {
    this.#thread?.postMessage(news);
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#failAll(new CancelledError());
    await thread?.terminate();
  }

  #next(): void {
    if (this.#active !== null) return;
    const job = this.#queue.shift();
    if (job === undefined) return;
    this.#active = job;
    this.#thread ??= this.#startThread();
    this.#thread.postMessage(job.request);
  }

  #startThread(): SolverThread {
    const thread = this.#start({ cancelled: this.#cancelled, files: this.#files.all() });
    thread.on('message', (reply) => {
      if (thread === this.#thread) this.#receive(reply);
    });
    const died = (reason: string): void => {
      if (thread === this.#thread) this.#failAll(workerDied('solver', reason));
    };
    thread.on('error', (error) => died(error.message));
    thread.on('exit', (code) => died(`exit code ${code}`));
    return thread;
  }

  #receive(reply: SolverReply): void {
    if (reply.type === 'keep') {
      this.#onKeep(reply.file, this);
      return;
    }
    const job = this.#active;
    if (job === null || reply.id !== job.request.id) return;
    if (reply.type !== 'error') job.replies.push(reply);
    if (reply.type === 'event') return;
    this.#active = null;
    if (reply.type === 'end') job.replies.end();
    else {
      const { failure } = reply;
      job.replies.fail(failure.code === 'CANCELLED' ? new CancelledError() : new LabFailure(failure));
    }
    this.#next();
  }

  #cancel(job: Job): void {
    job.replies.fail(new CancelledError());
    this.#queue = this.#queue.filter((queued) => queued !== job);
    if (this.#active !== job) return;
    Atomics.store(this.#cancelled, 0, job.request.id);
    const thread = this.#thread;
    const timer = setTimeout(() => {
      if (this.#active !== job || this.#thread !== thread) return;
      this.#thread = null;
      this.#active = null;
      void thread?.terminate();
      this.#next();
    }, this.#graceMs);
    // A page's timer is a number, which keeps nothing alive.
    if (typeof timer === 'object') timer.unref();
  }

  /** Forgets the thread and fails everything that waits for it. */
  #failAll(error: Error): void {
    const jobs = [...(this.#active === null ? [] : [this.#active]), ...this.#queue];
    this.#thread = null;
    this.#active = null;
    this.#queue = [];
    for (const job of jobs) job.replies.fail(error);
  }
}
