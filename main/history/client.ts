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

/** The end of this program waits so long for what is still to be written. */
const CLOSE_MS = 5000;

interface Pending {
  readonly message: HistoryCall;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  isRetried: boolean;
}

/**
 * The history in a process of its own, started when it is first needed. One that dies is started again: what was asked
 * for is asked once more, and a run that goes on is written first, so that neither it nor the lab comes to harm.
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

  /** @param place a folder that was chosen has to be there, as a disk may be unplugged */
  constructor(spawn: ProcessSpawner<ToHistory, FromHistory>, place: Pick<DataFolder, 'folder' | 'by'>) {
    this.#spawn = spawn;
    this.#place = place;
  }

  /** Why runs are not kept now, in one sentence; null when they are. Complete once it was closed. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Never fails: where there is no history it says why. */
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
   * Goes on in another folder, into which the runs are copied where it has none; earlier ones stay where they are. A run
   * that goes on is written there as a whole, and what was asked for meanwhile is asked there.
   *
   * @param remember called when the folder can be used, before it is; what it throws leaves all as it is
   * @returns whether the runs were copied: false where the folder had runs of its own, or there were none to copy
   * @throws LabFailure in one sentence, where the folder cannot be used
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

  /** Waits until what was asked for is done, but not for ever; the process is gone then. */
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

  /** Tells a process its folder and the runs that go on, before it is asked for anything. */
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
