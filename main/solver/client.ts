import { Worker } from 'node:worker_threads';
import type { Experiment } from '../../app/contract/experiment.ts';
import type { ExportRequest } from '../../app/contract/export-file.ts';
import type { GraphRequest, GraphView } from '../../app/contract/graph-view.ts';
import { type Imported, nameOfImported } from '../../app/contract/import-file.ts';
import type { LimitsEvent, LimitsRequest } from '../../app/contract/limits.ts';
import type { LiveTensors, LiveTensorsRequest } from '../../app/contract/live-tensors.ts';
import type { ParetoEvent, ParetoRequest } from '../../app/contract/pareto.ts';
import type { ComparisonEvent } from '../../app/contract/results.ts';
import type { TableEvent, TableRequest } from '../../app/contract/tables.ts';
import { CancelledError } from '../../engine/errors.ts';
import { EventChannel } from '../host/event-channel.ts';
import { LabFailure, workerDied } from '../host/failure.ts';
import type { Catalog, SolverService } from '../host/services.ts';
import { KeptFiles } from './kept-files.ts';
import type { SolverData, SolverReply, SolverRequest } from './protocol.ts';

/** The part of a worker thread that is used here. */
export interface SolverThread {
  postMessage(message: SolverRequest): void;
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

/** Starts the built solver thread. Whatever it prints is dropped: standard output belongs to our caller. */
export function threadOf(file: string): StartThread {
  return (data) => {
    const worker = new Worker(file, { workerData: data, stdout: true, stderr: true });
    worker.stdout.resume();
    worker.stderr.resume();
    return worker;
  };
}

interface Job {
  readonly request: SolverRequest;
  readonly replies: EventChannel<SolverReply>;
}

const GRACE_MS = 500;

/**
 * The solver in a thread of its own, started at the first request. Requests are answered one after the
 * other. A thread that dies fails all requests with WORKER_DIED, and the next starts a fresh one. A
 * cancelled request stops at the strategy's next tick; one that does not tick within the grace loses its
 * thread, and the requests behind it go on in a fresh one.
 */
export class SolverClient implements SolverService {
  readonly #start: StartThread;
  readonly #graceMs: number;
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  /** A cancelled solve may cost the thread; the files that it was given outlive it here. */
  readonly #files = new KeptFiles();
  #thread: SolverThread | null = null;
  #active: Job | null = null;
  #queue: Job[] = [];
  #lastId = 0;
  #catalog: Promise<Catalog> | null = null;

  constructor({ start, graceMs = GRACE_MS }: SolverOptions) {
    this.#start = start;
    this.#graceMs = graceMs;
  }

  /** Asked of the thread once; a failure is not remembered. */
  catalog(): Promise<Catalog> {
    if (this.#catalog !== null) return this.#catalog;
    const catalog = this.#askCatalog();
    this.#catalog = catalog;
    catalog.catch(() => {
      if (this.#catalog === catalog) this.#catalog = null;
    });
    return catalog;
  }

  async importFile(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<Imported> {
    for await (const reply of this.#ask({ type: 'import', id: ++this.#lastId, name, bytes }, signal)) {
      if (reply.type !== 'imported') continue;
      const { imported } = reply;
      this.#files.keep({ name: nameOfImported(imported), bytes, imported });
      return imported;
    }
    throw workerDied('solver', 'it did not answer');
  }

  openedFiles(): Imported[] {
    return this.#files.all().map(({ imported }) => imported);
  }

  async exportFile(wanted: ExportRequest, signal?: AbortSignal): Promise<string> {
    for await (const reply of this.#ask({ type: 'export', id: ++this.#lastId, wanted }, signal)) {
      if (reply.type === 'exported') return reply.text;
    }
    throw workerDied('solver', 'it did not answer');
  }

  async *compare(experiment: Experiment, signal?: AbortSignal): AsyncGenerator<ComparisonEvent, void, void> {
    for await (const reply of this.#ask({ type: 'compare', id: ++this.#lastId, experiment }, signal)) {
      if (reply.type === 'event') yield reply.event;
    }
  }

  async graphView(network: GraphRequest, signal?: AbortSignal): Promise<GraphView> {
    for await (const reply of this.#ask({ type: 'graph-view', id: ++this.#lastId, network }, signal)) {
      if (reply.type === 'graph-view') return reply.view;
    }
    throw workerDied('solver', 'it did not answer');
  }

  async liveTensors(wanted: LiveTensorsRequest, signal?: AbortSignal): Promise<LiveTensors> {
    for await (const reply of this.#ask({ type: 'live-tensors', id: ++this.#lastId, wanted }, signal)) {
      if (reply.type === 'live-tensors') return reply.tensors;
    }
    throw workerDied('solver', 'it did not answer');
  }

  async *table(table: TableRequest, signal?: AbortSignal): AsyncGenerator<TableEvent, void, void> {
    for await (const reply of this.#ask({ type: 'table', id: ++this.#lastId, table }, signal)) {
      if (reply.type === 'table') yield reply.event;
    }
  }

  async *limits(limits: LimitsRequest, signal?: AbortSignal): AsyncGenerator<LimitsEvent, void, void> {
    for await (const reply of this.#ask({ type: 'limits', id: ++this.#lastId, limits }, signal)) {
      if (reply.type === 'limits') yield reply.event;
    }
  }

  async *pareto(network: ParetoRequest, signal?: AbortSignal): AsyncGenerator<ParetoEvent, void, void> {
    for await (const reply of this.#ask({ type: 'pareto', id: ++this.#lastId, network }, signal)) {
      if (reply.type === 'pareto') yield reply.event;
    }
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#failAll(new CancelledError());
    await thread?.terminate();
  }

  async #askCatalog(): Promise<Catalog> {
    for await (const reply of this.#ask({ type: 'catalog', id: ++this.#lastId })) {
      if (reply.type === 'catalog') return reply.catalog;
    }
    throw workerDied('solver', 'it did not answer');
  }

  async *#ask(request: SolverRequest, signal?: AbortSignal): AsyncGenerator<SolverReply, void, void> {
    if (signal?.aborted) throw new CancelledError();
    const cancel = (): void => this.#cancel(job);
    const job: Job = { request, replies: new EventChannel(cancel) };
    signal?.addEventListener('abort', cancel, { once: true });
    this.#queue.push(job);
    this.#next();
    try {
      yield* job.replies;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
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
    const job = this.#active;
    if (job === null || reply.id !== job.request.id) return;
    if (reply.type !== 'end' && reply.type !== 'error') {
      job.replies.push(reply);
      return;
    }
    this.#active = null;
    if (reply.type === 'end') job.replies.end();
    else
      job.replies.fail(
        reply.failure.code === 'CANCELLED' ? new CancelledError() : new LabFailure(reply.failure),
      );
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
    timer.unref();
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
