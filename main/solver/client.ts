import type { EventOf, InputOf, ResultOf } from '../../app/contract/calls.ts';
import { type SolverCall, type SolverCalls, solverCalls } from '../../app/contract/solver-calls.ts';
import { CancelledError } from '../../engine/errors.ts';
import { EventChannel } from '../host/event-channel.ts';
import { LabFailure, workerDied } from '../host/failure.ts';
import { serviceOf } from '../host/service-of.ts';
import type { SolverService } from '../host/services.ts';
import type { SolverReply, SolverRequest } from './protocol.ts';
import { type OwnThread, SolverThreads, type StartThread } from './threads.ts';

export interface SolverOptions {
  readonly start: StartThread;
  /** Time that a cancelled solve may continue before its thread is ended. */
  readonly graceMs?: number;
  /** Duration of a call after which a spare thread is started, in case the call is cancelled. */
  readonly spareAfterMs?: number;
}

interface Job {
  readonly request: SolverRequest;
  readonly replies: EventChannel<Extract<SolverReply, { readonly type: 'event' | 'end' }>>;
}

/** Share of the 100 ms within which the next request must find a free thread. */
const GRACE_MS = 30;
/** Factor for long calls: only their thread knows the plans of a front's points, and the rows of a table. */
const LONG_GRACE = 30;
/** Delay that avoids the first drawing of a page. */
const SPARE_AFTER_MS = 500;
/** Factor on the time after a short call: the next call may be cancelled early. */
const SPARE_WHEN_IDLE = 4;

/** Calls that take up to a minute, and a plan of a front, which only its thread knows. */
const LONG_CALLS: readonly SolverCall[] = ['pareto', 'frontPlan', 'table'];

/**
 * The solver in its own thread, and a second one for fronts and tables, which take up to a minute: opening a file or
 * comparing never waits behind them. Both threads know every file.
 */
export function solverClient(options: SolverOptions): SolverService {
  const threads = new SolverThreads(options.start);
  const answers = new SolverQueue(options, threads);
  const graceMs = LONG_GRACE * (options.graceMs ?? GRACE_MS);
  const long = new SolverQueue({ ...options, graceMs }, threads);
  return {
    ...serviceOf(solverCalls, (name, input, signal) =>
      (LONG_CALLS.includes(name) ? long : answers).ask(name, input, signal),
    ),
    // Answered here, so that it waits behind no other call.
    openedFiles: async () => threads.opened(),
    close: async () => {
      answers.close();
      long.close();
      await threads.close();
    },
  };
}

/**
 * A thread, started at the first request, that answers requests one after the other. If it dies, all requests fail with
 * WORKER_DIED, and the next one starts a new thread. A cancelled request stops at the strategy's next tick, and the
 * thread keeps its caches. A request that does not tick within the grace period loses its thread, and the requests
 * behind it continue in the spare one.
 */
class SolverQueue {
  readonly #graceMs: number;
  readonly #spareAfterMs: number;
  readonly #threads: SolverThreads;
  #own: OwnThread | null = null;
  #active: Job | null = null;
  #queue: Job[] = [];
  #lastId = 0;

  constructor({ graceMs = GRACE_MS, spareAfterMs = SPARE_AFTER_MS }: SolverOptions, threads: SolverThreads) {
    this.#graceMs = graceMs;
    this.#spareAfterMs = spareAfterMs;
    this.#threads = threads;
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

  close(): void {
    this.#failAll(new CancelledError());
  }

  #next(): void {
    if (this.#active !== null) return;
    const job = this.#queue.shift();
    if (job === undefined) return;
    this.#active = job;
    this.#own ??= this.#takeThread();
    this.#own.thread.postMessage(job.request);
    later(this.#spareAfterMs, () => {
      if (this.#active === job) this.#threads.prepare();
    });
    later(SPARE_WHEN_IDLE * this.#spareAfterMs, () => this.#threads.prepare());
  }

  #takeThread(): OwnThread {
    const own = this.#threads.take();
    own.thread.on('message', (reply) => {
      if (own === this.#own) this.#receive(reply, own);
    });
    const died = (reason: string): void => {
      if (own === this.#own) this.#failAll(workerDied('solver', reason));
    };
    own.thread.on('error', (error) => died(error.message));
    own.thread.on('exit', (code) => died(`exit code ${code}`));
    return own;
  }

  #receive(reply: SolverReply, own: OwnThread): void {
    if (reply.type === 'keep') {
      this.#threads.keep(reply.file, own);
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
    const own = this.#own;
    if (this.#active !== job || own === null) return;
    Atomics.store(own.cancelled, 0, job.request.id);
    later(this.#graceMs, () => {
      if (this.#active !== job || this.#own !== own) return;
      this.#own = null;
      this.#active = null;
      void this.#threads.end(own);
      this.#next();
      this.#threads.prepare();
    });
  }

  /** Forgets the thread and fails everything that waits for it. */
  #failAll(error: Error): void {
    const jobs = [...(this.#active === null ? [] : [this.#active]), ...this.#queue];
    this.#own = null;
    this.#active = null;
    this.#queue = [];
    for (const job of jobs) job.replies.fail(error);
  }
}

/** Keeps no process alive. */
function later(ms: number, act: () => void): void {
  const timer = setTimeout(act, ms);
  // A page's timer is a number and keeps nothing alive.
  if (typeof timer === 'object') timer.unref();
}
