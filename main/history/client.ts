import { randomUUID } from 'node:crypto';
import type { History, RunSource } from '../../app/contract/history.ts';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { CancelledError } from '../../engine/errors.ts';
import { LabFailure, workerDied } from '../host/failure.ts';
import type { HistoryService } from '../host/services.ts';
import type { ProcessSpawner, WorkerProcess } from '../trainer-client/process.ts';
import type { DataFolder } from './folder.ts';
import type { FromHistory, HistoryCall, HistoryMethod, ToHistory } from './protocol.ts';
import { RunRecorder, recorded } from './recorder.ts';
import type { RunHistory } from './run-history.ts';

/** Longest time that the program's end waits for pending writes. */
const CLOSE_MS = 5000;

interface Pending {
  readonly message: HistoryCall;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  isRetried: boolean;
}

/**
 * The history in its own process, started on first use. If the process dies it is restarted: a run in progress is
 * written first, then open requests are repeated, so neither the run nor the lab is harmed.
 */
export class HistoryClient implements HistoryService {
  readonly #spawn: ProcessSpawner<ToHistory, FromHistory>;
  #place: Pick<DataFolder, 'folder' | 'by'>;
  readonly #pending = new Map<number, Pending>();
  readonly #recorders = new Set<RunRecorder>();
  #process: WorkerProcess<ToHistory, FromHistory> | null = null;
  #isReady = false;
  #lastId = 0;
  #problem: string | null = null;
  #notice: string | null = null;

  readonly open = this.#method('open');
  readonly remove = this.#method('remove');
  readonly restore = this.#method('restore');
  readonly annotate = this.#method('annotate');
  readonly exportRuns = this.#method('exportRuns');
  readonly importRuns = this.#method('importRuns');

  /** @param place a chosen folder must exist: its disk may be unplugged */
  constructor(spawn: ProcessSpawner<ToHistory, FromHistory>, place: Pick<DataFolder, 'folder' | 'by'>) {
    this.#spawn = spawn;
    this.#place = place;
  }

  /** One sentence on why runs are not stored now; null if they are. Final after `close`. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Never fails: without a history it returns the reason. */
  async list(): Promise<History> {
    try {
      const history = await this.#call('list');
      const notice = [this.#notice, history.notice].filter((sentence) => sentence !== null).join(' ');
      return { ...history, notice: notice === '' ? null : notice };
    } catch (error) {
      if (!(error instanceof LabFailure) || error.failure.code !== 'WORKER_DIED') throw error;
      const { folder } = this.#place;
      return { runs: [], evicted: [], folder, problem: this.#stopped(error), notice: null };
    }
  }

  /**
   * Switches to another folder and copies the runs there if it has none; the old folder keeps its runs. A run in
   * progress is written there whole, and waiting requests are answered there.
   *
   * @param remember called once the folder proves usable, before the switch; an error that it throws leaves everything
   *   unchanged
   * @returns true if runs were copied; false if the folder already had runs, or none existed
   * @throws LabFailure in one sentence if the folder cannot be used
   */
  async moveTo(folder: string, remember: () => void): Promise<boolean> {
    const wasCopied = await this.#call('copyTo', folder);
    remember();
    const process = this.#process;
    this.#place = { folder, by: 'choice' };
    this.#process = null;
    this.#problem = null;
    this.#notice = null;
    process?.kill();
    if (this.#pending.size > 0 || this.#recorders.size > 0) this.#start();
    return wasCopied;
  }

  record(
    request: TrainRequest,
    events: AsyncIterable<TrainEvent>,
    source: RunSource = 'lab',
  ): AsyncGenerator<TrainEvent, void, void> {
    const [id, spare] = [request.run ?? randomUUID(), randomUUID()];
    const recorder = new RunRecorder({ id, spare, source, begunMs: Date.now(), request }, async (run) => {
      if (run.outcome === 'running') this.#recorders.add(recorder);
      else this.#recorders.delete(recorder);
      try {
        this.#problem = await this.#call('save', run);
      } catch (error) {
        this.#problem = this.#stopped(error as Error);
      }
      return this.#problem;
    });
    return recorded(recorder, events);
  }

  /** Waits for open requests up to a time limit, then ends the process. */
  async close(): Promise<void> {
    if (this.#process === null) return;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([this.#call('close').catch(() => undefined), tooLong]);
    clearTimeout(timer);
    const process = this.#process;
    this.#process = null;
    process?.kill();
    for (const { reject } of this.#pending.values()) reject(new CancelledError());
    this.#pending.clear();
  }

  #method<Name extends HistoryMethod>(name: Name) {
    return (...input: Parameters<RunHistory[Name]>) => this.#call(name, ...input);
  }

  #call<Name extends HistoryMethod>(
    name: Name,
    ...input: Parameters<RunHistory[Name]>
  ): Promise<ReturnType<RunHistory[Name]>> {
    const id = ++this.#lastId;
    const message = { type: 'call', id, name, input } as unknown as HistoryCall;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, {
        ...{ message, reject, isRetried: false },
        resolve: resolve as (value: unknown) => void,
      });
      if (this.#process === null) this.#start();
      else if (this.#isReady) this.#process.send(message);
    });
  }

  #start(): void {
    this.#isReady = false;
    const started = this.#spawn();
    this.#process = started;
    started.onMessage((message) => {
      if (started === this.#process) this.#receive(message);
    });
    started.onExit((reason) => {
      if (started === this.#process) this.#died(reason);
    });
  }

  #receive(message: FromHistory): void {
    if (message.type === 'ready') {
      this.#greet();
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.type === 'answer') pending?.resolve(message.value);
    else pending?.reject(new LabFailure(message.failure));
  }

  /** Sends a process its folder and the runs in progress before any request. */
  #greet(): void {
    for (const recorder of this.#recorders) recorder.renew();
    this.#isReady = true;
    const { folder, by } = this.#place;
    this.#process?.send({ type: 'folder', folder, mustExist: by === 'choice' });
    const asked = Array.from(this.#pending.values(), ({ message }) => message);
    const isSave = ({ name }: HistoryCall): boolean => name === 'save';
    for (const message of asked.filter(isSave)) this.#process?.send(message);
    for (const message of asked.filter((one) => !isSave(one))) this.#process?.send(message);
  }

  #died(reason: string): void {
    this.#process = null;
    this.#notice =
      `The history of runs stopped unexpectedly (${reason}) and was restarted; ` +
      'earlier data is kept, and training continues.';
    for (const [id, pending] of this.#pending) {
      if (pending.isRetried) {
        this.#pending.delete(id);
        pending.reject(workerDied('history', reason));
      }
      pending.isRetried = true;
    }
    if (this.#pending.size > 0) this.#start();
  }

  #stopped(error: Error): string {
    const reason =
      error instanceof LabFailure && error.failure.code === 'WORKER_DIED'
        ? error.failure.data.reason
        : error.message;
    return (
      `Runs are not stored, because the history stops at every start (${reason}); training continues. ` +
      `Move runs.db out of ${this.#place.folder}, and a new one is created.`
    );
  }
}
